/**
 * Cuts a result that is longer than the tool's limit and puts what is left into an envelope that says so:
 * `{"truncated":true,"omittedBytes":n,"content":"…"}`. The envelope itself keeps the limit, so 57 bytes
 * are the least: the envelope with the largest number and no content.
 */

import type { LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import { recordedResult } from "./body.ts";
import type { ToolLink, ToolOutcome } from "./tool-link.ts";

export const outputLimitLink: ToolLink = {
  name: "output-limit",

  wrap(next, { maxOutputBytes }) {
    if (maxOutputBytes === undefined) return next;
    return async (call) => {
      const outcome = await next(call);
      return "pending" in outcome || !outcome.ok ? outcome : withinLimit(outcome, maxOutputBytes);
    };
  },
};

function withinLimit(outcome: ToolOutcome & { ok: true }, maxBytes: number): ToolOutcome {
  const text = measuredText(outcome);
  if (Buffer.byteLength(text) <= maxBytes) return outcome;
  const { envelope, omittedBytes } = truncate(text, maxBytes);
  const output = replaced(outcome.output, envelope);
  const result = recordedResult(output) ?? "";
  return { ...outcome, output, result, omittedBytes };
}

/** Files and images of a result are not measured: cut ones would be of no use to anybody. */
const measuredText = ({ output, result }: ToolOutcome & { ok: true }): string =>
  output.type === "content" ? output.value.flatMap(textOf).join("\n") : result;

type ContentPart = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number];

const textOf = (part: ContentPart): string[] => (part.type === "text" ? [part.text] : []);

function replaced(
  output: LanguageModelV4ToolResultOutput,
  envelope: Envelope,
): LanguageModelV4ToolResultOutput {
  if (output.type !== "content") return { type: "json", value: { ...envelope } };
  const others = output.value.filter(({ type }) => type !== "text");
  const text = { type: "text" as const, text: JSON.stringify(envelope) };
  return { type: "content", value: [text, ...others] };
}

type Envelope = {
  readonly truncated: true;
  readonly omittedBytes: number;
  readonly content: string;
};

/** Bytes of the envelope without its number and its content. */
const ENVELOPE_BYTES = JSON.stringify({ truncated: true, omittedBytes: 0, content: "" }).length - 1;

/** The longest beginning of a text that fits into an envelope of `maxBytes`. */
function truncate(text: string, maxBytes: number) {
  const totalBytes = Buffer.byteLength(text);
  let left = maxBytes - ENVELOPE_BYTES - String(totalBytes).length;
  let end = 0;
  for (const character of text) {
    left -= jsonBytes(character);
    if (left < 0) break;
    end += character.length;
  }
  const content = text.slice(0, end);
  const omittedBytes = totalBytes - Buffer.byteLength(content);
  const envelope: Envelope = { truncated: true, omittedBytes, content };
  return { envelope, omittedBytes };
}

/** What a character takes inside a JSON text. */
const jsonBytes = (character: string): number => {
  const code = character.charCodeAt(0);
  const isPlain = code >= 0x20 && code < 0x80 && code !== 0x22 && code !== 0x5c;
  return isPlain ? 1 : Buffer.byteLength(JSON.stringify(character)) - 2;
};
