/**
 * Where the turn of a judge reports: its calls are told by their usage, what it did that concerns the
 * run goes on to the run's journal, and what it says goes nowhere.
 */

import type { RunEventDraft, RunEventPayload } from "@tracon/core";
import type { TurnJournal } from "../turn/step.ts";
import type { JudgeCall, JudgeModel } from "./judge.ts";

export type JudgeJournalOptions = {
  readonly run: Pick<TurnJournal, "emit" | "committed">;
  /** Who is asked first. */
  readonly model: JudgeModel;
  readonly monotonicMs: () => number;
  readonly onCall: (call: JudgeCall) => void;
};

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

export class JudgeJournal implements TurnJournal {
  readonly #options: JudgeJournalOptions;
  #asked: JudgeModel;
  #startedMs: number;
  /** An answer has begun and has not ended. */
  #isAnswering = false;

  constructor(options: JudgeJournalOptions) {
    this.#options = options;
    this.#asked = options.model;
    this.#startedMs = options.monotonicMs();
  }

  /** Who was asked last. */
  get asked(): JudgeModel {
    return this.#asked;
  }

  emit(event: RunEventDraft): void {
    switch (event.type) {
      case "MessageCompleted":
        this.#completed(event.payload);
        break;
      case "ModelFallbackUsed":
        this.breakOff();
        this.#asked = event.payload.fallback;
        this.#startedMs = this.#options.monotonicMs();
        this.#options.run.emit(event);
        break;
      case "ContentMasked":
      case "ContentBlocked":
        this.#options.run.emit(event);
        break;
      default:
    }
  }

  textDelta(): void {
    this.#isAnswering = true;
  }

  reasoningDelta(): void {
    this.#isAnswering = true;
  }

  committed(): Promise<void> {
    return this.#options.run.committed();
  }

  /** No more of the answer comes: what it took is not known. */
  breakOff(): void {
    if (!this.#isAnswering) return;
    this.#isAnswering = false;
    const durationMs = this.#options.monotonicMs() - this.#startedMs;
    this.#options.onCall({ ...this.#asked, durationMs });
  }

  #completed({ usage, fromCache, durationMs }: RunEventPayload<"MessageCompleted">): void {
    this.#isAnswering = false;
    // An answer out of the cache took nothing, which is known.
    const taken = usage ?? (fromCache === true ? NO_TOKENS : undefined);
    this.#options.onCall({
      ...this.#asked,
      ...(taken === undefined ? {} : { usage: taken }),
      durationMs,
    });
  }
}
