/**
 * What features keep of a conversation beside its history: the todo list, the mode, the loop that waits
 * for a decision. It is saved with the session in the commit that ends the run.
 *
 * Values are JSON and are replaced, never changed in place: a snapshot is a copy of the references.
 */
export class RunState {
  #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    this.#values = values;
  }

  get(key: string): unknown {
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
  }

  /** `undefined` removes the value. */
  set(key: string, value: unknown): void {
    const { [key]: _, ...others } = this.#values;
    this.#values = value === undefined ? others : { ...others, [key]: value };
  }

  /** Everything as it stands. */
  snapshot(): Readonly<Record<string, unknown>> {
    return this.#values;
  }

  /** Goes back to what was there when the snapshot was taken. */
  restore(snapshot: Readonly<Record<string, unknown>>): void {
    this.#values = snapshot;
  }
}
