import { jsonSchema, type Tool, tool } from "@ai-sdk/provider-utils";
import { expect, it } from "vitest";
import * as z from "zod";
import { createToolRegistry } from "./tool-registry.ts";

const inputSchema = z.object({ x: z.number() });
const plain = tool({ description: "Adds.", inputSchema, execute: ({ x }) => x + 1 });

it("lists the registered tools by name, with what is known of them", async () => {
  const { registry, findings } = await createToolRegistry({
    second: { tool: plain, effect: "read", safeToRepeat: true },
    first: plain,
  });

  expect(findings).toEqual([]);
  expect(registry.descriptors).toMatchObject([
    { name: "first", description: "Adds.", safeToRepeat: false },
    { name: "second", effect: "read", safeToRepeat: true, inputSchema: { type: "object" } },
  ]);
  expect(registry.get("first")?.name).toBe("first");
  expect(registry.get("First")).toBeUndefined();
});

it.each(["two words", "ümlaut", "", "x".repeat(65), "a.b", "😀"])(
  "refuses the tool name %j, which providers would refuse",
  async (name) => {
    const { registry, findings } = await createToolRegistry({ [name]: plain });

    expect(findings).toMatchObject([{ code: "tool_name_invalid", path: `tools.${name}` }]);
    expect(registry.descriptors).toEqual([]);
  },
);

it("refuses what this version does not have, with all findings at once", async () => {
  const { findings } = await createToolRegistry({
    a: { tool: plain, requiresApproval: true, timeout: "10s" },
    b: { ...plain, needsApproval: true } as Tool,
    c: tool({ inputSchema }) as Tool,
    "no name": plain,
  });

  expect(findings.map(({ code, path }) => [code, path])).toEqual([
    ["feature_unavailable", "tools.a.requiresApproval"],
    ["feature_unavailable", "tools.a.timeout"],
    ["feature_unavailable", "tools.b.needsApproval"],
    ["feature_unavailable", "tools.c.execute"],
    ["tool_name_invalid", "tools.no name"],
  ]);
});

it("reports a schema that cannot be read", async () => {
  const { findings } = await createToolRegistry({
    a: tool({ inputSchema: jsonSchema({ type: "string" }), execute: () => "x" }) as Tool,
  });

  expect(findings).toMatchObject([{ code: "invalid_value", path: "tools.a.inputSchema" }]);
});

it("calls a tool's functions as its own", async () => {
  class Adder {
    readonly inputSchema = inputSchema;
    readonly #step = 5;
    execute({ x }: { x: number }) {
      return x + this.#step;
    }
  }
  const { registry } = await createToolRegistry({ add: new Adder() as unknown as Tool });

  const options = { toolCallId: "c", messages: [], context: undefined as never };

  expect(await registry.get("add")?.execute({ x: 1 }, options)).toBe(6);
});
