/** What the next iteration of a loop is asked. */

import type { ChatMessage } from "@tracon/core";
import type { CompiledLoop } from "./compiled-loop.ts";
import type { Continuation } from "./evaluate-criteria.ts";

export type NextInput = {
  /** What the loop began with, when it is asked again. */
  readonly repeated: readonly ChatMessage[];
  /** What is new. */
  readonly added: readonly ChatMessage[];
};

export type InputSource = Pick<CompiledLoop, "freshContextPerIteration"> & {
  readonly initialMessages: readonly ChatMessage[];
  /** Of all iterations so far, the one that just ended included. */
  readonly feedback: readonly (string | undefined)[];
  /** Said behind everything else. */
  readonly note?: string | undefined;
};

const HEADING = "Feedback on your earlier attempts:";

/** A continuation without what says nothing; messages stand in the place of feedback. */
export function meaningOf({ feedback, messages = [] }: Continuation): Continuation {
  if (messages.length > 0) return { decision: "continue", messages };
  const isBlank = feedback === undefined || feedback.trim() === "";
  return isBlank ? { decision: "continue" } : { decision: "continue", feedback };
}

/**
 * | context | with feedback | without |
 * |---|---|---|
 * | goes on | the feedback, as one message | nothing |
 * | fresh | what the loop began with, and one message with all feedback so far | what it began with |
 *
 * Messages of a criterion are the whole input in either.
 */
export function nextInput(continuation: Continuation, source: InputSource): NextInput {
  const { repeated, added } = inputOf(continuation, source);
  const { note } = source;
  return { repeated, added: note === undefined ? added : [...added, userMessage(note)] };
}

function inputOf(continuation: Continuation, source: InputSource): NextInput {
  const { feedback, messages = [] } = continuation;
  if (messages.length > 0) return { repeated: [], added: messages.map(userMessage) };
  if (!source.freshContextPerIteration) {
    return { repeated: [], added: feedback === undefined ? [] : [userMessage(feedback)] };
  }
  const said = source.feedback.filter((it) => it !== undefined);
  const list = [HEADING, ...said.map((it) => `- ${it}`)].join("\n");
  return {
    repeated: source.initialMessages,
    added: said.length === 0 ? [] : [userMessage(list)],
  };
}

const userMessage = (text: string): ChatMessage => ({
  role: "user",
  contents: [{ $type: "text", text }],
});
