import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { TurnTranscript } from "./turn-transcript.ts";

/** The conversation a run is a turn of. */
export type Conversation = {
  /** What was said before, as a model reads it. */
  readonly history: LanguageModelV4Prompt;
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
  callIds: new Set(),
  transcript: new TurnTranscript(),
  isSaved: false,
});
