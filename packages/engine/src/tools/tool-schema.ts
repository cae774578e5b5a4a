/**
 * The input schema of a tool: what the model is told, and the check of what it sends.
 *
 * A schema that arrives as data carries no check of its own in the AI SDK, so it is compiled here;
 * without that, a wrongly typed argument would reach the tool.
 */

import { asSchema, type FlexibleSchema } from "@ai-sdk/provider-utils";
import { Ajv, type ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

/** The arguments as the tool gets them, or what is wrong with them in the words of the schema. */
export type CheckedArguments =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

export type ToolSchema = {
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  check(value: unknown): CheckedArguments | PromiseLike<CheckedArguments>;
};

/** Reads a schema in any form the AI SDK accepts. Throws when it cannot be expressed as JSON Schema. */
export async function readToolSchema(schema: FlexibleSchema | undefined): Promise<ToolSchema> {
  const { jsonSchema, validate } = asSchema(schema);
  const described = (await jsonSchema) as Readonly<Record<string, unknown>>;
  if (described.type !== undefined && described.type !== "object") {
    throw new TypeError("the arguments of a tool are an object, so its schema must be of one");
  }
  return { jsonSchema: described, check: validate ? fromSdk(validate) : fromJsonSchema(described) };
}

type SdkResult = { success: true; value: unknown } | { success: false; error: Error };

function fromSdk(
  validate: (value: unknown) => SdkResult | PromiseLike<SdkResult>,
): ToolSchema["check"] {
  return (value) => {
    const result = validate(value);
    return "then" in result ? result.then(readSdkResult) : readSdkResult(result);
  };
}

function readSdkResult(result: SdkResult): CheckedArguments {
  if (result.success) return { ok: true, value: result.value };
  return { ok: false, problem: describeIssues(result.error) };
}

type Issue = { readonly path?: readonly unknown[]; readonly message: string };

/** Names where and what, from the issues most validators report; never the whole error's text. */
function describeIssues(error: Error): string {
  const issues = issuesOf(error) ?? issuesOf(error.cause);
  if (issues === undefined) return "the arguments do not fit the schema";
  return issues.map((issue) => `${pathText(issue.path)}: ${issue.message}`).join("; ");
}

function issuesOf(value: unknown): readonly Issue[] | undefined {
  if (Array.isArray(value)) return value as readonly Issue[];
  if (value === null || typeof value !== "object" || !("issues" in value)) return undefined;
  return Array.isArray(value.issues) ? (value.issues as readonly Issue[]) : undefined;
}

function pathText(path: readonly unknown[] | undefined): string {
  if (path === undefined || path.length === 0) return "arguments";
  return path
    .map((part) =>
      String(part !== null && typeof part === "object" && "key" in part ? part.key : part),
    )
    .join(".");
}

const checks = new WeakMap<object, ToolSchema["check"]>();

/** A schema of the engine's own tools; its check is made at the first use, once for all agents. */
export const schemaOfJson = (jsonSchema: Readonly<Record<string, unknown>>): ToolSchema => ({
  jsonSchema,
  check(value) {
    let check = checks.get(jsonSchema);
    if (check === undefined) {
      check = fromJsonSchema(jsonSchema);
      checks.set(jsonSchema, check);
    }
    return check(value);
  },
});

const AJV_OPTIONS = { allErrors: true, strict: false, logger: false } as const;

/** The check a JSON Schema makes. Throws when the schema itself is not valid. */
export function fromJsonSchema(schema: Readonly<Record<string, unknown>>): ToolSchema["check"] {
  // An asynchronous check would answer with a promise, which is neither yes nor no.
  if (schema.$async !== undefined) throw new TypeError("the schema must not be asynchronous");
  const isCurrent = String(schema.$schema ?? "").includes("2020-12");
  const ajv = isCurrent ? new Ajv2020(AJV_OPTIONS) : new Ajv(AJV_OPTIONS);
  const validate = ajv.compile(schema);
  return (value) =>
    validate(value)
      ? { ok: true, value }
      : { ok: false, problem: (validate.errors ?? []).map(describeError).join("; ") };
}

const describeError = (error: ErrorObject): string =>
  `${error.instancePath.slice(1).replaceAll("/", ".") || "arguments"}: ${error.message ?? error.keyword}`;
