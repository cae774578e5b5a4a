/**
 * The conversation of a loop: what the model reads in each iteration, and what the session keeps.
 *
 * | context | the model reads | the session keeps |
 * |---|---|---|
 * | goes on | everything said so far | everything said, the input of each iteration between |
 * | fresh | what was there before the loop, and the input | the input and the words of the last iteration |
 */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatMessage } from "@tracon/core";
import { chatMessagesOf } from "../session/chat-messages.ts";
import type { Conversation } from "../session/conversation.ts";
import { promptOfHistory } from "../session/history-prompt.ts";
import { settleResumed } from "../turn/resumed-calls.ts";
import type { RunTurn } from "../turn/ring.ts";
import {
  createTurnState,
  type ResumedCall,
  type StoppedCall,
  type TurnRequest,
  type TurnState,
} from "../turn/step.ts";
import type { LoopProgress } from "./loop-progress.ts";
import type { NextInput } from "./next-input.ts";

/** The turns a conversation is made of. */
export type LoopTurns = {
  /** What is the same in every turn of the run. */
  readonly request: Omit<TurnRequest, "prompt" | "iteration" | "state">;
  readonly runTurn: RunTurn;
  readonly conversation: Conversation;
  /** Absent when the run only goes on with what an earlier one left open. */
  readonly asked: ChatMessage | undefined;
  /** Calls of an earlier run that the first turn answers. */
  readonly resumed: readonly ResumedCall[];
  /** What a model reads: the agent's instructions, the history, and the messages behind it. */
  promptOf(history: LanguageModelV4Prompt, messages: readonly ChatMessage[]): LanguageModelV4Prompt;
};

export class LoopConversation {
  readonly #turns: LoopTurns;
  readonly #historyLength: number;
  #resumed: readonly ResumedCall[];
  #prompt: LanguageModelV4Prompt;
  #state: TurnState;
  /** Where the words of the iteration begin in the prompt. */
  #wordsAt: number;
  /** The same in the session; absent when it began in this run. */
  #iterationAt: number | undefined;
  /** The same in the transcript. */
  #saidAt = 0;
  /** Where its input begins there. */
  #inputAt = 0;
  /** Words of the iteration before that a fresh context has taken out. */
  #before: LanguageModelV4Prompt = [];
  /** What no fresh context takes out: calls of an earlier run wait in the session for their results. */
  #resultCount = 0;

  constructor(turns: LoopTurns, progress: LoopProgress | undefined) {
    const { conversation, asked, resumed } = turns;
    const messages = asked === undefined ? [] : [asked];
    const { history } = conversation;
    this.#turns = turns;
    this.#resumed = resumed;
    this.#prompt = turns.promptOf(history, messages);
    this.#state = createTurnState(conversation);
    this.#historyLength = progress?.historyLength ?? history.length;
    this.#iterationAt = progress?.iterationAt;
    const { length } = this.#prompt;
    this.#wordsAt =
      progress === undefined
        ? length
        : length - messages.length - (history.length - progress.iterationAt);
  }

  /** Runs a turn; resolves with the calls it ends with, if there are any. */
  async turn(iteration: number, mustAnswer: boolean): Promise<readonly StoppedCall[]> {
    const { request, runTurn, conversation } = this.#turns;
    const { transcript } = conversation;
    const turn = { ...request, iteration, mustAnswer, prompt: this.#prompt, state: this.#state };
    this.#saidAt = transcript.length;
    try {
      await settleResumed(turn, this.#resumed);
      if (this.#resumed.length > 0) this.#resultCount = transcript.length;
      this.#resumed = [];
      const { stopped = [] } = await runTurn(turn);
      return stopped;
    } catch (error) {
      if (transcript.length === this.#saidAt) this.#takeBackInput();
      throw error;
    }
  }

  /** What was said in the iteration. */
  words(): readonly ChatMessage[] {
    const words = this.#prompt.slice(this.#wordsAt);
    // What stands between them as the user's corrects an answer, or came with a decision.
    return chatMessagesOf(words.filter(({ role }) => role !== "user"));
  }

  /** The next iteration goes on with the conversation. */
  goOn({ added }: NextInput): void {
    const { transcript } = this.#turns.conversation;
    this.#inputAt = transcript.length;
    this.#before = [];
    const input = this.#inspected(added);
    transcript.add(...input);
    this.#prompt.push(...input);
    this.#begin();
  }

  /** The next iteration knows nothing of those before it but its input. */
  startAfresh({ repeated, added }: NextInput): void {
    const { conversation, promptOf } = this.#turns;
    const { transcript, history } = conversation;
    this.#inputAt = this.#resultCount;
    this.#before = transcript.cut(this.#resultCount);
    this.#prompt = promptOf(history.slice(0, this.#historyLength), [...repeated, ...added]);
    transcript.add(...this.#inspected(added));
    this.#begin();
  }

  /** Where loop and iteration will stand in the history of a run that goes on with this one. */
  place(): Pick<LoopProgress, "historyLength" | "iterationAt"> {
    const { conversation, asked } = this.#turns;
    const { history, transcript } = conversation;
    const before = chatMessagesOf(transcript.messages.slice(0, this.#saidAt));
    const { prompt } = promptOfHistory([...(asked === undefined ? [] : [asked]), ...before]);
    const iterationAt = this.#iterationAt ?? history.length + prompt.length;
    return { historyLength: this.#historyLength, iterationAt };
  }

  /** A new turn counts its steps anew, but no call of the conversation has the id of another. */
  #begin(): void {
    const { usedCallIds } = this.#state;
    this.#state = { ...createTurnState(this.#turns.conversation), usedCallIds };
    this.#wordsAt = this.#prompt.length;
    this.#iterationAt = undefined;
  }

  /** An iteration that said nothing leaves the conversation as the one before it did. */
  #takeBackInput(): void {
    const { transcript } = this.#turns.conversation;
    transcript.cut(this.#inputAt);
    transcript.add(...this.#before);
  }

  #inspected(messages: readonly ChatMessage[]): LanguageModelV4Prompt {
    const { prompt } = promptOfHistory(messages);
    for (const message of prompt) this.#turns.request.agent.guards?.inspected.add(message);
    return prompt;
  }
}
