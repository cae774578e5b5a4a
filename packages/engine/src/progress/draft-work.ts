/**
 * What was done for one draft of a loop, step by step. Drafts are nearly always different, and their words show
 * that, so what was done for them is not read before two of them have the same words.
 */

import { fingerprint } from "./plain-text.ts";

/** A step whose signature may cost something to read. */
export type WorkStep = { readonly signature: string };

/** Steps that are held until they have to be read; older ones are read at once. */
const MAX_HELD_STEPS = 8;

export class DraftWork {
  #count = 0;
  /** Of the steps that are no longer held, in order. */
  #read = "";
  readonly #held: WorkStep[] = [];

  add(step: WorkStep): void {
    this.#count += 1;
    this.#held.push(step);
    const oldest = this.#held.length > MAX_HELD_STEPS ? this.#held.shift() : undefined;
    if (oldest !== undefined) this.#read = fingerprint(this.#read + oldest.signature);
  }

  /** The same steps in the same order. */
  isEqual(other: DraftWork): boolean {
    return this === other || (this.#count === other.#count && this.signature === other.signature);
  }

  get signature(): string {
    const held = this.#held.map(({ signature }) => signature);
    return [this.#read, ...held].join(" ");
  }
}
