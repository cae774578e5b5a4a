import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatMessage } from "@tracon/core";
import { TurnTranscript } from "./turn-transcript.ts";

/** The conversation a run is a turn of. */
export type Conversation = {
  /** What was said before, as a model reads it. */
  readonly history: LanguageModelV4Prompt;
  /** The same as the session has it; nothing where no session keeps it. */
  readonly stored: readonly ChatMessage[];
  /** Ids of calls that the history has used. */
  readonly callIds: ReadonlySet<string>;
  /** What this run says. */
  readonly transcript: TurnTranscript;
  /** The turn is saved in a session. */
  readonly isSaved: boolean;
};

/** A conversation that begins and ends with its one turn. */
export const newConversation = (): Conversation => ({
  history: [],
  stored: [],
  callIds: new Set(),
  transcript: new TurnTranscript(),
  isSaved: false,
});

/** A conversation that is saved nowhere and goes on with what was said before, if there was anything. */
export function conversationAfter(history: LanguageModelV4Prompt = []): Conversation {
  const callIds = history.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))
      : [],
  );
  return { ...newConversation(), history, callIds: new Set(callIds) };
}
