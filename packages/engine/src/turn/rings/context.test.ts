import { tool } from "@ai-sdk/provider-utils";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../../e2e/requirements/covers.ts";
import type { ContextProvider } from "../context-provider.ts";

it(
  "adds instructions and messages of providers in their order, the caller's message last",
  covers(
    "extension.adds-context-provider",
    "extension.providers-append-only",
    "extension.providers-not-inspected",
  ),
  async () => {
    const { model, run } = await start(
      ["Done."],
      [
        { name: "policy", before: () => ({ instructions: "Be brief." }) },
        {
          name: "facts",
          before: async () => ({ instructions: "Be exact.", messages: [says("A fact.")] }),
        },
      ],
    );

    await run("Go.");

    expect(model.calls[0]?.prompt).toEqual([
      { role: "system", content: "Be kind.\nBe brief.\nBe exact." },
      says("A fact."),
      says("Go."),
    ]);
  },
);

it("gives an agent without instructions those of its providers", async () => {
  const { model, run } = await start(
    ["Done."],
    [{ name: "policy", before: () => ({ instructions: "Be brief." }) }],
    { agent: { instructions: "" } },
  );

  await run();

  expect(model.calls[0]?.prompt[0]).toEqual({ role: "system", content: "Be brief." });
});

it("tells every provider of the same conversation, without what others add", async () => {
  const seen: unknown[] = [];
  const watch = (name: string): ContextProvider => ({
    name,
    before: ({ agentName, tenantId, messages }) => {
      seen.push([name, agentName, tenantId, messages.map(({ role }) => role)]);
      return { messages: [says(name)] };
    },
  });
  const { run } = await start(["Done."], [watch("a"), watch("b")]);

  await run();

  expect(seen).toEqual([
    ["a", "agent", "default", ["system", "user"]],
    ["b", "agent", "default", ["system", "user"]],
  ]);
});

it("asks providers for each run anew, so that nothing piles up", async () => {
  const { model, run } = await start(
    ["One.", "Two."],
    [{ name: "facts", before: () => ({ messages: [says("A fact.")] }) }],
  );

  await run();
  await run();

  expect(model.calls.map(({ prompt }) => prompt.length)).toEqual([3, 3]);
});

it("asks providers once when another model begins the turn again", async () => {
  let asked = 0;
  const spare = scriptedModel(["Spared."]);
  const unreachable = Object.assign(new Error("no"), { status: 503 });
  const { run } = await start(
    [{ throws: unreachable }],
    [{ name: "tools", before: () => ({ tools: { count: counter(() => ++asked) } }) }],
    {
      providers: { spare },
      agent: {
        model: { provider: "test", model: "m", fallbacks: [{ provider: "spare", model: "m" }] },
      },
    },
  );

  const { result } = await run();

  expect(result.output).toBe("Spared.");
  expect(spare.calls[0]?.tools?.map(({ name }) => name)).toEqual(["count"]);
});

it(
  "offers the tools of a provider for one run, and records their calls",
  covers("extension.provider-tools-skip-chain"),
  async () => {
    let calls = 0;
    const order: string[] = [];
    const { model, run } = await start(
      [
        {
          toolCalls: [
            { name: "count", input: { by: 2 } },
            { name: "count", input: { by: "x" } },
          ],
        },
        "Done.",
      ],
      [
        {
          name: "tools",
          before: () => ({
            tools: {
              count: tool({
                inputSchema: z.object({ by: z.number() }),
                execute: ({ by }) => {
                  order.push("body");
                  calls += by;
                  return calls;
                },
              }),
            },
          }),
        },
      ],
    );

    const { events, result } = await run();

    expect(result).toMatchObject({ status: "Completed", output: "Done." });
    expect(calls).toBe(2);
    expect(model.calls[0]?.tools).toMatchObject([
      { name: "count", inputSchema: { type: "object" } },
    ]);
    expect(
      events
        .filter(({ type }) => type.startsWith("Tool"))
        .map(({ type, payload }) => [type, payload]),
    ).toMatchObject([
      ["ToolInvoking", { toolName: "count", arguments: '{"by":2}' }],
      ["ToolInvoked", { toolName: "count", result: "2" }],
      ["ToolInvoking", { toolName: "count" }],
      ["ToolFailed", { toolName: "count", kind: "InvalidArguments" }],
    ]);
    expect(order).toEqual(["body"]);
  },
);

