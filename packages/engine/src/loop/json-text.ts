/** What `JSON.parse` does not tell of a text. */

/**
 * The keys of an object, in order, as they stand there: a key that is there twice is listed twice.
 * `json` has to be the text of one object.
 */
export function keysOfObject(json: string): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  let isKeyNext = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && isKeyNext) keys.push(JSON.parse(json.slice(at, end)) as string);
      isKeyNext = false;
      at = end - 1;
    } else if (character === "{" || character === "[") {
      depth++;
      isKeyNext = depth === 1;
    } else if (character === "}" || character === "]") depth--;
    else if (character === ",") isKeyNext = depth === 1;
  }
  return keys;
}

/** The text of the first object in a text that stands in no other one; `undefined` when there is none. */
export function firstObjectIn(text: string): string | undefined {
  for (let start = text.indexOf("{"); start !== -1; ) {
    const end = endOfObject(text, start);
    if (end === undefined) return undefined;
    const candidate = text.slice(start, end);
    if (isJson(candidate)) return candidate;
    start = text.indexOf("{", end);
  }
  return undefined;
}

/** Where the braces of an object close; `undefined` when they do not. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Behind the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
