/** The model that decides whether work is finished, as a criterion asks it. */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { RunUsage } from "@tracon/core";
import type { TurnRequest } from "../turn/step.ts";

export type JudgeModel = { readonly provider: string; readonly model: string };

/** A model call of the judge. Without usage nobody knows what it took. */
export type JudgeCall = JudgeModel & {
  readonly usage?: RunUsage;
  readonly durationMs: number;
};

/** The run whose work is judged: its budget pays, and its journal learns what the judge did. */
export type JudgedRun = Pick<
  TurnRequest,
  "tenantId" | "runId" | "iteration" | "signal" | "journal" | "clock" | "log" | "budget" | "scope"
>;

/** `by` is who answered, or who was asked last. */
export type JudgeReply =
  | { readonly kind: "answered"; readonly text: string; readonly by: JudgeModel }
  | { readonly kind: "failed"; readonly error: unknown; readonly by: JudgeModel };

export type Judge = {
  /** Nothing that the judge says reaches the run's journal. Rejects only with the signal's reason. */
  ask(
    prompt: LanguageModelV4Prompt,
    run: JudgedRun,
    /** Told of every model call, also of those that failed after they had begun. */
    onCall: (call: JudgeCall) => void,
  ): Promise<JudgeReply>;
};

/** The judge of an installation; `reason` says why there is none. */
export type JudgeState =
  | { readonly kind: "ready"; readonly judge: Judge }
  | { readonly kind: "unconfigured" }
  | { readonly kind: "unavailable"; readonly reason: string };
