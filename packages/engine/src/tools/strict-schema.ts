/**
 * What a strict mode cannot carry of the input schema of a tool.
 *
 * A provider that is asked to keep strictly to a schema takes a part of JSON Schema only: every object
 * closed, every value described. Only what all of them refuse is told here. What some carry, as
 * `oneOf`, optional members or bounds, is left to the provider that is asked.
 */

/** One sentence without a full stop for each place, or nothing when some strict mode carries the schema. */
export function strictProblems(schema: unknown): readonly string[] {
  const problems: string[] = [];
  inspect(schema, { path: "", isPart: false }, problems);
  return problems;
}

type Place = {
  /** As a tool's author would write it: `orders[].m`; empty for the arguments as a whole. */
  readonly path: string;
  /** It adds to a schema that says what the value is, and need not say it itself. */
  readonly isPart: boolean;
};

type Schema = Readonly<Record<string, unknown>>;

const UNCARRIED = [
  "patternProperties",
  "not",
  "if",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "contains",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;
/** Any of them says what a value may be. */
const DESCRIBING = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"] as const;

function inspect(schema: unknown, place: Place, problems: string[]): void {
  if (!isSchema(schema)) {
    if (schema !== false) problems.push(`${nameOf(place)} takes any value`);
    return;
  }
  problems.push(...keywordProblems(schema, place), ...objectProblems(schema, place));
  for (const [part, at] of partsOf(schema, place)) inspect(part, at, problems);
}

function keywordProblems(schema: Schema, place: Place): string[] {
  const name = nameOf(place);
  const problems = UNCARRIED.filter((keyword) => keyword in schema).map(
    (keyword) => `${name} uses ${keyword}`,
  );
  if (isTuple(schema)) problems.push(`${name} is a tuple`);
  if (typeof schema.$ref === "string" && !schema.$ref.startsWith("#")) {
    problems.push(`${name} refers to a schema elsewhere`);
  }
  if (problems.length > 0 || place.isPart) return problems;
  return DESCRIBING.some((keyword) => keyword in schema) ? [] : [`${name} takes any value`];
}

function objectProblems(schema: Schema, place: Place): string[] {
  const isObject = typesOf(schema).includes("object") || isSchema(schema.properties);
  if (!isObject || schema.additionalProperties === false) return [];
  return [
    isSchema(schema.additionalProperties)
      ? `${nameOf(place)} is a map of free keys`
      : `${nameOf(place)} does not set additionalProperties to false`,
  ];
}

function* partsOf(schema: Schema, place: Place): Generator<[unknown, Place]> {
  const prefix = place.path === "" ? "" : `${place.path}.`;
  for (const [name, member] of entriesOf(schema.properties)) {
    yield [member, { path: `${prefix}${name}`, isPart: false }];
  }
  if (typesOf(schema).includes("array") && !isTuple(schema)) {
    yield [schema.items, { path: `${place.path}[]`, isPart: false }];
  }
  for (const branch of listOf(schema.allOf)) yield [branch, { ...place, isPart: true }];
  const isPart = place.isPart || "type" in schema;
  for (const branch of [...listOf(schema.anyOf), ...listOf(schema.oneOf)]) {
    yield [branch, { ...place, isPart }];
  }
  for (const definitions of ["$defs", "definitions"] as const) {
    for (const [name, definition] of entriesOf(schema[definitions])) {
      yield [definition, { path: `${definitions}.${name}`, isPart: false }];
    }
  }
}

const isSchema = (value: unknown): value is Schema =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isTuple = ({ items, prefixItems }: Schema): boolean =>
  Array.isArray(items) || Array.isArray(prefixItems);

const typesOf = ({ type }: Schema): readonly unknown[] => (Array.isArray(type) ? type : [type]);

const entriesOf = (value: unknown): [string, unknown][] =>
  isSchema(value) ? Object.entries(value) : [];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const nameOf = ({ path }: Place): string => (path === "" ? "the schema" : `'${path}'`);
