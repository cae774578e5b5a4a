/**
 * Counts how often the same steps came again, in the same order: one step over and over, two in turn, or
 * up to eight in a circle. It keeps the last eight steps and a count for each length of a circle.
 */

/** Steps of the longest circle that is told from work: longer ones reach the ceilings first. */
export const MAX_PERIOD = 8;

/** A circle that was gone around at least twice. */
export type Cycle<Step> = {
  /** How often it came again; the first time is no repeat. */
  readonly repeats: number;
  /** The steps of the last time around, in order. */
  readonly steps: readonly Step[];
};

export class CycleCounter<Step> {
  readonly #isEqual: (left: Step, right: Step) => boolean;
  /** The last steps, newest last. */
  #steps: Step[] = [];
  /** For each period how many of the last steps equal the one that many steps before. */
  #runs: number[] = noRuns();

  constructor(isEqual: (left: Step, right: Step) => boolean) {
    this.#isEqual = isEqual;
  }

  /** Whether the last step was like one before it, so that it may be part of a circle. */
  get isRepeating(): boolean {
    return this.#runs.some((run) => run > 0);
  }

  /** Adds a step. Gives the circle whose count has risen with it: the one that repeats most. */
  add(step: Step): Cycle<Step> | undefined {
    let period = 0;
    let repeats = 0;
    for (let length = 1; length <= MAX_PERIOD; length++) {
      const earlier = this.#steps.at(-length);
      const isEqual = earlier !== undefined && this.#isEqual(earlier, step);
      const run = isEqual ? (this.#runs[length] ?? 0) + 1 : 0;
      this.#runs[length] = run;
      const times = Math.floor(run / length);
      if (times <= repeats) continue;
      repeats = times;
      period = length;
    }
    if (this.#steps.length === MAX_PERIOD) this.#steps.shift();
    this.#steps.push(step);
    if (repeats === 0 || (this.#runs[period] ?? 0) % period !== 0) return undefined;
    return { repeats, steps: this.#steps.slice(-period) };
  }

  /** Something new was done: what comes now is no repeat of what came before. */
  reset(): void {
    this.#steps = [];
    this.#runs = noRuns();
  }
}

const noRuns = (): number[] => new Array<number>(MAX_PERIOD + 1).fill(0);
