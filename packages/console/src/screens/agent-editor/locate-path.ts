/**
 * Finds the place in a JSON text that a finding's path names (`harness.loop.criteria[0].marker`).
 *
 * A member that is not there is answered with the object it is missing in, so that every finding
 * leads somewhere. The text must be valid JSON: findings only exist for text that was read.
 */

import type { Path } from "./form/json-path.ts";

export type TextRange = { readonly start: number; readonly end: number };

export function locatePath(text: string, path: Path): TextRange {
  const root = skipSpace(text, 0);
  let place: TextRange = { start: root, end: endOfValue(text, root) };
  for (const segment of path.map(String)) {
    const next = memberOf(text, place.start, segment);
    if (next === undefined) return firstLineOf(text, place);
    place = next;
  }
  return path.length === 0 ? firstLineOf(text, place) : place;
}

/** The whole of a long object is no place to look at; its opening line is. */
function firstLineOf(text: string, { start, end }: TextRange): TextRange {
  const lineEnd = text.indexOf("\n", start);
  return { start, end: lineEnd < 0 ? end : Math.min(lineEnd, end) };
}

/** The value of a member of the object, or of an item of the array, that starts at `start`. */
function memberOf(text: string, start: number, segment: string): TextRange | undefined {
  const isArray = text[start] === "[";
  if (!isArray && text[start] !== "{") return undefined;

  let at = skipSpace(text, start + 1);
  for (let index = 0; at < text.length && text[at] !== "]" && text[at] !== "}"; index += 1) {
    const key = isArray ? { name: String(index), valueStart: at } : keyAt(text, at);
    const end = endOfValue(text, key.valueStart);
    if (key.name === segment) return { start: key.valueStart, end };
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return undefined;
}

function keyAt(text: string, at: number): { readonly name: string; readonly valueStart: number } {
  const end = endOfString(text, at);
  const colon = skipSpace(text, end);
  return {
    name: JSON.parse(text.slice(at, end)) as string,
    valueStart: skipSpace(text, colon + 1),
  };
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && /\s/.test(text.charAt(next))) next += 1;
  return next;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, start: number): number {
  const opening = text[start];
  if (opening === '"') return endOfString(text, start);
  if (opening === "{" || opening === "[") return endOfBrackets(text, start);
  const rest = /[\s,\]}]/.exec(text.slice(start));
  return rest === null ? text.length : start + rest.index;
}

function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const character = text.charAt(at);
    if ("{[".includes(character)) depth += 1;
    if ("}]".includes(character)) depth -= 1;
    at = character === '"' ? endOfString(text, at) : at + 1;
    if (depth === 0) return at;
  }
  return text.length;
}
