/**
 * One tool call: argument check, body, outcome.
 *
 * What the model reads never holds an exception's message: a tool's error text may carry secrets.
 * A call that fails is an outcome, not an exception; only the run's own cancellation throws.
 */

import type { LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { RunEventPayload } from "@tracon/core";
import { cutText } from "./cut-text.ts";
import type { RegisteredTool } from "./tool-registry.ts";
import { untilAborted } from "./until-aborted.ts";

/** What a call came to, with what the model reads and what is recorded. */
export type ToolOutcome =
  | {
      readonly ok: true;
      readonly output: LanguageModelV4ToolResultOutput;
      /** The result as recorded: JSON text, or the text itself. */
      readonly result: string;
      /** A content guard withheld the result, and the run must not go on. */
      readonly blockedBy?: { readonly guard: string; readonly rule: string };
    }
  | {
      readonly ok: false;
      readonly kind: RunEventPayload<"ToolFailed">["kind"];
      /** What the model reads. */
      readonly error: string;
      /** For the log only. */
      readonly cause?: unknown;
    };

export type ToolInvocationRequest = {
  readonly tool: RegisteredTool;
  readonly callId: string;
  /** Checked arguments. */
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** The conversation before the call, in the AI SDK's message shape. */
  readonly messages: () => readonly unknown[];
};

/** What the model reads when a tool returned nothing. */
export const NO_RESULT_TEXT = "The tool finished and returned no value.";
/** What the model reads when a tool's body failed. */
export const TOOL_FAILED_TEXT = "Error: Function failed.";
/** Longest problem text of refused arguments, in characters. */
const MAX_PROBLEM_LENGTH = 1_000;

/**
 * Parses and checks the arguments a model sent. An empty text means no arguments. Rejects only with
 * the abort reason of the run's own signal.
 */
export async function readArguments(
  tool: RegisteredTool,
  input: string,
  signal: AbortSignal,
): Promise<{ readonly value: unknown } | (ToolOutcome & { readonly ok: false })> {
  let parsed: unknown;
  try {
    parsed = input.trim() === "" ? {} : JSON.parse(input);
  } catch {
    return refused("the arguments are not valid JSON");
  }
  try {
    const pending = tool.schema.check(parsed);
    const checked = "then" in pending ? await untilAborted(signal, pending) : pending;
    return checked.ok ? { value: checked.value } : refused(checked.problem);
  } catch (error) {
    signal.throwIfAborted();
    // A check that throws has accepted nothing.
    return { ...refused("the arguments could not be checked"), cause: error };
  }
}

const refused = (problem: string): ToolOutcome & { readonly ok: false } => ({
  ok: false,
  kind: "InvalidArguments",
  error: `Error: Invalid arguments: ${cutText(problem, MAX_PROBLEM_LENGTH)}`,
});

/** Runs the body. Rejects only with the abort reason of the run's own signal. */
export async function invokeTool(request: ToolInvocationRequest): Promise<ToolOutcome> {
  const { signal } = request;
  signal.throwIfAborted();
  try {
    return await untilAborted(signal, runAndRead(request));
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, kind: "Failed", error: TOOL_FAILED_TEXT, cause: error };
  }
}

async function runAndRead(request: ToolInvocationRequest): Promise<ToolOutcome> {
  const { tool, callId: toolCallId, input } = request;
  const value = await run(request);
  if (tool.toModelOutput === undefined) return outcomeOf(value);
  const output = (await tool.toModelOutput({
    toolCallId,
    input,
    output: value,
  })) as LanguageModelV4ToolResultOutput;
  const result = recordedResult(output);
  if (result === undefined) throw new TypeError("toModelOutput made no output");
  return { ok: true, output, result };
}

async function run({ tool, callId, input, signal, messages }: ToolInvocationRequest) {
  const options = {
    toolCallId: callId,
    abortSignal: signal,
    context: undefined as never,
    get messages() {
      return messages() as never;
    },
  };
  const returned = tool.execute(input, options);
  if (!isAsyncIterable(returned)) return returned;
  let last: unknown;
  // A tool that reports progress yields preliminary results; the last one counts.
  for await (const value of returned) {
    signal.throwIfAborted();
    last = value;
  }
  return last;
}

function outcomeOf(value: unknown): ToolOutcome {
  if (value === undefined || value === null) return textOutcome(NO_RESULT_TEXT);
  if (typeof value === "string") return textOutcome(value);
  // Dates, class instances and undefined members become what JSON makes of them, once, here.
  const result = JSON.stringify(value);
  return { ok: true, output: { type: "json", value: JSON.parse(result) }, result };
}

const textOutcome = (value: string): ToolOutcome => ({
  ok: true,
  output: { type: "text", value },
  result: value,
});

/** `undefined` for an output without a value that JSON can express. */
export function recordedResult(output: LanguageModelV4ToolResultOutput): string | undefined {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "execution-denied":
      return output.reason ?? "";
    default:
      return JSON.stringify(output.value);
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return value !== null && typeof value === "object" && Symbol.asyncIterator in value;
}
