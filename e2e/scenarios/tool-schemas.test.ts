/** What a tool declares reaches the model as it was declared, and its arguments reach the tool. */

import { jsonSchema, tool } from "ai";
import type { TraconConfig } from "tracon";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";

const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

/** Five levels of lists and objects, each with a constraint of its own. */
const DEEP = {
  type: "object",
  properties: {
    orders: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["lines"],
        additionalProperties: false,
        properties: {
          lines: {
            type: "array",
            maxItems: 9,
            items: {
              type: "array",
              uniqueItems: true,
              items: {
                type: "object",
                properties: { count: { type: "integer", exclusiveMinimum: 0, multipleOf: 2 } },
              },
            },
          },
        },
      },
    },
  },
} as const;

const MIXED = {
  type: "object",
  properties: {
    any: { anyOf: [{ type: "string" }, { type: "number" }] },
    one: { oneOf: [{ const: 1 }, { const: "1" }, { type: "null" }] },
    all: { allOf: [{ type: "string", minLength: 2 }, { pattern: "^a" }] },
    not: { not: { type: "boolean" } },
    tuple: {
      type: "array",
      items: [{ type: "string" }, { type: "number" }],
      additionalItems: false,
    },
    choice: { enum: ["a", 1, null, true] },
    nullable: { type: ["string", "null"] },
  },
  patternProperties: { "^x-": { type: "integer" } },
  additionalProperties: false,
} as const;

const MAP = {
  type: "object",
  properties: { m: { type: "object", additionalProperties: { type: "number" } } },
} as const;

it.each([
  ["nested five levels deep", DEEP],
  ["with unions, tuples, constants and patterns", MIXED],
  ["with a map of free keys", MAP],
])("offers a schema %s to the model without a change", async (_, schema) => {
  const { api, calls } = await start(["Done."], schema);

  await api.run("caller");
  const { body: listed } = await api.json("GET", "/api/tools");

  const offered = (calls[0]?.tools ?? []).map((it) => "inputSchema" in it && it.inputSchema);
  expect(offered).toEqual([schema]);
  expect(listed[0].inputSchema).toEqual(schema);
});

it("hands a map of free keys to the tool as the model wrote it", async () => {
  const input = { m: { a: 1, constructor: 2, "": 3, ключ: 4 } };
  const { api, received } = await start([{ toolCalls: [{ name: "look", input }] }, "Done."], MAP);

  await api.run("caller");

  expect(received).toEqual([input]);
});

it.each([
  [DEEP, { orders: [{ lines: [[{ count: 3 }]] }] }],
  [DEEP, { orders: [{ lines: [], extra: 1 }] }],
  [DEEP, { orders: [] }],
  [MIXED, { any: true }],
  [MIXED, { one: 2 }],
  [MIXED, { all: "b" }],
  [MIXED, { not: false }],
  [MIXED, { tuple: ["a", 1, 2] }],
  [MIXED, { choice: "b" }],
  [MIXED, { "x-y": "1" }],
  [MAP, { m: { a: "1" } }],
])(
  "keeps arguments from the tool that break its schema at any depth: %#",
  async (schema, input) => {
    const { api, received } = await start(
      [{ toolCalls: [{ name: "look", input }] }, "Done."],
      schema,
    );

    const { status } = await api.run("caller");

    expect(status).toBe("Completed");
    expect(received).toEqual([]);
  },
);

it.each([
  ["a map of free keys", MAP, "'m' is a map of free keys"],
  ["patterns and tuples", MIXED, "'tuple' is a tuple"],
])("refuses a strict tool with %s at its name in the definition", async (_, schema, reason) => {
  const { api } = await start([], schema, { strict: true, agents: [] });

  const { body: report } = await api.json("POST", "/api/agents/validate", CALLER);
  const saved = await api.json("POST", "/api/agents", CALLER);

  expect(report).toMatchObject({
    valid: false,
    messages: [
      {
        code: "strict_schema_unsupported",
        path: "toolNames[0]",
        message: expect.stringContaining(reason),
        severity: "Error",
      },
    ],
  });
  expect(saved.status).toBe(400);
});

it("sends strict along with a schema that a strict mode carries", async () => {
  const schema = { ...MAP, properties: { m: { type: "number" } }, additionalProperties: false };
  const { api, calls } = await start(["Done."], schema, { strict: true });

  await api.run("caller");

  expect(calls[0]?.tools).toMatchObject([{ name: "look", inputSchema: schema, strict: true }]);
});

it("keeps tools apart whose names differ in case only", async () => {
  const seen: string[] = [];
  const named = (name: string) =>
    tool({ inputSchema: z.object({}), execute: () => seen.push(name) });
  const host = await startScriptedHost(
    [{ toolCalls: [{ name: "Look" }, { name: "look" }, { name: "LOOK" }] }, "Done."],
    {
      tools: { look: named("look"), Look: named("Look") },
      agents: [{ ...CALLER, toolNames: ["look", "Look"] }],
    },
  );
  open.push(host);

  const { runId } = await host.api.run("caller");
  const { body: tools } = await host.api.json("GET", `/api/runs/${runId}/tools`);

  expect(seen).toEqual(["Look", "look"]);
  expect(tools.map(({ succeeded }: { succeeded: boolean }) => succeeded)).toEqual([
    true,
    true,
    false,
  ]);
});

it("refuses tools whose names would have to be changed for a provider", async () => {
  const named = tool({ inputSchema: z.object({}), execute: () => 1 });
  const names = ["a.b", "a b", "ç", "!!!", "", "x".repeat(65)];

  const starting = startScriptedHost([], {
    tools: Object.fromEntries(names.map((name) => [name, named])),
  });

  await expect(starting).rejects.toMatchObject({
    code: "configuration_invalid",
    details: { findings: names.map(() => ({ code: "tool_name_invalid" })) },
  });
});

const CALLER = { name: "caller", model: { provider: "test", model: "m" }, toolNames: ["look"] };

async function start(
  script: Parameters<typeof startScriptedHost>[0],
  schema: object,
  {
    strict,
    agents = [CALLER],
  }: {
    readonly strict?: boolean;
    readonly agents?: NonNullable<TraconConfig["agents"]>;
  } = {},
) {
  const received: unknown[] = [];
  const host = await startScriptedHost(script, {
    tools: {
      look: tool({
        inputSchema: jsonSchema(schema),
        execute: (input) => received.push(input),
        ...(strict === undefined ? {} : { strict }),
      }),
    },
    agents,
  });
  open.push(host);
  return { ...host, received };
}