it("fails a run whose provider adds a tool under a name that is taken", async () => {
  const count = counter(() => 1);
  const { model, run } = await start(
    [],
    [{ name: "tools", before: () => ({ tools: { count } }) }],
    { tools: { count } },
  );

  const { result } = await run();

  expect(result).toMatchObject({
    status: "Failed",
    error: {
      type: "extension_failed",
      message: "context provider 'tools' adds tool 'count', which the agent has already",
    },
  });
  expect(model.calls).toEqual([]);
});

it("tells providers behind the turn what was answered, or what failed", async () => {
  const told: unknown[] = [];
  const watch: ContextProvider = {
    name: "watch",
    after: ({ answer, error }) => void told.push(answer ?? (error as Error).message),
  };
  const { run } = await start(["Done.", { throws: new Error("no") }], [watch]);

  await run();
  await run();

  expect(told).toEqual(["Done.", expect.stringContaining("model provider")]);
});

it("fails a run whose provider throws, without its words, and tells the others", async () => {
  const told: string[] = [];
  const watch = (name: string): ContextProvider => ({
    name,
    after: ({ error }) => void told.push(`${name}: ${(error as Error).message}`),
  });
  const broken: ContextProvider = {
    name: "broken",
    before: () => {
      throw new Error("secret of the provider");
    },
    after: () => void told.push("broken"),
  };
  const { model, run } = await start([], [watch("a"), broken, watch("b")]);

  const { result } = await run();

  const message = "context provider 'broken' of an agent extension failed";
  expect(result).toMatchObject({ status: "Failed", error: { type: "extension_failed", message } });
  expect(told).toEqual([`a: ${message}`, `b: ${message}`]);
  expect(model.calls).toEqual([]);
});

it("fails a run whose provider throws behind the answer, and tells the others", async () => {
  const told: unknown[] = [];
  const broken: ContextProvider = {
    name: "broken",
    after: () => Promise.reject(new Error("secret of the provider")),
  };
  const watch: ContextProvider = { name: "watch", after: ({ answer }) => void told.push(answer) };
  const { run } = await start(["Done."], [broken, watch]);

  const { result } = await run();

  expect(result).toMatchObject({
    status: "Failed",
    error: { message: "context provider 'broken' of an agent extension failed" },
  });
  expect(told).toEqual(["Done."]);
});

it("lets no provider hold a run that was canceled", async () => {
  const cancel = new AbortController();
  const told: unknown[] = [];
  const { run } = await start(
    [],
    [
      {
        name: "endless",
        before: () => {
          cancel.abort();
          return new Promise<undefined>(() => undefined);
        },
        after: ({ error }) => {
          told.push(error);
          return new Promise<void>(() => undefined);
        },
      },
    ],
  );

  const { result } = await run("Go.", { signal: cancel.signal });

  expect(result.status).toBe("Canceled");
  expect(told).toHaveLength(1);
});

it("has content guards read what providers add, in every run", async () => {
  const shared = says("secret");
  const { model, run } = await start(
    ["Done.", "Done."],
    [{ name: "facts", before: () => ({ messages: [shared] }) }],
    {
      contentGuards: {
        mask: {
          inspect: ({ text }) =>
            text.startsWith("secret")
              ? { decision: "Mask", rule: "secret", replacement: "***" }
              : { decision: "Allow" },
        },
      },
    },
  );

  await run();
  await run();

  expect(model.calls.map(({ prompt }) => prompt.slice(1, -1))).toEqual([
    [says("***")],
    [says("***")],
  ]);
});

it.each([{ instructions: 1 }, { messages: "A fact." }, { tools: { broken: 1 } }])(
  "fails a run whose provider adds %j",
  async (added) => {
    const { model, run } = await start([], [{ name: "odd", before: () => added as never }]);

    const { result } = await run();

    expect(result.error?.message).toBe("context provider 'odd' of an agent extension failed");
    expect(model.calls).toEqual([]);
  },
);

const says = (text: string) => ({
  role: "user" as const,
  content: [{ type: "text" as const, text }],
});

const counter = (execute: () => number) => tool({ inputSchema: z.object({}), execute });

async function start(
  script: readonly ScriptedStep[],
  providers: readonly ContextProvider[],
  { agent, ...options }: Partial<TestEngineOptions> = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const extension = {
    apply({ addContextProvider }: { addContextProvider(provider: ContextProvider): void }) {
      for (const provider of providers) addContextProvider(provider);
    },
  };
  const started = await startTestEngine({
    stores,
    model,
    extensions: { context: extension },
    agent: { instructions: "Be kind.", ...agent, extensionNames: ["context"] },
    ...options,
  });
  return { ...started, model };
}
