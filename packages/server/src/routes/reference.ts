import { jsonText } from "../json-response.ts";
import { defineRoute } from "../route.ts";

const tag = "Meta";

export const getOpenApi = defineRoute({
  method: "GET",
  path: "/openapi.json",
  operationId: "getOpenApi",
  tag,
  summary: "Read this API as an OpenAPI 3.1 document",
  access: "shell",
  responses: {
    200: {
      description: "The document.",
      content: { "application/json": { example: { openapi: "3.1.0" } } },
    },
  },
  errors: [],
  handler: ({ context }) => jsonText(context.openApiText()),
});

export const getReference = defineRoute({
  method: "GET",
  path: "/docs",
  operationId: "getReference",
  tag,
  summary: "Read this API as a page",
  access: "shell",
  responses: {
    200: {
      description: "The reference.",
      content: { "text/html": { example: "<!doctype html>…" } },
    },
  },
  errors: [],
  handler: ({ context }) => context.referencePage(),
});
