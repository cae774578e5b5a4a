import { expect, it } from "vitest";
import * as z from "zod";
import { findingPath, findingsOf } from "./finding.ts";

it("writes paths as in code", () => {
  const paths = [[], ["a"], ["a", "b"], ["a", 0, "b"], [0, 1], ["a", 0, 1]];

  expect(paths.map((it) => findingPath(it))).toEqual([
    "",
    "a",
    "a.b",
    "a[0].b",
    "[0][1]",
    "a[0][1]",
  ]);
});

it.each([{ reportInput: true }, {}])(
  "tells a missing member from a wrong one and from one that does not exist (parsed with %j)",
  (options) => {
    const schema = z.strictObject({ name: z.string(), list: z.array(z.string()), size: z.int() });

    const { error } = schema.safeParse({ list: [1, null], size: 1.5, nmae: "a" }, options);

    expect(findingsOf(error as z.ZodError).map(({ code, path }) => [code, path])).toEqual([
      ["member_missing", "name"],
      ["invalid_value", "list[0]"],
      ["invalid_value", "list[1]"],
      ["invalid_value", "size"],
      ["unknown_member", "nmae"],
    ]);
  },
);

it("puts findings below a prefix", () => {
  const { error } = z.strictObject({}).safeParse({ a: 1 });

  const [found] = findingsOf(error as z.ZodError, ["agents", 2]);

  expect(found?.path).toBe("agents[2].a");
});

it("names the new member for one that was renamed", () => {
  const { error } = z.strictObject({}).safeParse({ callableAgentNames: [] });

  const [found] = findingsOf(error as z.ZodError);

  expect(found).toMatchObject({
    code: "unknown_member",
    path: "callableAgentNames",
    message: "'callableAgentNames' is now 'callableAgents'",
  });
});

it.each(["constructor", "toString", "hasOwnProperty"])(
  "says nothing odd of a member that is named %s like one of every object",
  (name) => {
    const strict = z.strictObject({}).safeParse({ [name]: 1 });
    const typed = z.record(z.string(), z.string()).safeParse({ [name]: 1 });

    expect(findingsOf(strict.error as z.ZodError)).toMatchObject([
      { code: "unknown_member", message: `'${name}' is not a member` },
    ]);
    expect(findingsOf(typed.error as z.ZodError)).toMatchObject([{ code: "invalid_value" }]);
  },
);
