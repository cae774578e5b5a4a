/**
 * Content guards around the model call. What the model reads was mostly inspected when it came; here is
 * the last gate, and the gate of the answer.
 *
 * An answer is held back until it is whole, because a match may lie anywhere across its parts. All text
 * blocks are inspected as one text, and so is the reasoning; every tool call for itself.
 */

import type { LanguageModelV4StreamPart, LanguageModelV4ToolResult } from "@ai-sdk/provider";
import { type BlockedBy, marked } from "../call-marks.ts";
import type { ContentSource } from "../content-guard.ts";
import type { ContentGuards } from "../content-guards.ts";
import { guardPrompt, jsonValueOf } from "../guard-prompt.ts";
import type { ModelRequest, ModelRing } from "../ring.ts";
import { readToEnd } from "../stream-end.ts";

type Parts = ReadableStream<LanguageModelV4StreamPart>;

export const contentGuardRing: ModelRing = {
  name: "content-guard",

  wrap(next, { host: { guards } }) {
    if (guards === undefined) return next;
    return async (request) => {
      await guardPrompt(request.options.prompt, guards, request);
      const result = await next(request);
      return { ...result, stream: guardedAnswer(result.stream, guards, request) };
    };
  },
};

/** The answer once it was inspected. Nothing is read before the reader asks. */
function guardedAnswer(stream: Parts, guards: ContentGuards, request: ModelRequest): Parts {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const parts: LanguageModelV4StreamPart[] = [];
        for (let finished = false; !finished; ) {
          const { done, value } = await reader.read();
          if (done) break;
          parts.push(value);
          finished = value.type === "finish" || value.type === "error";
        }
        void readToEnd(reader);
        for (const part of await inspectAnswer(parts, guards, request)) controller.enqueue(part);
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

async function inspectAnswer(
  parts: readonly LanguageModelV4StreamPart[],
  guards: ContentGuards,
  request: ModelRequest,
): Promise<readonly LanguageModelV4StreamPart[]> {
  const blocked: BlockedBy[] = [];
  const pass = async (text: string, source: ContentSource = "ModelOutput"): Promise<string> => {
    const inspection = await guards.inspect(text, source, request);
    for (const event of inspection.events) request.journal.emit(event);
    if (inspection.blockedBy !== undefined) blocked.push(inspection.blockedBy);
    return inspection.text;
  };
  const text = await passBlocks(parts, "text-delta", pass);
  const reasoning = await passBlocks(parts, "reasoning-delta", pass);
  const passed: LanguageModelV4StreamPart[] = [];
  for (const part of parts) {
    if (part.type === "text-delta") passed.push({ ...part, delta: text(part.delta) });
    else if (part.type === "reasoning-delta")
      passed.push({ ...part, delta: reasoning(part.delta) });
    else if (part.type === "tool-result") passed.push(await passResult(part, pass));
    else if (part.type === "tool-call") passed.push({ ...part, input: await pass(part.input) });
    // The call itself follows whole; its pieces were not inspected.
    else if (!part.type.startsWith("tool-input-")) passed.push(part);
  }
  const [first] = blocked;
  return first === undefined ? passed : withheld(parts, first);
}

/** Gives each delta what it may say: itself when nothing was masked, else all of it to the first. */
async function passBlocks(
  parts: readonly LanguageModelV4StreamPart[],
  type: "text-delta" | "reasoning-delta",
  pass: (text: string) => Promise<string>,
): Promise<(delta: string) => string> {
  const whole = parts.map((part) => (part.type === type ? part.delta : "")).join("");
  const passed = await pass(whole);
  if (passed === whole) return (delta) => delta;
  let isFirst = true;
  return () => {
    const text = isFirst ? passed : "";
    isFirst = false;
    return text;
  };
}

/** The result of a tool that the provider ran itself. */
async function passResult(
  part: LanguageModelV4ToolResult,
  pass: (text: string, source: ContentSource) => Promise<string>,
): Promise<LanguageModelV4ToolResult> {
  const whole = JSON.stringify(part.result);
  const text = await pass(whole, "ToolResult");
  return text === whole ? part : { ...part, result: jsonValueOf(text) };
}

/** Of a blocked answer only its end is left, with what it cost and who blocked it. */
const withheld = (
  parts: readonly LanguageModelV4StreamPart[],
  blockedBy: BlockedBy,
): readonly LanguageModelV4StreamPart[] =>
  parts
    .filter((part) => part.type === "error" || part.type === "finish")
    .map((part) => (part.type === "finish" ? marked(part, { blockedBy }) : part));
