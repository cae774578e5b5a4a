/**
 * How deep and how large a JSON text is, told from its bytes before anything is built from it.
 * Structure is ASCII, so UTF-8 need not be decoded; a text that is not JSON is judged as it looks
 * and left to the parser.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export type JsonShape = {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Separators between members and items: the number of values, give or take the containers. */
  readonly separators: number;
};

export function jsonShape(bytes: Uint8Array): JsonShape {
  let depth = 0;
  let deepest = 0;
  let separators = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte === COMMA) {
      separators += 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return { depth: deepest, separators };
}

/** Index of the quote that ends the string starting at `start`, or past the end without one. */
function endOfString(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(bytes, end, start)) end = bytes.indexOf(QUOTE, end + 1);
  return end === -1 ? bytes.length : end;
}

function isEscaped(bytes: Uint8Array, at: number, start: number): boolean {
  let before = at - 1;
  while (before > start && bytes[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
