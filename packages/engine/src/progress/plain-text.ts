/**
 * Texts without what differs from one time to the next and says nothing: the moment, how long it took, an
 * id that was drawn for the occasion. What remains is compared by its fingerprint.
 *
 * | taken away | because |
 * |---|---|
 * | moments: ISO 8601, `Tue, 01 Dec 2026 10:00:00`, epochs, clock times that begin a log line | they always differ |
 * | durations that say how long something took, not how far it came (`in 2.3s`, `(35 s)`, `"durationMs": 7`) | as above |
 * | UUIDs, process ids, addresses, temporary paths, ids of messages, requests and sessions | drawn for the occasion |
 *
 * Everything else stays, above all numbers and hashes: `2 of 5` is further than `1 of 5`, and a hash names a
 * content. A longer text is compared as it is: then a moment in it makes it a new one, which only errs on the
 * side of progress.
 */

import { hash } from "node:crypto";

/** Longest text from which anything is taken away, in UTF-16 units. */
export const MAX_PLAIN_LENGTH = 4_096;
/** Longest argument that is a phrase and no content; of a content white space and case may matter. */
const MAX_PHRASE_LENGTH = 256;

const UNIT = "(?:ms|s|secs?|seconds?|mins?|minutes?|hours?|milliseconds?)\\b";
const MEMBER_VALUE = '"\\s*:\\s*(?:"[^"]*"|[\\d.]+)';

const VOLATILE = new RegExp(
  [
    "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?",
    "\\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [\\w ]{2,16}\\d\\d:\\d\\d:\\d\\d(?: \\w{3,4})?(?: \\d{4})?",
    "(?:^|\\[|\\bat )\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?",
    "\\b1[5-9]\\d{8}(?:\\d{3}|\\d{6}|\\d{9})?\\b",
    `"(?:\\w*(?:duration|elapsed|latency|uptime|idle)\\w*|took)${MEMBER_VALUE}`,
    `(?:\\b(?:in|took|after|elapsed|duration|for)\\b[:= ]*|[([])\\d+(?:\\.\\d+)? ?${UNIT}`,
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    `"(?:(?:message|request|trace|span|correlation|event|session|process|delivery|call|invocation|execution|response)_?id|pid|nonce)${MEMBER_VALUE}`,
    "\\bpid[ :=#]*\\d+",
    "\\b0x[0-9a-f]{6,}",
    "/tmp/[\\w./-]+",
  ].join("|"),
  "gim",
);

/** Members of arguments that a model makes up for the occasion. */
const OCCASIONAL_ARGUMENT =
  /^(?:nonce|(?:request|trace|correlation|call|idempotency)[_-]?(?:id|key)|attempt|retry(?:[_-]?count)?)$/i;

/** What a result says. */
export const plainResult = (text: string): string =>
  text.length > MAX_PLAIN_LENGTH ? text : text.trim().replace(VOLATILE, "~");

/** The words of a text, in order, whatever stands between them and however they are written. */
export const plainWords = (text: string): string =>
  text.length > MAX_PLAIN_LENGTH
    ? text
    : text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim();

/** Words with which something is only said once more. */
const FILLERS: ReadonlySet<string> = new Set(
  "a again also an once please same still the yet".split(" "),
);

/** The words of an objection whatever their order: the same complaint is rarely worded the same twice. */
export const plainObjection = (text: string): string =>
  [...new Set(plainWords(text).split(" "))]
    .filter((word) => !FILLERS.has(word))
    .sort()
    .join(" ");

/** The value of arguments without what is only written differently. */
export function plainArgument(value: unknown): unknown {
  if (typeof value === "string") return value.length > MAX_PHRASE_LENGTH ? value : phrase(value);
  if (Array.isArray(value)) return value.map(plainArgument);
  if (value === null || typeof value !== "object") return value;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === null || OCCASIONAL_ARGUMENT.test(name)) continue;
    members.push([name, plainArgument(member)]);
  }
  return Object.fromEntries(members);
}

const phrase = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[\s.,;:!?…/]+$/, "")
    .trimStart()
    .toLowerCase();

export const fingerprint = (text: string): string => hash("sha256", text, "base64");
