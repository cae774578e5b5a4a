/**
 * What is done about steps that get nowhere. Everybody gets the record of it; only a definition that asks for
 * it gets the rest, one rung for each further repeat:
 *
 *     found ──▶ Recorded     maxRepeats - 2 ──▶ Note ──▶ ForcedAnswer ──▶ Stop     (maxRepeats)
 *
 * A run that takes the note, does something else and comes back to the same steps goes on from the rung it
 * was on: it was told already.
 */

import type { ProgressSettings } from "@tracon/core";
import type { CalledTool } from "./call-round.ts";
import {
  type CalledChild,
  type DraftFacts,
  ProgressDetector,
  type ProgressFinding,
} from "./progress-detector.ts";

const RUNGS = ["Recorded", "Note", "ForcedAnswer", "Stop"] as const;

/** `Note`: the model is told. `ForcedAnswer`: it may only answer. `Stop`: the run fails. */
export type ProgressAction = (typeof RUNGS)[number];

/** Something new about the progress of a run, to be recorded. */
export type ProgressStep = { readonly finding: ProgressFinding; readonly action: ProgressAction };

/** Circles whose rung is remembered; of a run that has found more of them the oldest is forgotten. */
const MAX_REMEMBERED = 16;

export class ProgressWatch {
  readonly #detector: ProgressDetector;
  readonly #settings: ProgressSettings | undefined;
  /** The rung of every circle found, the one found last at the end. */
  readonly #taken = new Map<string, number>();

  /** Only a run with a loop has drafts. */
  constructor(settings: ProgressSettings | undefined, hasDrafts: boolean) {
    this.#settings = settings;
    this.#detector = new ProgressDetector(hasDrafts);
  }

  toolRound(calls: readonly CalledTool[]): ProgressStep | undefined {
    return this.#stepOf(this.#detector.toolRound(calls));
  }

  childCall(call: CalledChild): ProgressStep | undefined {
    return this.#stepOf(this.#detector.childCall(call));
  }

  draft(text: string, facts?: DraftFacts): ProgressStep | undefined {
    return this.#stepOf(this.#detector.draft(text, facts));
  }

  review(criterion: string, feedback: string): ProgressStep | undefined {
    return this.#stepOf(this.#detector.review(criterion, feedback));
  }

  #stepOf(finding: ProgressFinding | undefined): ProgressStep | undefined {
    if (finding === undefined) return undefined;
    const taken = this.#taken.get(finding.signature);
    const rung = this.#rungOf(finding, taken ?? 0);
    this.#remember(finding.signature, Math.max(rung, taken ?? 0));
    // A record is made once, a rung whenever it is stepped on.
    if (rung === 0 && taken !== undefined) return undefined;
    return { finding, action: RUNGS[rung] ?? "Stop" };
  }

  #rungOf({ repeats, waits }: ProgressFinding, taken: number): number {
    if (waits || this.#settings?.escalate !== true) return 0;
    const rung = repeats - this.#settings.maxRepeats + RUNGS.length - 1;
    return rung <= 0 ? 0 : Math.min(Math.max(rung, taken + 1), RUNGS.length - 1);
  }

  #remember(signature: string, rung: number): void {
    this.#taken.delete(signature);
    this.#taken.set(signature, rung);
    const [oldest] = this.#taken.keys();
    if (this.#taken.size > MAX_REMEMBERED && oldest !== undefined) this.#taken.delete(oldest);
  }
}
