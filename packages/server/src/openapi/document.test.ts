import { errorCodes } from "@tracon/core";
import { expect, it } from "vitest";
import { routes } from "../routes/index.ts";
import { statusByCode } from "../status.ts";
import { testServer } from "../testing/test-server.ts";
import { openApiDocument } from "./document.ts";

const document = openApiDocument({ prefix: "/tracon", version: "0.1.0" });
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

it("is served as it is built", async () => {
  const response = await testServer().ask("/tracon/openapi.json");

  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
});

it("names the path it is served under", () => {
  const atRoot = openApiDocument({ prefix: "", version: "0.1.0" });

  expect(document.servers).toEqual([{ url: "/tracon" }]);
  expect(atRoot.servers).toEqual([{ url: "/" }]);
});

it("holds every operation once, under an id of its own", () => {
  const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  const ids = operations.map(({ operation }) => operation.operationId);

  expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  expect(new Set(ids).size).toBe(ids.length);
});

it("refers to nothing that is not there", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, reference = ""]) => reference,
  );

  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((it) => resolved(it) === undefined)).toEqual([]);
});

it("files every operation under a tag it explains", () => {
  const tags = document.tags.map(({ name }) => name);

  expect(operations.filter(({ operation }) => !tags.includes(operation.tags[0] ?? ""))).toEqual([]);
});

it("declares every parameter of every path, and no other", () => {
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((it) => it.in === "path").map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  }
});

it("gives every body a schema and an example", () => {
  const contents = operations.flatMap(({ operation }) => [
    ...Object.values(operation.requestBody?.content ?? {}),
    ...Object.entries(operation.responses)
      .filter(([status]) => status < "400")
      .flatMap(([, { content }]) => Object.values(content ?? {})),
  ]);

  expect(contents.filter(({ schema, example }) => !schema || example === undefined)).toEqual([]);
});

it.each(routes)("shows examples of $operationId that fit their schemas", ({ body, responses }) => {
  const contents = Object.values(responses).flatMap(({ content }) => Object.values(content ?? {}));

  for (const { schema, example } of [...contents, ...(body ? [body] : [])]) {
    expect(schema?.safeParse(example).error).toBeUndefined();
  }
});

it("shows a problem of every error code, with its status", () => {
  for (const code of Object.keys(errorCodes) as (keyof typeof errorCodes)[]) {
    expect(document.components.examples[code]).toMatchObject({
      value: { code, status: statusByCode[code], type: `/tracon/docs#${code}` },
    });
  }
});

it("documents the errors of every operation under their statuses", () => {
  for (const route of routes) {
    const { responses } = document.paths[route.path]?.[route.method.toLowerCase()] ?? {};
    for (const code of route.errors) {
      const problem = responses?.[statusByCode[code]]?.content?.["application/problem+json"];
      expect(problem?.examples).toHaveProperty(code);
    }
  }
});

it("lets answers grow members but not requests", () => {
  const { schemas } = document.components;

  expect(schemas.AgentDefinitionRequest).toMatchObject({ additionalProperties: false });
  expect(schemas.AgentDefinitionRequest?.required).toEqual(["name", "model"]);
  expect(schemas.RunRecord).not.toHaveProperty("additionalProperties");
});

it("uses no word of a schema language that OpenAPI 3.1 does not know", () => {
  const text = JSON.stringify(document.components.schemas);

  expect(text).not.toMatch(/"(\$schema|\$id|\$defs|nullable|id)":"/);
});

function resolved(reference: string): unknown {
  const path = reference.replace(/^#\//, "").split("/");
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document);
}
