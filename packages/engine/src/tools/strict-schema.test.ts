import { asSchema, tool } from "@ai-sdk/provider-utils";
import { expect, it } from "vitest";
import * as z from "zod";
import { strictProblems } from "./strict-schema.ts";

it.each([
  [
    "free keys of one type",
    { m: { additionalProperties: { type: "number" } } },
    "is a map of free keys",
  ],
  [
    "free keys of any type",
    { m: { additionalProperties: true } },
    "does not set additionalProperties to false",
  ],
  ["an object left open", { m: {} }, "does not set additionalProperties to false"],
])("names %s", (_, { m }, problem) => {
  const schema = closed({ m: { type: "object", ...m } });

  expect(strictProblems(schema)).toEqual([`'m' ${problem}`]);
});

it("names every place at any depth, those of lists, unions and definitions too", () => {
  const open = { type: "object" };
  const schema = {
    ...closed({
      list: { type: "array", items: closed({ deep: open }) },
      either: { anyOf: [{ type: "string" }, open] },
      both: { allOf: [open] },
      maybe: { type: ["object", "null"] },
    }),
    $defs: { node: open },
  };

  const problem = "does not set additionalProperties to false";
  expect(strictProblems(schema)).toEqual(
    ["list[].deep", "either", "both", "maybe", "$defs.node"].map((it) => `'${it}' ${problem}`),
  );
});

it("names what is no part of a strict mode's schemas", () => {
  const schema = {
    ...closed({
      any: {},
      list: { type: "array" },
      pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
      other: { not: { type: "boolean" } },
      far: { $ref: "https://example.com/schema.json" },
    }),
    patternProperties: { "^x-": { type: "integer" } },
  };

  expect(strictProblems(schema)).toEqual([
    "the schema uses patternProperties",
    "'any' takes any value",
    "'list[]' takes any value",
    "'pair' is a tuple",
    "'other' uses not",
    "'far' refers to a schema elsewhere",
  ]);
});

it("leaves to the provider what some strict mode carries", () => {
  const node = closed({ next: { anyOf: [{ $ref: "#" }, { type: "null" }] } });
  const { inputSchema } = tool({
    inputSchema: z.object({
      name: z.string().min(1).optional(),
      size: z.union([z.literal(1), z.literal("a"), z.null()]),
      kind: z.enum(["a", "b"]),
      either: z.discriminatedUnion("is", [
        z.object({ is: z.literal(1) }),
        z.object({ is: z.literal(2), list: z.array(z.object({ n: z.int() })) }),
      ]),
    }),
  });

  expect(strictProblems(node)).toEqual([]);
  expect(strictProblems(asSchema(inputSchema).jsonSchema)).toEqual([]);
  expect(
    strictProblems({
      ...closed({ a: TEXT, b: TEXT }),
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    }),
  ).toEqual([]);
});

it("names the free keys of a zod record", () => {
  const { inputSchema } = tool({ inputSchema: z.object({ m: z.record(z.string(), z.number()) }) });

  expect(strictProblems(asSchema(inputSchema).jsonSchema)).toEqual(["'m' is a map of free keys"]);
});

const TEXT = { type: "string" };

const closed = (properties: Readonly<Record<string, object>>) => ({
  type: "object",
  properties,
  additionalProperties: false,
});
