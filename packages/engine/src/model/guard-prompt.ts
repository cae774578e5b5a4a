/** Content guards over what a model reads: the messages of people and the results of tools. */

import type {
  JSONValue,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { RunEventDraft } from "@tracon/core";
import type { BlockedBy } from "./call-marks.ts";
import {
  type ContentGuards,
  contentBlocked,
  type GuardedRun,
  type Inspection,
} from "./content-guards.ts";

export type GuardingRun = GuardedRun & {
  readonly journal: { emit(event: RunEventDraft): void };
};

/**
 * Inspects every message that was not inspected yet. A masked one takes its place in `prompt` itself, so
 * that the history keeps what the model read. Throws `content_blocked`.
 */
export async function guardPrompt(
  prompt: LanguageModelV4Prompt,
  guards: ContentGuards,
  run: GuardingRun,
): Promise<void> {
  for (const [index, message] of prompt.entries()) {
    if (guards.inspected.has(message)) continue;
    const passed = await guardMessage(message, guards, run);
    guards.inspected.add(passed);
    prompt[index] = passed;
  }
}

async function guardMessage(
  message: LanguageModelV4Message,
  guards: ContentGuards,
  run: GuardingRun,
): Promise<LanguageModelV4Message> {
  if (message.role === "user") {
    const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const passed = await passTexts(texts, "UserMessage", guards, run);
    if (passed === texts) return message;
    const next = passed.values();
    const content = message.content.map((part) =>
      part.type === "text" ? { ...part, text: next.next().value ?? "" } : part,
    );
    return { ...message, content };
  }
  if (message.role !== "tool") return message;
  const content = [];
  for (const part of message.content) {
    if (part.type !== "tool-result") content.push(part);
    else {
      const guarded = await guardToolOutput(part.output, guards, run);
      report(guarded, run);
      content.push({ ...part, output: guarded.output });
    }
  }
  return { ...message, content };
}

/**
 * Inspects texts that are read as one, so that nothing hides between two of them. Returns the same list
 * when nothing was masked; otherwise the first holds everything. Throws `content_blocked`.
 */
async function passTexts(
  texts: readonly string[],
  source: "UserMessage" | "ToolResult",
  guards: ContentGuards,
  run: GuardingRun,
): Promise<readonly string[]> {
  const joined = texts.join("");
  const inspection = await guards.inspect(joined, source, run);
  report(inspection, run);
  if (inspection.text === joined) return texts;
  return [inspection.text, ...texts.slice(1).map(() => "")];
}

function report(
  { events, blockedBy }: Pick<Inspection, "events"> & { readonly blockedBy?: BlockedBy },
  { journal }: GuardingRun,
): void {
  for (const event of events) journal.emit(event);
  if (blockedBy !== undefined) throw contentBlocked(blockedBy);
}

export type GuardedOutput = Pick<Inspection, "events" | "blockedBy"> & {
  readonly output: LanguageModelV4ToolResultOutput;
};

/** Inspects the result of a tool as the model would read it; what is blocked is the caller's to act on. */
export async function guardToolOutput(
  output: LanguageModelV4ToolResultOutput,
  guards: ContentGuards,
  run: GuardedRun,
): Promise<GuardedOutput> {
  switch (output.type) {
    case "text":
    case "error-text": {
      const { text, ...rest } = await guards.inspect(output.value, "ToolResult", run);
      return { ...rest, output: text === output.value ? output : { ...output, value: text } };
    }
    case "json":
    case "error-json": {
      const whole = JSON.stringify(output.value);
      const { text, ...rest } = await guards.inspect(whole, "ToolResult", run);
      return { ...rest, output: text === whole ? output : jsonOrText(text, output.type) };
    }
    case "content": {
      const texts = output.value.flatMap((part) => (part.type === "text" ? [part.text] : []));
      const joined = texts.join("");
      const { text, ...rest } = await guards.inspect(joined, "ToolResult", run);
      if (text === joined) return { ...rest, output };
      const others = output.value.filter((part) => part.type !== "text");
      return { ...rest, output: { ...output, value: [{ type: "text", text }, ...others] } };
    }
    default:
      return { events: [], output };
  }
}

function jsonOrText(text: string, type: "json" | "error-json"): LanguageModelV4ToolResultOutput {
  const value = jsonValueOf(text);
  if (typeof value !== "string") return { type, value };
  return { type: type === "json" ? "text" : "error-text", value };
}

/** A masked JSON text is JSON as long as the mask fits in, and otherwise a text. */
export function jsonValueOf(text: string): NonNullable<JSONValue> {
  try {
    return (JSON.parse(text) as JSONValue) ?? text;
  } catch {
    return text;
  }
}
