/**
 * Accepts an answer only when it is the JSON that was asked for, and asks again for one that is not.
 *
 * A streaming client has already read the answer, so there a rejected one fails the run at once. So
 * does one in a session: its history would keep the answer that was not accepted beside the correction.
 */

import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { type RunEventPayload, TraconError } from "@tracon/core";
import type { TurnRing } from "../ring.ts";
import type { AnswerFormat, TurnAnswer, TurnRequest } from "../step.ts";
import { rejectionOf } from "../structured-response-check.ts";

/** Fixed, because what was wrong may hold parts of the answer or words of the validator. */
const CORRECTION =
  "Your last answer was not accepted: it has to be a single JSON value in the requested format. Answer again with that JSON only.";

function correctionFor({ agent }: TurnRequest): LanguageModelV4Message {
  const message: LanguageModelV4Message = {
    role: "user",
    content: [{ type: "text", text: CORRECTION }],
  };
  // Nobody wrote it but us, so no guard has to be asked.
  agent.guards?.inspected.add(message);
  return message;
}

type Rejection = RunEventPayload<"StructuredResponseRejected">;

export const structuredResponseRing: TurnRing = {
  name: "structured-response",

  wrap(next, { host: { structuredResponse: check }, format }) {
    if (check === undefined || format === undefined) return next;
    return async (request) => {
      const { isStreaming, hasSession = false } = request;
      const maxRepairs = isStreaming || hasSession ? 0 : check.maxRepairAttempts;
      const isSuppressed = hasSession && !isStreaming && check.maxRepairAttempts > 0;
      for (let attempt = 1; ; attempt++) {
        const answer = await next(request);
        // Calls wait, so this is no answer yet.
        if (answer.stopped !== undefined) return answer;
        const reason = await rejectionOf(answer.text, format, check.validator, request);
        if (reason === undefined) return answer;
        const rejection = describe(reason, format, answer);
        if (attempt > maxRepairs) throw refuse(request, rejection, isSuppressed);
        const payload = { ...rejection, attempt };
        request.journal.emit({ type: "StructuredResponseRepairAttempted", payload });
        // The rejected answer is the last message already.
        request.prompt.push(correctionFor(request));
      }
    };
  },
};

const describe = (
  reason: Rejection["reason"],
  { kind, schemaName }: AnswerFormat,
  { bound }: TurnAnswer,
): Omit<Rejection, "repairSuppressedBySession"> => ({
  reason,
  kind,
  ...(schemaName === undefined ? {} : { schemaName }),
  provider: bound.provider,
  model: bound.modelId,
});

const PROBLEM: Readonly<Record<Rejection["reason"], string>> = {
  Empty: "it is empty",
  NotJson: "it is not JSON",
  RefusedByValidator: "the validator refused it",
};

function refuse(
  { journal }: TurnRequest,
  rejection: Rejection,
  isSuppressed: boolean,
): TraconError {
  const suppression = isSuppressed ? { repairSuppressedBySession: true as const } : {};
  journal.emit({ type: "StructuredResponseRejected", payload: { ...rejection, ...suppression } });
  return new TraconError(
    "structured_response_invalid",
    `the answer is not the JSON that was asked for: ${PROBLEM[rejection.reason]}`,
  );
}
