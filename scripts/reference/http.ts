import { type OpenApiDocument, openApiDocument } from "@tracon/server";
import { type JsonSchema, jsonType } from "./json-type.ts";
import { code, table } from "./table.ts";

type Operation = NonNullable<OpenApiDocument["paths"][string][string]>;
type PlacedOperation = {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
};

export function httpPage(version: string): string {
  const document = openApiDocument({ prefix: "", version });
  const sections = document.tags.map(({ name, description }) => {
    const operations = operationsOf(document).filter(({ operation }) =>
      operation.tags.includes(name),
    );
    return [`## ${name}`, description, ...operations.map(operationText)].join("\n\n");
  });
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    code(name),
    code(jsonType(schema as JsonSchema)),
  ]);

  return `# HTTP API

Paths are below the prefix, \`/tracon\` unless the host chose another. A running server answers the
same as OpenAPI 3.1 at \`/openapi.json\` and as a page with examples at \`/docs\`. Errors are problem
details with a code of [errors.md](errors.md).

${sections.join("\n\n")}

## Shapes

${table(["Name", "Shape"], schemas)}
`;
}

function operationsOf(document: OpenApiDocument): readonly PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

function operationText({ method, path, operation }: PlacedOperation): string {
  const paragraphs = [
    `### ${method.toUpperCase()} ${path}`,
    sentence(operation.summary),
    operation.description ?? "",
    parametersText(operation),
    bodyText(operation),
    answersText(operation),
  ];
  return paragraphs.filter((text) => text !== "").join("\n\n");
}

function parametersText({ parameters }: Operation): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(({ name, in: place, required, schema, description = "" }) => [
    code(name),
    required ? `${place}, required` : place,
    code(jsonType(schema as JsonSchema)),
    description,
  ]);
  return table(["Parameter", "In", "Type", "Meaning"], rows);
}

function bodyText({ requestBody }: Operation): string {
  const schema = requestBody?.content["application/json"]?.schema;
  return schema === undefined ? "" : `Body: ${code(jsonType(schema))}`;
}

function answersText({ responses }: Operation): string {
  const entries = Object.entries(responses);
  const rows = entries
    .filter(([status]) => !isError(status))
    .map(([status, { description, content = {} }]) => [status, description, bodyOf(content)]);
  const errors = entries
    .filter(([status]) => isError(status))
    .map(([status, { description }]) => `${status} ${codesIn(description).map(code).join(", ")}`);
  return `${table(["Status", "Meaning", "Body"], rows)}\n\nErrors: ${errors.join("; ")}.`;
}

const bodyOf = (content: NonNullable<Operation["responses"][string]["content"]>): string =>
  Object.entries(content)
    .map(([mediaType, { schema }]) =>
      schema === undefined ? code(mediaType) : code(jsonType(schema as JsonSchema)),
    )
    .join(" or ");

const isError = (status: string): boolean => Number(status) >= 400;

/** The document says of an error status which codes it stands for: "`code`: meaning". */
const codesIn = (description: string): readonly string[] =>
  [...description.matchAll(/`(\w+)`:/g)].map(([, name = ""]) => name);

const sentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);
