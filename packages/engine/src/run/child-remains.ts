import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

/** What a child leaves for the one that goes on with it. */
export type ChildRemains = {
  readonly history: LanguageModelV4Prompt;
  /** Of `RunState`. */
  readonly state: Readonly<Record<string, unknown>>;
};
