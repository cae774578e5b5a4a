/**
 * The progress of one run: told what happens in it, it records what it sees and keeps what is to be done
 * until somebody is at a place where it can be done.
 */

import { assert, type ProgressSettings, type RunEventDraft, TraconError } from "@tracon/core";
import { cutText } from "../tools/cut-text.ts";
import type { CalledTool } from "./call-round.ts";
import type { CalledChild, DraftFacts, ProgressFinding } from "./progress-detector.ts";
import { noteOf, progressText } from "./progress-text.ts";
import { type ProgressAction, type ProgressStep, ProgressWatch } from "./progress-watch.ts";

/** Name of the events. */
const PROGRESS_TYPE = "tracon.progress";

/** What an agent says of the progress of its runs. */
export type AgentProgress = {
  readonly settings: ProgressSettings | undefined;
  /** Its runs have iterations. */
  readonly hasDrafts: boolean;
};

/** Where a run is. */
export type ProgressPlace = { readonly iteration: number; readonly step?: number };

/** What is to be done about the run. */
export type ProgressDemand =
  | { readonly action: "Note"; readonly note: string }
  | { readonly action: "ForcedAnswer" }
  | { readonly action: "Stop"; readonly error: TraconError };

const MAX_NAMES = 16;
const MAX_NAME_LENGTH = 128;

const SEVERITY: Readonly<Record<ProgressAction, number>> = {
  Recorded: 0,
  Note: 1,
  ForcedAnswer: 2,
  Stop: 3,
};

export class RunProgress {
  readonly #agent: AgentProgress;
  readonly #emit: (event: RunEventDraft) => void;
  /** Made with the first fact: most runs have none. */
  #watch: ProgressWatch | undefined;
  #place: ProgressPlace = { iteration: 1 };
  /** What is to be done and was not yet, the severest of it. */
  #due: ProgressStep | undefined;
  /** Why the model may only answer now. */
  #forced: ProgressFinding | undefined;

  constructor(agent: AgentProgress, emit: (event: RunEventDraft) => void) {
    this.#agent = agent;
    this.#emit = emit;
  }

  /** The calls of one model answer, and where. */
  toolRound(calls: readonly CalledTool[], place: ProgressPlace): void {
    this.#place = place;
    if (calls.length > 0) this.#note(this.#watching.toolRound(calls));
  }

  childCall(call: CalledChild): void {
    this.#note(this.#watching.childCall(call));
  }

  draft(text: string, facts: DraftFacts & { readonly iteration: number }): void {
    this.#place = { iteration: facts.iteration };
    this.#note(this.#watching.draft(text, facts));
  }

  review(criterion: string, feedback: string): void {
    this.#note(this.#watching.review(criterion, feedback));
  }

  /** What is to be done now; it is taken with the question. */
  take(): ProgressDemand | undefined {
    const due = this.#due;
    this.#due = undefined;
    this.#forced = undefined;
    if (due === undefined) return undefined;
    const { finding, action } = due;
    if (action === "Stop") return { action, error: noProgress(finding) };
    if (action === "Note") return { action, note: noteOf(finding) };
    this.#forced = finding;
    return { action: "ForcedAnswer" };
  }

  /** The last that was demanded is an answer. */
  get isForced(): boolean {
    return this.#forced !== undefined;
  }

  /** The model was to answer and did not: the run ends with this error. */
  stopUnanswered({ iteration, step }: Required<ProgressPlace>): TraconError {
    this.#place = { iteration, step };
    const finding = this.#forced;
    assert(finding !== undefined, "only a forced answer can be missing");
    this.#record({ finding, action: "Stop" });
    return noProgress(finding);
  }

  get #watching(): ProgressWatch {
    this.#watch ??= new ProgressWatch(this.#agent.settings, this.#agent.hasDrafts);
    return this.#watch;
  }

  #note(step: ProgressStep | undefined): void {
    if (step === undefined) return;
    this.#record(step);
    if (SEVERITY[step.action] > SEVERITY[this.#due?.action ?? "Recorded"]) this.#due = step;
  }

  #record({ finding, action }: ProgressStep): void {
    const { kind, repeats, period, waits, subject, names } = finding;
    const data = {
      ...{ kind, repeats, action, ...this.#place },
      ...(period === 1 ? {} : { period }),
      ...(waits ? { waits } : {}),
      ...(names.length === 0 ? {} : { [subject]: names.slice(0, MAX_NAMES).map(cutName) }),
    };
    const text = progressText(finding, action);
    this.#emit({ type: "Custom", text, payload: { customType: PROGRESS_TYPE, data } });
  }
}

/** A model may have called anything. */
const cutName = (name: string): string => cutText(name, MAX_NAME_LENGTH);

/** Names may be the model's words, so the error has none. */
const noProgress = ({ kind, repeats }: ProgressFinding): TraconError =>
  new TraconError(
    "no_progress",
    `the run got nowhere and was stopped: it repeated itself ${repeats} times (${kind})`,
  );
