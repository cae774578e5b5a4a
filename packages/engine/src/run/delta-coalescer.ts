/**
 * Joins the deltas of an answer before they reach the journal.
 *
 * The first delta is passed on at once, and so is any that comes later than the window after the one
 * before. What comes faster is joined until the window is over or the text is long enough. However
 * long the answer, a delta then costs a string append.
 */

/** How long a delta may be held back, in milliseconds. */
const WINDOW_MS = 20;
/** Text that is passed on without waiting, in UTF-16 units. */
const MAX_TEXT = 2_048;

export type DeltaKind = "MessageDelta" | "ReasoningDelta";

/** One timer for all answers being made in the process. */
export class DeltaTimer {
  #waiting = new Set<DeltaCoalescer>();
  #timer: NodeJS.Timeout | undefined;

  add(coalescer: DeltaCoalescer): void {
    this.#waiting.add(coalescer);
    this.#timer ??= setTimeout(() => this.#fire(), WINDOW_MS);
  }

  #fire(): void {
    this.#timer = undefined;
    const due = this.#waiting;
    this.#waiting = new Set();
    for (const coalescer of due) coalescer.passOn();
  }
}

export class DeltaCoalescer {
  readonly #timer: DeltaTimer;
  readonly #nowMs: () => number;
  readonly #emit: (kind: DeltaKind, step: number, text: string) => void;
  #kind: DeltaKind = "MessageDelta";
  #step = 0;
  #text = "";
  #emittedMs = Number.NEGATIVE_INFINITY;

  constructor(
    timer: DeltaTimer,
    nowMs: () => number,
    emit: (kind: DeltaKind, step: number, text: string) => void,
  ) {
    this.#timer = timer;
    this.#nowMs = nowMs;
    this.#emit = emit;
  }

  add(kind: DeltaKind, step: number, delta: string): void {
    if (delta === "") return;
    if (this.#text !== "" && (kind !== this.#kind || step !== this.#step)) this.flush();
    this.#kind = kind;
    this.#step = step;
    if (this.#text.length > 1) {
      // What is held back waits for the timer already.
      this.#text += delta;
      if (this.#text.length >= MAX_TEXT) this.passOn();
      return;
    }
    this.#text += delta;
    if (delta.length >= MAX_TEXT || this.#nowMs() - this.#emittedMs >= WINDOW_MS) this.passOn();
    if (this.#text !== "") this.#timer.add(this);
  }

  /** Passes on what is held back, all of it. Called before any other event of the run. */
  flush(): void {
    const text = this.#text;
    if (text !== "") this.#emitFirst(text.length);
  }

  /**
   * Passes on what is held back, except half a pair of surrogates, whose other half is still to
   * come: so each event is valid text of its own.
   */
  passOn(): void {
    const text = this.#text;
    const end = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    if (end > 0) this.#emitFirst(end);
  }

  #emitFirst(length: number): void {
    const text = this.#text;
    this.#text = text.slice(length);
    this.#emittedMs = this.#nowMs();
    this.#emit(this.#kind, this.#step, text.slice(0, length));
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
