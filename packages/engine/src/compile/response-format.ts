/** The response format section: what shape the answer has, and whether the models can give it. */

import type { JSONSchema7, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { type AgentResponseFormat, type Finding, finding, type ModelBinding } from "@tracon/core";
import type { BoundModel, ProviderRegistry } from "../model/provider-registry.ts";
import { fromJsonSchema } from "../tools/tool-schema.ts";
import type { AnswerFormat } from "../turn/step.ts";
import { parsedJson } from "../turn/structured-response-check.ts";

export type CompiledFormat = {
  /** As models are asked for it; absent when the definition says nothing. */
  readonly requested: LanguageModelV4CallOptions["responseFormat"];
  /** What the turn knows of it for one model; `undefined` for text. */
  answerFormat(bound: BoundModel, hasTools: boolean): AnswerFormat | undefined;
};

/** Compiles the section; pushes what is wrong with it. */
export function compileResponseFormat(
  binding: ModelBinding,
  providers: ProviderRegistry,
  findings: Finding[],
): CompiledFormat {
  const { responseFormat: format } = binding;
  if (format === undefined) return { requested: undefined, answerFormat: () => undefined };
  findings.push(...schemaFindings(format), ...supportFindings(format, binding, providers));
  return { requested: requestedFormat(format), answerFormat: answerFormatOf(format) };
}

function schemaFindings({ kind, schema }: AgentResponseFormat): readonly Finding[] {
  const path = "model.responseFormat.schema";
  if (kind !== "JsonSchema") {
    if (schema === undefined) return [];
    const message = `a schema belongs to the kind JsonSchema; leave it out for ${kind}`;
    return [finding("response_format_schema_invalid", path, message)];
  }
  if (schema === undefined) {
    return [finding("response_format_schema_missing", path, "the kind JsonSchema needs a schema")];
  }
  if (schema.type === "object") return [];
  const message = 'the root of the schema must be an object: { "type": "object", … }';
  return [finding("response_format_schema_invalid", path, message)];
}

/** A model nobody listed may know the format; one that is listed has to say so. */
function supportFindings(
  { kind }: AgentResponseFormat,
  { provider, model, fallbacks }: ModelBinding,
  providers: ProviderRegistry,
): readonly Finding[] {
  if (kind === "Text") return [];
  const models = [
    { provider, model, path: "model.responseFormat.kind" },
    ...fallbacks.map((fallback, index) => ({ ...fallback, path: `model.fallbacks[${index}]` })),
  ];
  return models
    .filter((it) => providers.listed(it.provider, it.model)?.supportsStructuredOutput === false)
    .map((it) =>
      finding(
        "structured_output_unsupported",
        it.path,
        `model '${it.model}' of '${it.provider}' is listed without supportsStructuredOutput`,
      ),
    );
}

function requestedFormat(
  format: AgentResponseFormat,
): NonNullable<LanguageModelV4CallOptions["responseFormat"]> {
  const { kind, schema, schemaName, schemaDescription } = format;
  if (kind === "Text") return { type: "text" };
  return {
    type: "json",
    ...(schema === undefined ? {} : { schema: schema as JSONSchema7 }),
    ...(schemaName === undefined ? {} : { name: schemaName }),
    ...(schemaDescription === undefined ? {} : { description: schemaDescription }),
  };
}

function answerFormatOf({ kind, schema, schemaName }: AgentResponseFormat) {
  if (kind === "Text") return () => undefined;
  const fits = fitTest(schema);
  return ({ combinesToolsAndFormat }: BoundModel, hasTools: boolean): AnswerFormat => ({
    kind,
    schema,
    schemaName,
    isDeferred: hasTools && !combinesToolsAndFormat,
    fits,
  });
}

/** The schema is compiled when an answer is first held against it; most agents never need that. */
function fitTest(schema: AgentResponseFormat["schema"]): AnswerFormat["fits"] {
  let check: ((value: unknown) => boolean) | undefined;
  return (text) => {
    const value = parsedJson(text);
    if (value === undefined) return false;
    check ??= schemaTest(schema);
    return check(value);
  };
}

function schemaTest(schema: AgentResponseFormat["schema"]): (value: unknown) => boolean {
  if (schema === undefined) return () => true;
  try {
    const check = fromJsonSchema(schema);
    return (value) => {
      const checked = check(value);
      return "ok" in checked && checked.ok;
    };
  } catch {
    // The vocabulary is not checked when a definition is saved; the provider may know more of it.
    return () => false;
  }
}
