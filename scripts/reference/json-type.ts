/** The parts of JSON Schema that zod writes and the OpenAPI document uses. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
};

/** Names for schemas that occur in several places. */
export type Names = readonly { readonly name: string; readonly schema: JsonSchema }[];

/**
 * A schema as a reader writes a type: `{ agentName: string, usage?: RunUsage }`. A schema that has
 * one of the names is written by it, except at the top.
 */
export function jsonType(schema: JsonSchema, names: Names = []): string {
  const member = (inner: JsonSchema): string => {
    const text = JSON.stringify(inner);
    const named = names.find((it) => JSON.stringify(it.schema) === text);
    return named?.name ?? jsonType(inner, names);
  };

  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((it) => JSON.stringify(it)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(member).join(" | ");
  if (schema.type === "array") return arrayType(schema.items ?? {}, member);
  if (schema.type === "object") return objectType(schema, member);
  return typeof schema.type === "object" ? schema.type.join(" | ") : (schema.type ?? "any");
}

function arrayType(items: JsonSchema, member: (schema: JsonSchema) => string): string {
  return isUnion(items) ? `(${member(items)})[]` : `${member(items)}[]`;
}

function objectType(
  { properties, required = [], additionalProperties }: JsonSchema,
  member: (schema: JsonSchema) => string,
): string {
  const members = Object.entries(properties ?? {}).map(([name, schema]) => {
    const optional = required.includes(name) ? "" : "?";
    return `${name}${optional}: ${member(schema)}`;
  });
  if (members.length > 0) return `{ ${members.join(", ")} }`;
  const values = typeof additionalProperties === "object" ? member(additionalProperties) : "any";
  return `{ [name]: ${values} }`;
}

const isUnion = ({ anyOf, oneOf, enum: values }: JsonSchema): boolean =>
  (anyOf ?? oneOf ?? values ?? []).length > 1;
