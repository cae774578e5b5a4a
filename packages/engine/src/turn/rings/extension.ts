/** Middleware that extensions put around the turns of an agent, outermost first. */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { TraconError } from "@tracon/core";
import type { RunTurn, TurnMiddleware, TurnRing } from "../ring.ts";
import type { TurnAnswer, TurnRequest } from "../step.ts";

export const turnExtensionRing: TurnRing = {
  name: "extension",

  wrap: (next, { middleware }) => middleware.reduceRight(around, next),
};

function around(next: RunTurn, middleware: TurnMiddleware): RunTurn {
  return async (request) => {
    let answered: TurnAnswer | undefined;
    let faultBelow: { readonly error: unknown } | undefined;
    const below = async (prompt: LanguageModelV4Prompt): Promise<string> => {
      try {
        answered = await runOn(prompt, request, next);
        return answered.text;
      } catch (error) {
        faultBelow = { error };
        throw error;
      }
    };
    try {
      const text = await middleware(callOf(request), below);
      // Calls that wait belong to the answer as the model gave it.
      if (answered?.stopped !== undefined || answered?.text === text) return answered;
      return replaceAnswer(request, answered, text);
    } catch (error) {
      request.signal.throwIfAborted();
      if (faultBelow?.error === error || TraconError.is(error)) throw error;
      const message = "a ring of an agent extension failed around the turn";
      throw new TraconError("extension_failed", message, { cause: error });
    }
  };
}

const callOf = ({ agent, prompt, tenantId, runId, iteration, signal }: TurnRequest) => ({
  prompt,
  tenantId,
  runId,
  iteration,
  provider: agent.bound.provider,
  model: agent.bound.modelId,
  signal,
});

/** What a turn adds to another conversation belongs to the run's own as well. */
async function runOn(
  prompt: LanguageModelV4Prompt,
  request: TurnRequest,
  next: RunTurn,
): Promise<TurnAnswer> {
  if (prompt === request.prompt) return next(request);
  const changed = prompt.slice();
  const answer = await next({ ...request, prompt: changed });
  request.prompt.push(...changed.slice(prompt.length));
  return answer;
}

/** An answer that is not the model's is recorded as a message at a step of its own. */
function replaceAnswer(
  { agent, prompt, journal, iteration, state }: TurnRequest,
  answered: TurnAnswer | undefined,
  text: string,
): TurnAnswer {
  const { bound } = answered ?? agent;
  const step = state.nextStep++;
  if (answered !== undefined && prompt.at(-1)?.role === "assistant") prompt.pop();
  prompt.push({ role: "assistant", content: [{ type: "text", text }] });
  const { transcript } = state;
  const replaced = answered !== undefined && transcript.messages.at(-1)?.role === "assistant";
  if (replaced) transcript.cut(transcript.length - 1);
  transcript.addText(text);
  journal.textDelta(step, text);
  journal.emit({
    type: "MessageCompleted",
    text,
    payload: {
      iteration,
      step,
      modelProvider: bound.provider,
      modelId: bound.modelId,
      finishReason: "stop",
      toolCallCount: 0,
      durationMs: 0,
    },
  });
  return { text, bound };
}
