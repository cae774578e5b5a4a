import { jsonSchema } from "@ai-sdk/provider-utils";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { readToolSchema } from "./tool-schema.ts";

it("tells the model a zod schema as JSON Schema and reads arguments by it", async () => {
  const schema = await readToolSchema(
    z.object({ city: z.string().describe("Where."), days: z.number().default(3) }),
  );

  expect(schema.jsonSchema).toMatchObject({
    type: "object",
    properties: { city: { type: "string", description: "Where." } },
    required: ["city"],
  });
  expect(await schema.check({ city: "Bonn" })).toEqual({
    ok: true,
    value: { city: "Bonn", days: 3 },
  });
  expect(await schema.check({ city: 7 })).toEqual({
    ok: false,
    problem: expect.stringMatching(/^city: /),
  });
});

it("checks arguments by a JSON Schema that brings no check of its own", async () => {
  const schema = await readToolSchema(
    jsonSchema({
      type: "object",
      properties: { tags: { type: "array", items: { type: "string" } } },
      required: ["tags"],
    }),
  );

  expect(await schema.check({ tags: ["a"] })).toEqual({ ok: true, value: { tags: ["a"] } });
  expect(await schema.check({ tags: ["a", 1] })).toEqual({
    ok: false,
    problem: "tags.1: must be string",
  });
  expect(await schema.check({})).toEqual({
    ok: false,
    problem: "arguments: must have required property 'tags'",
  });
});

it("leaves the check to a JSON Schema that brings one", async () => {
  const schema = await readToolSchema(
    jsonSchema<{ x: number }>(
      { type: "object" },
      {
        validate: (value) =>
          JSON.stringify(value) === '{"x":1}'
            ? { success: true, value: { x: 2 } }
            : { success: false, error: new Error("secret words") },
      },
    ),
  );

  expect(await schema.check({ x: 1 })).toEqual({ ok: true, value: { x: 2 } });
  expect(await schema.check({ x: 3 })).toEqual({
    ok: false,
    problem: "the arguments do not fit the schema",
  });
});

it("reads schemas of the Standard Schema specification", async () => {
  const standard = {
    "~standard": {
      version: 1,
      vendor: "own",
      jsonSchema: { input: () => ({ type: "object", properties: { x: { type: "number" } } }) },
      validate: (value: { x?: unknown }) =>
        typeof value.x === "number"
          ? { value }
          : { issues: [{ message: "must be a number", path: ["x"] }] },
    },
  };
  const schema = await readToolSchema(standard as never);

  expect(schema.jsonSchema).toMatchObject({ properties: { x: { type: "number" } } });
  expect(await schema.check({ x: 1 })).toEqual({ ok: true, value: { x: 1 } });
  expect(await schema.check({ x: "1" })).toEqual({ ok: false, problem: "x: must be a number" });
});

it("takes a tool without a schema for one without arguments", async () => {
  const schema = await readToolSchema(undefined);

  expect(schema.jsonSchema).toMatchObject({ type: "object" });
  expect(await schema.check({})).toMatchObject({ ok: true });
  expect(await schema.check({ x: 1 })).toMatchObject({ ok: false });
});

it("checks by the draft that a schema names", async () => {
  const pair = {
    type: "array",
    prefixItems: [{ type: "string" }, { type: "number" }],
    items: false,
  };
  const schema = await readToolSchema(
    jsonSchema({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { pair },
    } as never),
  );

  expect(await schema.check({ pair: ["a", 1] })).toMatchObject({ ok: true });
  expect(await schema.check({ pair: [1, "a"] })).toMatchObject({ ok: false });
});

it("keeps the values of a map with free keys", async () => {
  const schema = await readToolSchema(z.object({ m: z.record(z.string(), z.number()) }));

  expect(schema.jsonSchema).toMatchObject({
    properties: { m: { type: "object", additionalProperties: { type: "number" } } },
  });
  expect(await schema.check({ m: { a: 1 } })).toEqual({ ok: true, value: { m: { a: 1 } } });
});

it("accepts by zod what the offered JSON Schema accepts, unions and tuples among them", async () => {
  const original = z.object({
    union: z.union([z.string(), z.number().int()]).optional(),
    choice: z.enum(["a", "b"]).nullable().optional(),
    tuple: z.tuple([z.string(), z.boolean()]).optional(),
    constant: z.literal(7).optional(),
  });
  const own = await readToolSchema(original);
  const offered = await readToolSchema(jsonSchema(own.jsonSchema as never));
  const value = fc.oneof(
    fc.constantFrom("a", "b", "c", null, 7, 7.5, true),
    fc.array(fc.constantFrom("x", true, 1), { maxLength: 3 }),
  );
  const members = ["union", "choice", "tuple", "constant"] as const;

  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...members), value), async (input) => {
      const byZod = await own.check(input);
      const byOffered = await offered.check(input);

      expect(byOffered.ok).toBe(byZod.ok);
    }),
  );
});

it.each([
  ["a text", z.string()],
  ["a list", jsonSchema({ type: "array" })],
  ["a reference to nowhere", jsonSchema({ type: "object", properties: { a: { $ref: "#/no" } } })],
  ["a keyword that is broken", jsonSchema({ type: "object", required: "x" } as never)],
  ["a check that answers later", jsonSchema({ type: "object", $async: true } as never)],
  ["a date, which JSON does not have", z.object({ at: z.date() })],
])("refuses %s", async (_, schema) => {
  await expect(readToolSchema(schema as never)).rejects.toThrow(Error);
});
