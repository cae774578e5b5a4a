/**
 * The instructions as the model reads them, by the server's rules: the culture picks the own text,
 * what the harness and the shared block say stands in front, and values are put in last, once, over the whole.
 */

import { DEFAULT_HARNESS_INSTRUCTIONS } from "@tracon/core";
import { isJsonObject, type JsonObject } from "../form/json-path.ts";
import { resolveCulture } from "./culture.ts";

export type PreviewParameter = {
  readonly name: string;
  readonly kind: string;
  readonly required: boolean;
  readonly defaultValue: string | undefined;
};

/** A piece of the text, and the parameter it was put in for. */
export type TextPart = { readonly text: string; readonly parameter?: string };

export type InstructionsPreview = {
  readonly parts: readonly TextPart[];
  /** Key of the own text that was chosen; absent for the default. */
  readonly cultureKey: string | undefined;
  /** Required parameters without a value: a run would be refused. */
  readonly missing: readonly string[];
};

export function instructionsPreview(
  definition: JsonObject,
  input: {
    readonly culture: string;
    readonly values: Readonly<Record<string, string>>;
    readonly block: string | undefined;
  },
): InstructionsPreview {
  const byCulture = textsByCulture(definition);
  const cultureKey = resolveCulture(Object.keys(byCulture), input.culture);
  const own = cultureKey === undefined ? definition.instructions : byCulture[cultureKey];
  const text = [harnessText(definition), input.block, own]
    .filter((part) => typeof part === "string" && part !== "")
    .join("\n\n");
  const parameters = parametersOf(definition);
  const values = new Map(
    parameters.map(({ name, defaultValue }) => [
      name,
      givenValue(input.values, name) ?? defaultValue,
    ]),
  );
  const missing = parameters
    .filter(({ name, required }) => required && values.get(name) === undefined)
    .map(({ name }) => name);
  // No model reads a text with a required value missing; the gap is better seen than guessed.
  const shown = new Map([...values, ...missing.map((name) => [name, `{{${name}}}`] as const)]);
  return { parts: substitute(text, shown), cultureKey, missing };
}

/** An empty text is a wish for none. */
function harnessText({ harness }: JsonObject): unknown {
  if (!isJsonObject(harness)) return undefined;
  return harness.harnessInstructions ?? DEFAULT_HARNESS_INSTRUCTIONS;
}

/** A field left empty gives no value: the default is used. */
const givenValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) && values[name] !== "" ? values[name] : undefined;

export function culturesOf(definition: JsonObject): readonly string[] {
  return Object.keys(textsByCulture(definition));
}

function textsByCulture({ instructionsByCulture }: JsonObject): JsonObject {
  return isJsonObject(instructionsByCulture) ? instructionsByCulture : {};
}

/** The declared parameters, as far as they can be read. */
export function parametersOf({ parameters }: JsonObject): readonly PreviewParameter[] {
  if (!Array.isArray(parameters)) return [];
  return parameters.filter(isJsonObject).flatMap(({ name, kind, required, defaultValue }) =>
    typeof name !== "string" || name === ""
      ? []
      : [
          {
            name,
            kind: String(kind),
            required: required === true,
            defaultValue: typeof defaultValue === "string" ? defaultValue : undefined,
          },
        ],
  );
}

/** One pass from left to right: a value is never looked at again, what is not declared stays. */
export function substitute(
  text: string,
  values: ReadonlyMap<string, string | undefined>,
): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (let at = text.indexOf("{{"); at !== -1; ) {
    const close = text.indexOf("}}", at + 2);
    const name = close === -1 ? undefined : text.slice(at + 2, close);
    if (name === undefined || !values.has(name)) {
      at = text.indexOf("{{", at + 1);
      continue;
    }
    const value = values.get(name) ?? "";
    const end = close + 2;
    if (at > from) parts.push({ text: text.slice(from, at) });
    parts.push({ text: isJsonValue(text, at, end) ? escaped(value) : value, parameter: name });
    from = end;
    at = text.indexOf("{{", end);
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);

const CONTEXT = 64;

/** `"{{name}}"` as a whole string value of JSON: the text around it must stay valid JSON. */
function isJsonValue(text: string, start: number, end: number): boolean {
  if (text[start - 1] !== '"' || text[end] !== '"') return false;
  const before = text.slice(Math.max(0, start - 1 - CONTEXT), start - 1);
  const after = text.slice(end + 1, end + 1 + CONTEXT);
  return (
    (before.trim() === "" || /[:[,]\s*$/.test(before)) &&
    (after.trim() === "" || /^\s*[,}\]]/.test(after))
  );
}
