/** Builds the OpenAPI 3.1 document from the very objects the router runs. */

import { type ErrorCode, errorCodes } from "@tracon/core";
import { problemKind } from "../problem.ts";
import type { Route } from "../route.ts";
import { routes } from "../routes/index.ts";
import { statusByCode } from "../status.ts";
import {
  componentSchemas,
  type JsonSchema,
  parameterSchema,
  schemaReference,
} from "./components.ts";

export type OpenApiParameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
};

export type OpenApiContent = Readonly<
  Record<string, { readonly schema?: JsonSchema; readonly [member: string]: unknown }>
>;

export type OpenApiResponse = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly content?: OpenApiContent;
};

export type OpenApiOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: true; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
};

/** An OpenAPI 3.1 document, as far as this API needs one. */
export type OpenApiDocument = {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: JsonSchema;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly examples: Readonly<Record<string, JsonSchema>>;
  };
};

const TAGS = [
  { name: "Meta", description: "The installation and this API." },
  { name: "Agents", description: "Definitions: versioned, compared, rolled back." },
  { name: "Runs", description: "Starting agents, and what every run did." },
  { name: "Sessions", description: "Conversations that runs continue." },
  { name: "Approvals", description: "Tool calls that wait for a person, and standing rules." },
  { name: "Statistics", description: "Counts, tokens and cost over many runs." },
  { name: "Attachments", description: "Files that runs refer to by id." },
  { name: "Catalog", description: "What definitions can name: tools and models." },
];

/** What any guarded operation may answer. */
const GUARDED_ERRORS: readonly ErrorCode[] = ["unauthorized", "forbidden", "host_not_allowed"];
const SHELL_ERRORS: readonly ErrorCode[] = ["forbidden", "host_not_allowed"];
const STORE_ERRORS: readonly ErrorCode[] = ["store_unavailable", "schema_outdated"];
const BODY_ERRORS: readonly ErrorCode[] = ["body_too_large", "media_type_unsupported"];

const UPLOAD_ERRORS: readonly ErrorCode[] = ["media_type_unsupported"];

/**
 * The document of this version's API. `prefix` is the path the server answers under (the empty text
 * for the root), `version` the product's.
 */
export function openApiDocument(options: {
  readonly prefix: string;
  readonly version: string;
}): OpenApiDocument {
  const { prefix, version } = options;
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    const operation = { [route.method.toLowerCase()]: operationOf(route) };
    paths[route.path] = { ...paths[route.path], ...operation };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Tracon",
      version,
      description:
        "Agents as versioned data, runs as recorded evidence. Every error is a problem of RFC 9457 whose `code` comes from one table.",
    },
    servers: [{ url: prefix === "" ? "/" : prefix }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: componentSchemas(),
      examples: Object.fromEntries(
        (Object.keys(errorCodes) as ErrorCode[]).map((code) => [
          code,
          problemExample(code, prefix),
        ]),
      ),
    },
  };
}

function operationOf(route: Route): OpenApiOperation {
  const { description } = route;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(description === undefined ? {} : { description }),
    security: route.access === "guarded" ? [{}, { bearer: [] }] : [],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...requestBodyOf(route),
    responses: { ...answersOf(route), ...problemsOf(route) },
  };
}

function requestBodyOf({ body, upload }: Route): Pick<OpenApiOperation, "requestBody"> {
  if (body !== undefined) {
    return { requestBody: { required: true, content: contentOf({ "application/json": body }) } };
  }
  if (upload === undefined) return {};
  const { field, description } = upload;
  const schema: JsonSchema = {
    type: "object",
    properties: { [field]: { type: "string", format: "binary", description } },
    required: [field],
  };
  const example = { [field]: "(the bytes of the file)" };
  return {
    requestBody: { required: true, content: { "multipart/form-data": { schema, example } } },
  };
}

/** How each path parameter is written; its name means the same in every path. */
const PATH_PARAMETERS: Readonly<
  Record<string, Omit<OpenApiParameter, "name" | "in" | "required">>
> = {
  name: {
    description: "Name of the agent.",
    schema: { type: "string", maxLength: 128 },
    example: "support",
  },
  runId: {
    description: "Id of the run.",
    schema: { type: "string", format: "uuid" },
    example: "01993c1e-7d2b-7a54-9c0e-5d1f0a6b7c8d",
  },
  sessionId: {
    description: "Id of the session.",
    schema: { type: "string", maxLength: 128 },
    example: "chat-4711",
  },
  id: {
    description: "Id of the one that is meant.",
    schema: { type: "string", format: "uuid" },
    example: "01993c1e-7d2b-7a54-9c0e-5d1f0a6b7c8e",
  },
  ...Object.fromEntries(
    ["n", "a", "b"].map((name) => [
      name,
      {
        description: "Number of a version.",
        schema: { type: "integer", minimum: 1, maximum: 2_147_483_647 },
        example: name === "b" ? 3 : 2,
      },
    ]),
  ),
};

const pathParameters = ({ path }: Route): OpenApiParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...(PATH_PARAMETERS[name] ?? { schema: { type: "string" } }),
  }));

const queryParameters = ({ query }: Route): OpenApiParameter[] =>
  Object.entries(query.shape).map(([name, type]) => {
    const { description, ...schema } = parameterSchema(type);
    return {
      name,
      in: "query",
      required: false,
      ...(typeof description === "string" ? { description } : {}),
      schema,
    };
  });

const headerParameters = ({ headers = [] }: Route): OpenApiParameter[] =>
  headers.map(({ name, description, example }) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
    example,
  }));

function answersOf({ responses }: Route): Record<string, OpenApiResponse> {
  const answers = Object.entries(responses).map(([status, { description, content, headers }]) => [
    status,
    {
      description,
      ...(headers === undefined ? {} : { headers: headersOf(headers) }),
      ...(content === undefined ? {} : { content: contentOf(content) }),
    },
  ]);
  return Object.fromEntries(answers);
}

const headersOf = (headers: Readonly<Record<string, string>>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: "string" } },
    ]),
  );

function contentOf(content: NonNullable<Route["responses"][number]["content"]>): OpenApiContent {
  const forms = Object.entries(content).map(([mediaType, { schema, example }]) => [
    mediaType,
    { schema: schema === undefined ? textSchema(example) : schemaReference(schema), example },
  ]);
  return Object.fromEntries(forms);
}

const textSchema = (example: unknown): JsonSchema => ({
  type: typeof example === "string" ? "string" : "object",
});

/** Error answers, one a status, each code with its example. */
function problemsOf(route: Route): Record<string, OpenApiResponse> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(route)) {
    const status = statusByCode[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code]}`).join(" "),
      content: {
        "application/problem+json": {
          schema: { $ref: "#/components/schemas/Problem" },
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    },
  ]);
  return Object.fromEntries(answers);
}

function errorsOf(route: Route): ReadonlySet<ErrorCode> {
  const access = { open: [], shell: SHELL_ERRORS, guarded: GUARDED_ERRORS }[route.access];
  return new Set([
    "request_invalid",
    ...access,
    ...(route.body === undefined ? [] : BODY_ERRORS),
    ...(route.upload === undefined ? [] : UPLOAD_ERRORS),
    ...route.errors,
    ...(route.access === "guarded" ? STORE_ERRORS : []),
    "internal",
  ]);
}

function problemExample(code: ErrorCode, prefix: string): JsonSchema {
  const { type, title, status } = problemKind(code, prefix);
  return {
    summary: title,
    value: {
      type,
      title,
      status,
      detail: title,
      code,
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    },
  };
}
