/**
 * A model that answers from a script, for tests.
 *
 * It is strict on purpose: a call the script does not foresee fails, and `assertDone` fails on a
 * turn nobody asked for, so that a test states exactly which model calls its subject makes. So does a
 * conversation that a provider would refuse.
 */

import { setTimeout as timer } from "node:timers/promises";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { generateResultOf } from "@tracon/engine";
import { historyProblems } from "./history-problems.ts";
import type { ScriptedModelTurn, ScriptedStep } from "./turn.ts";
import { playTurn, type Sleep } from "./turn-stream.ts";

/** What a scripted model is called and how it waits. */
export type ScriptedModelOptions = {
  /** `scripted` by default. */
  readonly provider?: string;
  /** `scripted-model` by default. */
  readonly modelId?: string;
  /** Waits for the script's delays, such as a manual clock's `sleep`; real time by default. */
  readonly sleep?: Sleep;
};

/** A model that answers its n-th call with the n-th turn of its script. */
export type ScriptedModel = LanguageModelV4 & {
  /** The calls received, in order; the message list of each as it was at the call. */
  readonly calls: readonly LanguageModelV4CallOptions[];
  /** Throws when a turn was not asked for, or when a call came that the script does not have. */
  assertDone(): void;
};

/** Creates a model that plays `script`, one step a call, in the order of the calls. */
export function scriptedModel(
  script: readonly ScriptedStep[],
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const calls: LanguageModelV4CallOptions[] = [];
  const problems: string[] = [];
  const sleep = options.sleep ?? realSleep;

  async function open(
    call: LanguageModelV4CallOptions,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<LanguageModelV4StreamPart>> {
    const index = calls.length;
    calls.push(snapshot(call));
    problems.push(...historyProblems(call.prompt).map((it) => `call ${index + 1}: ${it}`));
    if (problems.length > 0) throw new Error(refusedHistory(problems));
    const step = script[index];
    if (step === undefined) throw new Error(unexpectedCall(index, script.length));
    signal.throwIfAborted();
    const made = typeof step === "function" ? await step(call, index) : step;
    const turn: ScriptedModelTurn = typeof made === "string" ? { text: made } : made;
    if (turn.delayMs !== undefined) await sleep(turn.delayMs, signal);
    if ("throws" in turn) throw turn.throws;
    return playTurn(turn, { index, sleep, signal });
  }

  return {
    specificationVersion: "v4",
    provider: options.provider ?? "scripted",
    modelId: options.modelId ?? "scripted-model",
    supportedUrls: {},
    calls,
    async doStream(call) {
      const reader = new AbortController();
      const signals = call.abortSignal ? [call.abortSignal, reader.signal] : [reader.signal];
      const parts = await open(call, AbortSignal.any(signals));
      return { stream: cancelableStream(parts, reader) };
    },
    async doGenerate(call): Promise<LanguageModelV4GenerateResult> {
      const signal = call.abortSignal ?? new AbortController().signal;
      return generateResultOf(await open(call, signal));
    },
    assertDone() {
      if (problems.length > 0) throw new Error(refusedHistory(problems));
      if (calls.length === script.length) return;
      throw new Error(
        calls.length > script.length
          ? unexpectedCall(calls.length - 1, script.length)
          : `the model was called ${calls.length} times, but the script has ${script.length} turns`,
      );
    },
  };
}

/** The stream of `parts`, whose cancellation also ends a wait inside them. */
function cancelableStream(
  parts: AsyncGenerator<LanguageModelV4StreamPart>,
  reader: AbortController,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => reader.abort(),
    },
    // Nothing is played before it is read, so that delays run while somebody waits for them.
    { highWaterMark: 0 },
  );
}

/** A copy of the message list, because a caller may go on writing to its own. */
function snapshot(call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = call.prompt.map((message) =>
    message.role === "system" ? { ...message } : { ...message, content: [...message.content] },
  ) as typeof call.prompt;
  return { ...call, prompt };
}

const refusedHistory = (problems: readonly string[]): string =>
  `a provider would refuse this conversation: ${problems.join("; ")}`;

const unexpectedCall = (index: number, turns: number): string =>
  `unexpected model call ${index + 1}: the script has ${turns} turns`;

const realSleep: Sleep = async (ms, signal) => {
  try {
    await timer(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    // The timer rejects with an AbortError of its own; a caller expects the reason it gave.
    signal?.throwIfAborted();
    throw error;
  }
};
