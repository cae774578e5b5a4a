/** The options an extension may set: which there are, and what each may be. */

import type { AgentOptions } from "./agent-extension.ts";

/** Headers that decide who calls or who pays, which the provider's configuration does. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "openai-organization",
  "openai-project",
  "cookie",
  "host",
]);

const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isText = (value: unknown): boolean => typeof value === "string";

type FreeOption = Exclude<keyof AgentOptions, "definition">;

/** Every free option with the test of its value. */
const FREE_OPTIONS: Readonly<Record<FreeOption, (value: unknown) => boolean>> = {
  topK: isNumber,
  presencePenalty: isNumber,
  frequencyPenalty: isNumber,
  seed: Number.isInteger,
  stopSequences: (value) => Array.isArray(value) && value.every(isText),
  headers: (value) => isRecord(value) && Object.values(value).every(isText),
  providerOptions: (value) =>
    isRecord(value) &&
    Object.values(value).every((settings) => isRecord(settings) && isJson(settings)),
};

/** Says which member is no option of a call that can be set. */
export function unknownOption(options: AgentOptions): string | undefined {
  const unknown = Object.keys(options).find(
    (member) => member !== "definition" && !Object.hasOwn(FREE_OPTIONS, member),
  );
  if (unknown === undefined) return undefined;
  const free = Object.keys(FREE_OPTIONS).join(", ");
  return `sets '${unknown}', which an extension cannot set; it can set ${free}`;
}

/** Says which of the free options has a value that is none, or decides what others decide. */
export function freeOptionProblem(options: AgentOptions): string | undefined {
  const misfit = (Object.keys(FREE_OPTIONS) as FreeOption[]).find(
    (member) => options[member] !== undefined && !FREE_OPTIONS[member](options[member]),
  );
  if (misfit !== undefined) return `sets '${misfit}' to a value that does not fit`;
  const header = Object.keys(options.headers ?? {}).find((name) =>
    CREDENTIAL_HEADERS.has(name.toLowerCase()),
  );
  return header === undefined
    ? undefined
    : `sets 'headers.${header}', which the configuration of the provider decides`;
}

/** Whether a value is the same after it was written as JSON. Members that are `undefined` are absent. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isRecord(value) && Object.values(value).every((it) => it === undefined || isJson(it));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (value === null || typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
