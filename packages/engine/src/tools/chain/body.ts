/** The innermost link: the tool's own function. */

import type { LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { ToolSettings } from "../tool-settings.ts";
import { untilAborted } from "../until-aborted.ts";
import type { RunToolCall, ToolCall, ToolOutcome } from "./tool-link.ts";

/** What the model reads when a tool returned nothing. */
export const NO_RESULT_TEXT = "The tool finished and returned no value.";
/** What the model reads when a tool's body failed: an exception's message may carry secrets. */
export const TOOL_FAILED_TEXT = "Error: Function failed.";

/** Runs the body once its intent is on disk; leaves the call to the client when there is none. */
export function bodyOf(tool: ToolSettings): RunToolCall {
  const { execute } = tool;
  if (execute === undefined) {
    return async ({ sent }) => ({ pending: "client", arguments: sent });
  }
  return async (call) => {
    // The intent is on disk before the body runs: after a crash it is known that it may have run.
    await call.starting();
    const { signal } = call;
    // Nor does it run when nobody waits for it any more.
    signal.throwIfAborted();
    return call.around(() => bodyOutcome(tool, execute, call));
  };
}

async function bodyOutcome(
  tool: ToolSettings,
  execute: Execute,
  call: ToolCall,
): Promise<ToolOutcome> {
  try {
    return await untilAborted(call.abandoned, runAndRead(tool, execute, call));
  } catch (cause) {
    call.signal.throwIfAborted();
    return { ok: false, kind: "Failed", error: TOOL_FAILED_TEXT, cause };
  }
}

type Execute = NonNullable<ToolSettings["execute"]>;

async function runAndRead(
  { toModelOutput }: ToolSettings,
  execute: Execute,
  call: ToolCall,
): Promise<ToolOutcome> {
  const value = await run(execute, call);
  if (toModelOutput === undefined) return outcomeOf(value);
  const output = (await toModelOutput({
    toolCallId: call.callId,
    input: call.arguments,
    output: value,
  })) as LanguageModelV4ToolResultOutput;
  const result = recordedResult(output);
  if (result === undefined) throw new TypeError("toModelOutput made no output");
  return { ok: true, output, result };
}

async function run(execute: Execute, call: ToolCall): Promise<unknown> {
  const { signal, messages } = call;
  const returned = execute(call.arguments, {
    toolCallId: call.callId,
    abortSignal: signal,
    context: undefined as never,
    get messages() {
      return messages() as never;
    },
  });
  if (!isAsyncIterable(returned)) return returned;
  let last: unknown;
  // A tool that reports progress yields preliminary results; the last one counts.
  for await (const value of returned) {
    signal.throwIfAborted();
    last = value;
    call.progress(value);
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
