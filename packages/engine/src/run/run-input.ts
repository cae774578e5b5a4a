/**
 * What a run was asked, as it is recorded: an input that is one text stands in the run's first event
 * and nowhere else.
 */

import type {
  ChatMessage,
  RecordedInput,
  RunEvent,
  RunInput,
  RunRecord,
  RunStore,
} from "@tracon/core";

/** What a caller asked, as it is recorded. */
export const userMessage = (text: string): ChatMessage => ({
  role: "user",
  contents: [{ $type: "text", text }],
});

/** Whether a run's first event says all that it was asked. */
export function isOneText({ messages, parameters }: RecordedInput): boolean {
  const [message, ...others] = messages;
  const [content, ...more] = message?.contents ?? [];
  const isAlone = others.length === 0 && more.length === 0 && parameters === undefined;
  return isAlone && message?.role === "user" && content?.$type === "text";
}

/** The input of a run; `undefined` when it was not recorded. */
export async function readInput(
  runs: RunStore,
  tenantId: string,
  { id: runId, startedAt: createdAt }: RunRecord,
): Promise<RunInput | undefined> {
  const input = await runs.input(tenantId, runId);
  if (input !== undefined) return input;
  const [first] = await runs.events(tenantId, runId, { after: -1, take: 1 });
  const text = first === undefined ? undefined : (JSON.parse(first.json) as RunEvent).text;
  return text === undefined ? undefined : { runId, createdAt, messages: [userMessage(text)] };
}
