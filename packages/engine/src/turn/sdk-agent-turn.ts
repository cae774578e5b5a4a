/**
 * A turn of an agent that code built with the AI SDK: it runs by itself, and what it streams is
 * recorded as the turn of any agent is.
 *
 * Its tools run inside the SDK. Their calls are recorded as they are told, so that the intent of a
 * call is not on disk before its body runs.
 */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelMessage } from "@ai-sdk/provider-utils";
import { faultText, type RunEventPayload, TraconError } from "@tracon/core";
import type { SdkAgent } from "../catalog/sdk-agent.ts";
import type { Conversation } from "../session/conversation.ts";
import { TOOL_FAILED_TEXT } from "../tools/chain/body.ts";
import { untilAborted } from "../tools/until-aborted.ts";
import { SdkTranscript } from "./sdk-transcript.ts";
import { sdkUsage } from "./sdk-usage.ts";
import { roundMs, type TurnRequest } from "./step.ts";

export type SdkAgentRequest = Pick<
  TurnRequest,
  "iteration" | "signal" | "journal" | "clock" | "log"
> & {
  readonly agent: SdkAgent;
  /** The history and what was asked. */
  readonly prompt: LanguageModelV4Prompt;
  readonly conversation: Conversation;
  /** Recorded with the answers; absent when nobody said what the agent calls. */
  readonly model: { readonly provider: string; readonly model: string } | undefined;
};

/** Runs the agent to the end of its stream. Rejects with the signal's reason when that fires. */
export async function runSdkAgent(request: SdkAgentRequest): Promise<void> {
  const { agent, signal } = request;
  const prompt = promptOf(request);
  const recording = new SdkRecording(request);
  try {
    const answer = await untilAborted(signal, agent.stream({ prompt, abortSignal: signal }));
    const parts = (answer.stream ?? answer.fullStream)?.[Symbol.asyncIterator]();
    if (parts === undefined) throw new TypeError("the agent's answer has no stream");
    try {
      for (;;) {
        const next = await untilAborted(signal, parts.next());
        if (next.done === true) break;
        recording.add(next.value);
      }
    } finally {
      // An agent that ignores the signal is not waited for.
      parts.return?.().then(undefined, () => undefined);
    }
    if (!recording.hasAnswer) throw new TypeError("the agent's stream ended before its answer");
  } catch (error) {
    signal.throwIfAborted();
    if (TraconError.is(error)) throw error;
    throw new TraconError("agent_failed", "the agent that code built failed", { cause: error });
  } finally {
    recording.close();
  }
}

/** One text alone is what an agent of the SDK is most often asked with. */
function promptOf({ prompt }: SdkAgentRequest): string | ModelMessage[] {
  const [first] = prompt;
  if (prompt.length === 1 && first?.role === "user") {
    const [part] = first.content;
    if (first.content.length === 1 && part?.type === "text") return part.text;
  }
  // A provider's prompt has the parts of the SDK's messages, in its own types.
  return [...prompt] as ModelMessage[];
}

/** A part of the stream, as far as it is read here. */
type Part = {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly preliminary?: unknown;
  readonly providerExecuted?: unknown;
  readonly error?: unknown;
  readonly finishReason?: unknown;
  readonly usage?: unknown;
};

type Identity = Pick<
  RunEventPayload<"ToolInvoking">,
  "iteration" | "step" | "position" | "callId" | "toolName"
>;
const APPROVAL_ASKED = "a tool of the agent asks for approval, which is not part of this version";
const CANCELED = { kind: "Canceled", error: "canceled before it had a result" } as const;
type OpenCall = { readonly identity: Identity; readonly startedMs: number };

class SdkRecording {
  readonly #request: SdkAgentRequest;
  readonly #open = new Map<string, OpenCall>();
  readonly #said = new SdkTranscript();
  #step = 0;
  #calls = 0;
  #text = "";
  #startedMs: number;
  #firstPartMs: number | undefined;
  #finishedSteps = 0;

  constructor(request: SdkAgentRequest) {
    this.#request = request;
    this.#startedMs = request.clock.monotonicMs();
  }

  get hasAnswer(): boolean {
    return this.#finishedSteps > 0;
  }

  add(value: unknown): void {
    if (value === null || typeof value !== "object") return;
    const part: Part = value;
    switch (part.type) {
      case "start-step":
        this.#startedMs = this.#request.clock.monotonicMs();
        break;
      case "text-delta":
        this.#addText(String(part.text ?? ""));
        break;
      case "reasoning-delta":
        this.#noteFirstPart();
        this.#request.journal.reasoningDelta(this.#step, String(part.text ?? ""));
        break;
      case "finish-step":
        this.#finishStep(part);
        break;
      case "error":
        throw part.error;
      case "abort":
        throw new Error("the agent ended its stream before its answer");
      default:
        this.#addToolPart(part);
    }
  }

