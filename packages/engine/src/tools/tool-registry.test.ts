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

it("describes what is asked of a tool, and the defaults where nothing is", async () => {
  const { registry, findings } = await createToolRegistry(
    {
      a: {
        tool: plain,
        requiresApproval: true,
        timeout: "2m",
        maxOutputBytes: 57,
        authorize: () => true,
        requiredPermission: "refund",
      },
      b: { ...plain, needsApproval: () => true } as Tool,
      c: tool({ inputSchema }) as Tool,
      d: plain,
    },
    { timeoutMs: 1_500, maxOutputBytes: 1_000 },
  );

  expect(findings).toEqual([]);
  expect(registry.descriptors).toMatchObject([
    {
      name: "a",
      requiresApproval: true,
      runsOnClient: false,
      timeout: "00:02:00",
      maxOutputBytes: 57,
      requiredPermission: "refund",
    },
    { name: "b", requiresApproval: true, timeout: "00:00:01.500", maxOutputBytes: 1_000 },
    { name: "c", requiresApproval: false, runsOnClient: true },
    { name: "d", requiresApproval: false, runsOnClient: false },
  ]);
  expect(registry.descriptors[2]).not.toHaveProperty("timeout");
});

it("refuses registrations that cannot be kept, with all findings at once", async () => {
  const onClient = tool({ inputSchema }) as Tool;
  const { findings } = await createToolRegistry({
    a: { tool: plain, timeout: "soon", maxOutputBytes: 56, effect: "some" as never },
    b: { tool: plain, requiresApproval: "yes" as never, authorize: true as never },
    c: { tool: plain, requiredPermission: "refund" },
    d: { tool: onClient, requiresApproval: true, timeout: "1s" },
    e: { ...onClient, needsApproval: true } as Tool,
    f: { tool: plain, timeuot: "1s" } as never,
    g: { tool: plain, timeout: "0s", present: 1 as never },
    "no name": plain,
  });

  expect(findings.map(({ code, path }) => [path, code])).toEqual([
    ["tools.a.timeout", "invalid_value"],
    ["tools.a.maxOutputBytes", "invalid_value"],
    ["tools.a.effect", "invalid_value"],
    ["tools.b.requiresApproval", "invalid_value"],
    ["tools.b.authorize", "invalid_value"],
    ["tools.c.requiredPermission", "tool_permission_unchecked"],
    ["tools.d.requiresApproval", "client_tool_conflict"],
    ["tools.d.timeout", "client_tool_conflict"],
    ["tools.e.needsApproval", "client_tool_conflict"],
    ["tools.f.timeuot", "unknown_member"],
    ["tools.g.timeout", "invalid_value"],
    ["tools.g.present", "invalid_value"],
    ["tools.no name", "tool_name_invalid"],
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

  expect(await registry.get("add")?.execute?.({ x: 1 }, options)).toBe(6);
});
