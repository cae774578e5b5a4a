/**
 * The answer of a reviewer. Only the object itself counts: what could be read in two ways, or needs
 * something cut off around it, never approves anything.
 */

import { parsedJson } from "../turn/structured-response-check.ts";
import { keysOfObject } from "./json-text.ts";

export type ReviewVerdict = { readonly approved: boolean; readonly feedback: string };

/** The verdict, or what keeps the answer from being one, in words that repeat nothing of it. */
export function readReviewVerdict(answer: string): ReviewVerdict | { readonly problem: string } {
  if (answer.trim() === "") return { problem: "it is empty" };
  const value = parsedJson(answer);
  if (value === undefined) return { problem: notJson(answer) };
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return { problem: "it is JSON, but no object" };
  }
  const repeated = repeatedKey(answer);
  if (repeated !== undefined) return { problem: `it has '${repeated}' more than once` };
  const { approved, feedback } = value as Readonly<Record<string, unknown>>;
  if (typeof approved !== "boolean") return { problem: "it has no boolean 'approved'" };
  if (typeof feedback !== "string") return { problem: "it has no string 'feedback'" };
  return { approved, feedback };
}

const notJson = (answer: string): string =>
  answer.trimStart().startsWith("```")
    ? "it stands in a code fence, and has to be the JSON object alone"
    : "it is not a JSON object and nothing else";

/** `JSON.parse` takes the last of two, other readers the first. */
function repeatedKey(answer: string): string | undefined {
  const keys = keysOfObject(answer);
  return ["approved", "feedback"].find((name) => keys.filter((key) => key === name).length > 1);
}