  #addToolPart(part: Part): void {
    switch (part.type) {
      case "tool-call":
        this.#announce(part);
        break;
      case "tool-result":
        // A tool that reports progress yields preliminary results; the last one counts.
        if (part.preliminary !== true) this.#succeed(part);
        break;
      case "tool-error":
        this.#fail(part);
        break;
      case "tool-output-denied":
        this.#settle(part.toolCallId, { kind: "NotRun", error: "not run: it was denied" });
        break;
      case "tool-approval-request":
        throw new TraconError("feature_unavailable", APPROVAL_ASKED);
    }
  }

  /** Closes the calls that have no outcome. */
  close(): void {
    for (const callId of [...this.#open.keys()]) {
      this.#settle(callId, CANCELED);
    }
    this.#keepStep();
  }

  #keepStep(): void {
    this.#request.conversation.transcript.add(...this.#said.takeStep(this.#text));
  }

  #addText(text: string): void {
    if (text === "") return;
    this.#noteFirstPart();
    this.#text += text;
    this.#request.journal.textDelta(this.#step, text);
  }

  #noteFirstPart(): void {
    this.#firstPartMs ??= this.#request.clock.monotonicMs() - this.#startedMs;
  }

  #announce({ toolCallId, toolName, input, providerExecuted }: Part): void {
    this.#noteFirstPart();
    const { iteration, journal, clock } = this.#request;
    const callId = String(toolCallId ?? "");
    // An id that repeats would hide the call that has it still.
    this.#settle(callId, CANCELED);
    const identity = {
      iteration,
      step: this.#step,
      position: this.#calls++,
      callId,
      toolName: String(toolName ?? ""),
    };
    this.#open.set(callId, { identity, startedMs: clock.monotonicMs() });
    // What a provider ran itself is in its answer; a history could not say so to another one.
    if (providerExecuted !== true) this.#said.call(callId, identity.toolName, input);
    const payload = { ...identity, arguments: textOf(input) };
    journal.emit({ type: "ToolInvoking", payload });
  }

  #succeed({ toolCallId, output }: Part): void {
    const call = this.#take(toolCallId);
    if (call === undefined) return;
    this.#said.result(call.identity.callId, output);
    const payload = { ...call.identity, result: textOf(output), durationMs: this.#since(call) };
    this.#request.journal.emit({ type: "ToolInvoked", payload });
  }

  /** What the tool threw is for the log only. */
  #fail({ toolCallId, toolName, error }: Part): void {
    this.#request.log.warn("a tool failed", { tool: String(toolName), error: faultText(error) });
    this.#settle(toolCallId, { kind: "Failed", error: TOOL_FAILED_TEXT });
  }

  #settle(callId: unknown, outcome: Pick<RunEventPayload<"ToolFailed">, "kind" | "error">): void {
    const call = this.#take(callId);
    if (call === undefined) return;
    this.#said.failure(call.identity.callId, outcome.error);
    const payload = { ...call.identity, ...outcome, durationMs: this.#since(call) };
    this.#request.journal.emit({ type: "ToolFailed", payload });
  }

  #take(callId: unknown): OpenCall | undefined {
    const key = String(callId ?? "");
    const call = this.#open.get(key);
    this.#open.delete(key);
    return call;
  }

  #since = ({ startedMs }: OpenCall): number =>
    roundMs(this.#request.clock.monotonicMs() - startedMs);

  #finishStep({ finishReason, usage }: Part): void {
    const { iteration, journal, clock, model } = this.#request;
    journal.emit({
      type: "MessageCompleted",
      text: this.#text,
      payload: {
        iteration,
        step: this.#step,
        ...(model === undefined ? {} : { modelProvider: model.provider, modelId: model.model }),
        finishReason: typeof finishReason === "string" ? finishReason : "other",
        toolCallCount: this.#calls,
        durationMs: roundMs(clock.monotonicMs() - this.#startedMs),
        ...(this.#firstPartMs === undefined ? {} : { firstPartMs: roundMs(this.#firstPartMs) }),
        ...sdkUsage(usage),
      },
    });
    this.#keepStep();
    this.#finishedSteps++;
    this.#step++;
    this.#calls = 0;
    this.#text = "";
    this.#firstPartMs = undefined;
    this.#startedMs = clock.monotonicMs();
  }
}

/** Arguments and results as they are recorded: JSON, or the text itself. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
