/**
 * A stored conversation as it is read: what tools answered stands with the call it answers, so that
 * a turn is one thing and a branch taken after it never ends in the middle of it.
 */

import type { ChatContent, ChatMessage } from "@tracon/core";

export type ConversationCall = {
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: string;
  /** `byProvider`: run by the model's provider, which owes nobody here a result. */
  readonly outcome: "open" | "answered" | "failed" | "denied" | "byProvider";
  /** Absent while nothing has answered it. */
  readonly result: string | undefined;
};

export type ConversationFile = {
  readonly name: string;
  readonly mediaType: string;
  /** The address of a picture whose bytes stand in the message; others are not fetched. */
  readonly picture: string | undefined;
  /** What a document says. */
  readonly text: string | undefined;
};

export type ConversationEntry = {
  /** Place of the message in the session, from 0. */
  readonly sequence: number;
  readonly role: ChatMessage["role"];
  readonly text: string;
  readonly reasoning: string;
  readonly files: readonly ConversationFile[];
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

type FunctionResult = Extract<ChatContent, { readonly $type: "functionResult" }>;

/** Call ids may repeat, so a result belongs to the latest call of its id that is still open. */
function answer(entries: readonly Draft[], content: FunctionResult, sequence: number): boolean {
  const isOpen = (call: ConversationCall) =>
    call.callId === content.callId && call.result === undefined;
  const entry = entries.findLast(({ calls }) => calls.some(isOpen));
  if (entry === undefined) return false;
  const index = entry.calls.findIndex(isOpen);
  entry.calls = entry.calls.map((call, at) =>
    at === index ? { ...call, result: textOf(content.result), outcome: outcomeOf(content) } : call,
  );
  entry.endSequence = sequence;
  return true;
}

function outcomeOf({ resultType }: FunctionResult): ConversationCall["outcome"] {
  if (resultType === "execution-denied") return "denied";
  return resultType === "error-text" || resultType === "error-json" ? "failed" : "answered";
}

function entryOf({ role, contents }: ChatMessage, sequence: number): Draft {
  return {
    sequence,
    role,
    text: contents.flatMap(readable).join("\n\n"),
    reasoning: contents.flatMap((it) => (it.$type === "reasoning" ? [it.text] : [])).join("\n\n"),
    files: contents.flatMap(filesOf),
    calls: contents.flatMap(callsOf),
    endSequence: sequence,
  };
}

/** What has no place of its own is shown as it is. */
function readable(content: ChatContent): readonly string[] {
  switch (content.$type) {
    case "text":
      return [content.text];
    case "functionResult":
    case "custom":
      return [`\`\`\`json\n${JSON.stringify(content, null, 2)}\n\`\`\``];
    default:
      return [];
  }
}

function callsOf(content: ChatContent): readonly ConversationCall[] {
  if (content.$type !== "functionCall") return [];
  return [
    {
      callId: content.callId,
      toolName: content.name,
      arguments: textOf(content.arguments),
      outcome: content.informationalOnly === true ? "byProvider" : "open",
      result: undefined,
    },
  ];
}

/** Kinds a browser draws without running anything in them. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp)[;,]/;

function filesOf(content: ChatContent): readonly ConversationFile[] {
  if (content.$type === "document") {
    const { name, text } = content;
    return [{ name, mediaType: "document", picture: undefined, text }];
  }
  if (content.$type !== "data" && content.$type !== "hostedFile") return [];
  const { name = "file", mediaType } = content;
  const isPicture = content.$type === "data" && PICTURE.test(content.uri);
  return [{ name, mediaType, picture: isPicture ? content.uri : undefined, text: undefined }];
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
