/**
 * Placeholders in scripted texts and tool arguments: `{{input}}`, `{{toolResult}}`,
 * `{{toolResult.status}}`, `{{orderId}}` for a capture, each with `|` and a text for when it is
 * empty: `{{toolResult.status|unknown}}`.
 */

/** What placeholders stand for during one call. */
export type TemplateValues = {
  /** The text of the last user message. */
  readonly input: string;
  /** The last tool's result; `undefined` before the first. */
  readonly toolResult: unknown;
  readonly captures: ReadonlyMap<string, string>;
};

const PLACEHOLDER = /\{\{\s*([A-Za-z][\w.]{0,199})\s*(?:\|([^{}]*))?\}\}/g;

/** The names of captures would hide these. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(["input", "toolResult"]);

/** The first segments of the placeholders in a text, each once. */
export function placeholdersOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(PLACEHOLDER)].map(([, path = ""]) => firstSegment(path)));
}

/** Fills the placeholders of a text. */
export function fillText(text: string, values: TemplateValues): string {
  return text.replace(PLACEHOLDER, (_, path: string, otherwise: string | undefined) => {
    const value = valueAt(path, values);
    return value === "" ? (otherwise ?? "") : value;
  });
}

/** Fills the placeholders of every text inside a JSON value. */
export function fillJson(value: unknown, values: TemplateValues): unknown {
  if (typeof value === "string") return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, fillJson(member, values)]),
  );
}

/** Every text inside a JSON value. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(textsOf);
}

const firstSegment = (path: string): string => path.split(".", 1)[0] ?? "";

function valueAt(path: string, values: TemplateValues): string {
  const [name = "", ...members] = path.split(".");
  if (name === "input") return values.input;
  if (name === "toolResult") return asText(memberAt(values.toolResult, members));
  return values.captures.get(name) ?? "";
}

function memberAt(value: unknown, members: readonly string[]): unknown {
  let current = value;
  for (const member of members) {
    const object = typeof current === "string" ? parsed(current) : current;
    if (object === null || typeof object !== "object" || !Object.hasOwn(object, member)) {
      return undefined;
    }
    current = (object as Readonly<Record<string, unknown>>)[member];
  }
  return current;
}

/** Tools whose results are texts often write JSON into them. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
