/**
 * A stored conversation as it is read: what tools answered stands with the call it answers, so that
 * a turn is one thing and a branch taken after it never ends in the middle of it.
 */

import type { ChatMessage } from "@tracon/core";

export type ConversationCall = {
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: string;
  /** Absent while nothing has answered it. */
  readonly result: string | undefined;
};

export type ConversationEntry = {
  /** Place of the message in the session, from 0. */
  readonly sequence: number;
  readonly role: ChatMessage["role"];
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ConversationCall[];
  /** The last item that belongs to the entry: a branch copies up to it. */
  readonly endSequence: number;
};

type Draft = { -readonly [Member in keyof ConversationEntry]: ConversationEntry[Member] };

export function conversationOf(messages: readonly ChatMessage[]): readonly ConversationEntry[] {
  const entries: Draft[] = [];
  for (const [sequence, message] of messages.entries()) {
    const rest = message.contents.filter(
      (content) => content.$type !== "functionResult" || !answer(entries, content, sequence),
    );
    // A message of results alone is told by the calls it answers.
    if (rest.length === 0 && message.contents.length > 0) continue;
    entries.push(entryOf({ ...message, contents: rest }, sequence));
  }
  return entries;
}

type Content = ChatMessage["contents"][number];
type FunctionResult = Extract<Content, { readonly $type: "functionResult" }>;

/** Call ids may repeat, so a result belongs to the latest call of its id that is still open. */
function answer(entries: readonly Draft[], { callId, result }: FunctionResult, sequence: number) {
  const isOpen = (call: ConversationCall) => call.callId === callId && call.result === undefined;
  const entry = entries.findLast(({ calls }) => calls.some(isOpen));
  if (entry === undefined) return false;
  const index = entry.calls.findIndex(isOpen);
  entry.calls = entry.calls.map((call, at) =>
    at === index ? { ...call, result: textOf(result) } : call,
  );
  entry.endSequence = sequence;
  return true;
}

function entryOf({ role, contents }: ChatMessage, sequence: number): Draft {
  return {
    sequence,
    role,
    text: contents.flatMap(readable).join("\n\n"),
    reasoning: contents.flatMap((it) => (it.$type === "reasoning" ? [it.text] : [])).join("\n\n"),
    calls: contents.flatMap((it) =>
      it.$type === "functionCall"
        ? [
            {
              callId: it.callId,
              toolName: it.name,
              arguments: textOf(it.arguments),
              result: undefined,
            },
          ]
        : [],
    ),
    endSequence: sequence,
  };
}

/** Contents of kinds that have no place of their own are shown as they are. */
function readable(content: Content): readonly string[] {
  switch (content.$type) {
    case "text":
      return [content.text];
    case "reasoning":
    case "functionCall":
      return [];
    default:
      return [`\`\`\`json\n${JSON.stringify(content, null, 2)}\n\`\`\``];
  }
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
