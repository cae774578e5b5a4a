/**
 * Parameters: named placeholders `{{name}}` of an agent's instructions and their values.
 *
 * This is value substitution, not a template language: one pass from left to right, every known
 * placeholder replaced once, nothing evaluated, a value never looked at again.
 */

import {
  type AgentParameter,
  type Finding,
  finding,
  MAX_PARAMETER_VALUE_BYTES,
  warning,
} from "@tracon/core";

/** The values a run is bound with: what was given, with the defaults applied. */
export type BoundParameters = ReadonlyMap<string, string>;

/** Binds values to the declared parameters. Everything wrong comes back at once. */
export function bindParameters(
  declared: readonly AgentParameter[],
  given: Readonly<Record<string, string>> = {},
): { readonly values: BoundParameters; readonly findings: readonly Finding[] } {
  const values = new Map<string, string>();
  const findings: Finding[] = [];
  for (const { name, required, defaultValue } of declared) {
    const value = Object.hasOwn(given, name) ? given[name] : defaultValue;
    if (value !== undefined) values.set(name, value);
    else if (required) {
      findings.push(
        finding("missing_parameters", parameterPath(name), "is required and has no default"),
      );
    }
  }
  const names = new Set(declared.map(({ name }) => name));
  for (const [name, value] of Object.entries(given)) {
    if (!names.has(name)) {
      findings.push(
        finding("unknown_parameters", parameterPath(name), "is not a parameter of the agent"),
      );
    } else if (Buffer.byteLength(value) > MAX_PARAMETER_VALUE_BYTES) {
      findings.push(
        finding(
          "invalid_value",
          parameterPath(name),
          `is longer than ${MAX_PARAMETER_VALUE_BYTES} bytes of UTF-8`,
        ),
      );
    }
  }
  return { values, findings };
}

const PLAIN_NAME = /^[\p{L}\p{N}_-]+$/u;

const parameterPath = (name: string): string =>
  PLAIN_NAME.test(name) ? `parameters.${name}` : `parameters[${JSON.stringify(name)}]`;

/** The name in a path that `bindParameters` wrote. */
export function parameterOf(path: string): string {
  const rest = path.slice("parameters".length);
  return rest.startsWith(".") ? rest.slice(1) : JSON.parse(rest.slice(1, -1));
}

/** Puts values into a text. A declared parameter without a value leaves nothing behind. */
export function substitute(
  text: string,
  declared: readonly AgentParameter[],
  values: BoundParameters,
): string {
  if (declared.length === 0) return text;
  const names = new Set(declared.map(({ name }) => name));
  let produced = "";
  let from = 0;
  for (const { start, end, name } of placeholdersOf(text, names)) {
    const value = values.get(name) ?? "";
    produced += text.slice(from, start);
    produced += isWholeJsonString(text, start, end) ? JSON.stringify(value).slice(1, -1) : value;
    from = end;
  }
  return produced + text.slice(from);
}

type Placeholder = { readonly start: number; readonly end: number; readonly name: string };

/** Placeholders of known names, from left to right, never overlapping. */
function* placeholdersOf(text: string, names: ReadonlySet<string>): Generator<Placeholder> {
  const longest = Math.max(0, ...[...names].map((name) => name.length));
  let at = text.indexOf("{{");
  while (at !== -1) {
    // Looking no further than the longest name keeps a text full of braces linear.
    const window = text.slice(at + 2, at + 2 + longest + 2);
    const close = window.indexOf("}}");
    const name = close === -1 ? undefined : window.slice(0, close);
    if (name !== undefined && names.has(name)) {
      const end = at + 2 + name.length + 2;
      yield { start: at, end, name };
      at = text.indexOf("{{", end);
    } else at = text.indexOf("{{", at + 1);
  }
}

/** What stands before a JSON string that is a value. */
const BEFORE_VALUE = ":[,";
/** What stands after one; a colon follows only keys. */
const AFTER_VALUE = ",}]";

/** `"{{name}}"` as a value of JSON, so that the produced text must stay valid JSON. */
function isWholeJsonString(text: string, start: number, end: number): boolean {
  if (text[start - 1] !== '"' || text[end] !== '"') return false;
  const before = nextMark(text, start - 2, -1);
  const after = nextMark(text, end + 1, 1);
  return (
    (before === undefined || BEFORE_VALUE.includes(before)) &&
    (after === undefined || AFTER_VALUE.includes(after))
  );
}

/** The next character that is no white space; `undefined` where the text ends. */
function nextMark(text: string, from: number, step: 1 | -1): string | undefined {
  let at = from;
  while (" \t\r\n".includes(text[at] ?? "x")) at += step;
  return text[at];
}

/** A text placeholders may stand in, with its path in the definition. */
export type PlaceholderText = { readonly path: string; readonly text: string };

/** Further undeclared placeholders help nobody. */
const MAX_UNDECLARED = 50;
const ANY_PLACEHOLDER = /\{\{([\p{L}\p{N}_-]{1,128})\}\}/gu;

/**
 * Warnings: placeholders no parameter declares, and parameters no text uses. `isComplete` says that
 * `texts` are all there are; otherwise nobody can tell what is unused.
 */
export function parameterWarnings(
  declared: readonly AgentParameter[],
  texts: readonly PlaceholderText[],
  isComplete: boolean,
): Finding[] {
  if (declared.length === 0) return [];
  const names = new Set(declared.map(({ name }) => name));
  const unused = new Set(isComplete ? names : []);
  for (const { text } of texts) {
    for (const { name } of placeholdersOf(text, names)) unused.delete(name);
  }
  return [
    ...undeclaredWarnings(names, texts),
    ...declared.flatMap(({ name }, index) =>
      unused.has(name)
        ? [warning("parameter_unused", `parameters[${index}].name`, `no text uses '{{${name}}}'`)]
        : [],
    ),
  ];
}

function undeclaredWarnings(
  names: ReadonlySet<string>,
  texts: readonly PlaceholderText[],
): Finding[] {
  const pathByName = new Map<string, string>();
  for (const { path, text } of texts) {
    for (const [, name = ""] of text.matchAll(ANY_PLACEHOLDER)) {
      if (pathByName.size >= MAX_UNDECLARED) break;
      if (!names.has(name) && !pathByName.has(name)) pathByName.set(name, path);
    }
  }
  return [...pathByName].map(([name, path]) =>
    warning(
      "placeholder_undeclared",
      path,
      `'{{${name}}}' stays as it is: no parameter '${name}' is declared`,
    ),
  );
}

/** What is wrong with the declarations themselves. */
export function declarationFindings(declared: readonly AgentParameter[]): Finding[] {
  const seen = new Set<string>();
  return declared.flatMap(({ name, defaultValue }, index) => {
    const findings: Finding[] = [];
    if (seen.has(name)) {
      findings.push(
        finding("duplicate_name", `parameters[${index}].name`, `'${name}' is declared twice`),
      );
    }
    seen.add(name);
    if (/[{}]/.test(name)) {
      findings.push(finding("invalid_value", `parameters[${index}].name`, "cannot hold braces"));
    }
    if (name === "__proto__") {
      const message = "requests cannot hold a member of that name";
      findings.push(finding("invalid_value", `parameters[${index}].name`, message));
    }
    if (defaultValue !== undefined && Buffer.byteLength(defaultValue) > MAX_PARAMETER_VALUE_BYTES) {
      findings.push(
        finding(
          "invalid_value",
          `parameters[${index}].defaultValue`,
          `is longer than ${MAX_PARAMETER_VALUE_BYTES} bytes of UTF-8`,
        ),
      );
    }
    return findings;
  });
}
