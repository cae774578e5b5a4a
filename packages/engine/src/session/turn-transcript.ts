/**
 * What the model and the tools of one run have said, as it would stand in a history: every call with a
 * result, what was never run left out. It is kept beside the prompt because a run that fails or is
 * cancelled has said something too, and because rings show the model more than the run's own words.
 */

import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

export class TurnTranscript {
  #messages: LanguageModelV4Message[] = [];

  get messages(): LanguageModelV4Prompt {
    return this.#messages.slice();
  }

  get length(): number {
    return this.#messages.length;
  }

  add(...messages: readonly LanguageModelV4Message[]): void {
    this.#messages.push(...messages);
  }

  /** Text of the model, also of an answer that was cut off. */
  addText(text: string): void {
    if (text !== "") this.add({ role: "assistant", content: [{ type: "text", text }] });
  }

  /** Takes back everything after the first `length` messages; answers with what was taken. */
  cut(length: number): LanguageModelV4Prompt {
    return this.#messages.splice(length);
  }

  /** Puts messages behind the first `at`. */
  insert(at: number, messages: LanguageModelV4Prompt): void {
    this.#messages.splice(at, 0, ...messages);
  }
}
