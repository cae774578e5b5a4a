import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { marksOf } from "./call-marks.ts";
import type { ModelCallOutcome } from "./ring.ts";

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/** What the end of an answer's stream says of its call. */
export const outcomeOf = (
  finish: FinishPart | undefined,
  rest: Pick<ModelCallOutcome, "isUnanswered" | "outputLength">,
): ModelCallOutcome => ({
  usage: finish?.usage,
  fromCache: marksOf(finish).fromCache ?? false,
  asksForTools: finish?.finishReason.unified === "tool-calls",
  ...rest,
});
