/**
 * One tool call: argument check, body, outcome.
 *
 * What the model reads never holds an exception's message: a tool's error text may carry secrets.
 * A call that fails is an outcome, not an exception; only the run's own cancellation throws.
 */

import type { LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { RunEventPayload } from "@tracon/core";
import type { RegisteredTool } from "./tool-registry.ts";

/** What a call came to, with what the model reads and what is recorded. */
export type ToolOutcome =
  | {
      readonly ok: true;
      readonly output: LanguageModelV4ToolResultOutput;
      /** The result as recorded: JSON text, or the text itself. */
      readonly result: string;
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

/** Parses and checks the arguments a model sent. An empty text means no arguments. */
export async function readArguments(
  tool: RegisteredTool,
  input: string,
): Promise<{ readonly value: unknown } | (ToolOutcome & { readonly ok: false })> {
  let parsed: unknown;
  try {
    parsed = input.trim() === "" ? {} : JSON.parse(input);
  } catch {
    return refused("the arguments are not valid JSON");
  }
  try {
    const pending = tool.schema.check(parsed);
    const checked = "then" in pending ? await pending : pending;
    return checked.ok ? { value: checked.value } : refused(checked.problem);
  } catch (error) {
    // A check that throws has accepted nothing.
    return { ...refused("the arguments could not be checked"), cause: error };
  }
}

const refused = (problem: string): ToolOutcome & { readonly ok: false } => ({
  ok: false,
  kind: "InvalidArguments",
  error: `Error: Invalid arguments: ${problem.slice(0, MAX_PROBLEM_LENGTH)}`,
});

/** Runs the body. Rejects only with the abort reason of the run's own signal. */
export async function invokeTool(request: ToolInvocationRequest): Promise<ToolOutcome> {
  const { signal, tool, callId, input } = request;
  signal.throwIfAborted();
  try {
    const value = await untilAborted(signal, run(request));
    const output = await modelOutput(tool, callId, input, value);
    return { ok: true, output, result: recordedResult(output) };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, kind: "Failed", error: TOOL_FAILED_TEXT, cause: error };
  }
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
  for await (const value of returned) last = value;
  return last;
}

/** A tool that ignores its signal must not keep a cancelled run alive. */
async function untilAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  // The loser of the race may still reject later; nobody is left to hear it.
  work.catch(ignore);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}

const ignore = (): void => undefined;

async function modelOutput(
  tool: RegisteredTool,
  toolCallId: string,
  input: unknown,
  output: unknown,
): Promise<LanguageModelV4ToolResultOutput> {
  if (tool.toModelOutput !== undefined) {
    return (await tool.toModelOutput({
      toolCallId,
      input,
      output,
    })) as LanguageModelV4ToolResultOutput;
  }
  if (output === undefined || output === null) return { type: "text", value: NO_RESULT_TEXT };
  if (typeof output === "string") return { type: "text", value: output };
  // Dates, class instances and undefined members become what JSON makes of them, once, here.
  return { type: "json", value: JSON.parse(JSON.stringify(output)) };
}

function recordedResult(output: LanguageModelV4ToolResultOutput): string {
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
