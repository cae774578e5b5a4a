/**
 * Which result of a history belongs to which call. Ids may repeat in a conversation, so they are
 * matched by occurrence: a result answers the first call of its id that has none yet.
 */

import type { ChatContent, ChatMessage } from "@tracon/core";

export type FunctionCall = Extract<ChatContent, { $type: "functionCall" }>;
export type FunctionResult = Extract<ChatContent, { $type: "functionResult" }>;

/** What a model reads of a call that nothing else has answered. */
export const INTERRUPTED_TEXT = "Error: The call was interrupted before it had a result.";

/** The calls that somebody here owes a result, each with the one it has. */
export function matchResults(
  messages: readonly ChatMessage[],
): ReadonlyMap<FunctionCall, FunctionResult | undefined> {
  const results = new Map<FunctionCall, FunctionResult | undefined>();
  const open = new Map<string, FunctionCall[]>();
  for (const content of messages.flatMap(callsAndResults)) {
    if (content.$type === "functionCall") {
      results.set(content, undefined);
      open.set(content.callId, [...(open.get(content.callId) ?? []), content]);
    } else {
      const call = open.get(content.callId)?.shift();
      // A result of no call, or a second one, answers nothing.
      if (call !== undefined) results.set(call, content);
    }
  }
  return results;
}

/** What a provider did by itself stands in the model's own message, with its results. */
const callsAndResults = ({
  role,
  contents,
}: ChatMessage): readonly (FunctionCall | FunctionResult)[] =>
  contents.filter(
    (content) =>
      (content.$type === "functionCall" && content.informationalOnly !== true) ||
      (content.$type === "functionResult" && role !== "assistant"),
  ) as (FunctionCall | FunctionResult)[];

/**
 * A message that closes the calls without a result, to be appended; none when there are none.
 * `awaited` are the ids of calls that somebody is still to answer.
 */
export function closingOf(
  messages: readonly ChatMessage[],
  awaited: ReadonlySet<string> = new Set(),
): readonly ChatMessage[] {
  const contents: FunctionResult[] = [];
  for (const [call, result] of matchResults(messages)) {
    if (result === undefined && !awaited.has(call.callId)) contents.push(interrupted(call));
  }
  return contents.length === 0 ? [] : [{ role: "tool", contents }];
}

export const interrupted = ({ callId, name }: FunctionCall): FunctionResult => ({
  $type: "functionResult",
  callId,
  name,
  result: INTERRUPTED_TEXT,
  resultType: "error-text",
});
