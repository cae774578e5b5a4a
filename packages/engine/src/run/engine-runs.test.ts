import { tool } from "@ai-sdk/provider-utils";
import type { Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";

it("starts no run of an agent that does not exist, whatever is sent along", async () => {
  const { runs } = await engine([]);

  const start = runs.start("default", "nobody", { nonsense: true });

  await expect(start).rejects.toMatchObject({ code: "agent_not_found" });
});

it("finds an agent by any spelling of its name that is equal after normalization", async () => {
  const agent = { name: "Zoe\u0308", model: { provider: "test", model: "test-model" } };
  const { runs } = await engine(["Hi."], { agents: [agent] });

  const { result } = await runs.start("default", "Zo\u00eb".normalize("NFD"), { message: "Hi." });

  expect(await result).toMatchObject({ agentName: "Zo\u00eb", status: "Completed" });
});

it(
  "calls no model for a stored agent whose tool is not registered any more",
  covers("compile.no-run-time-surprise"),
  async () => {
    const stores = await memory();
    const look = tool({ inputSchema: z.object({}), execute: () => 1 });
    const before = await engine([], { stores, tools: { look } });
    const definition = { name: "saved", model: { provider: "test", model: "m" } };
    await before.engine.agents.create("default", { ...definition, toolNames: ["look"] });
    const after = await engine([], { stores });

    const start = after.runs.start("default", "saved", { message: "Hi." });

    await expect(start).rejects.toMatchObject({
      code: "compilation_failed",
      details: { findings: [{ code: "unknown_tool", path: "toolNames[0]" }] },
    });
  },
);

it.each([
  ["nothing", undefined, ["member_missing", ""]],
  ["a list", [], ["invalid_value", ""]],
  ["no message", {}, ["member_missing", "message"]],
  ["white space", { message: " \n\t" }, ["member_missing", "message"]],
  ["a number", { message: 7 }, ["invalid_value", "message"]],
  ["an unknown member", { message: "Hi.", mesage: "x" }, ["unknown_member", "mesage"]],
  [
    "an unknown parameter",
    { message: "Hi.", parameters: { a: "b" } },
    ["unknown_parameters", "parameters.a"],
  ],
  ["an empty session id", { message: "Hi.", sessionId: "" }, ["invalid_value", "sessionId"]],
  [
    "a long session id",
    { message: "Hi.", sessionId: "s".repeat(129) },
    ["invalid_value", "sessionId"],
  ],
  ["a prototype", JSON.parse('{"message":"Hi.","__proto__":{}}'), ["unknown_member", "__proto__"]],
])("refuses a request with %s before anything is recorded", async (_, request, [code, path]) => {
  const { runs } = await engine([]);

  const start = runs.start("default", "agent", request);

  await expect(start).rejects.toMatchObject({ details: { findings: [{ code, path }] } });
  expect(await runs.list("default", {}, { skip: 0, take: 10 })).toEqual([]);
});

it("says everything that is wrong with a request at once", async () => {
  const { runs } = await engine([]);

  const start = runs.start("default", "agent", {
    lane: "a",
    parameters: { tone: "kind" },
  });

  await expect(start).rejects.toMatchObject({
    details: { findings: [{ path: "lane" }, { path: "parameters.tone" }, { path: "message" }] },
  });
});

it("reads null members of a request as not given", async () => {
  const { runs } = await engine(["Hi."]);

  const run = await runs.start("default", "agent", { message: "Hi.", sessionId: null, lane: null });

  expect(await run.result).toMatchObject({ status: "Completed" });
});

it("finds a run from the moment it started", async () => {
  const { runs } = await engine(["Hi."]);

  const { runId, result } = await runs.start("default", "agent", { message: "Hi." });
  const record = await runs.get("default", runId);
  await result;

  expect(record).toMatchObject({ id: runId, status: "Running" });
});

it("keeps what became of a run: who answered, what it took, what it cost", async () => {
  const price = { currency: "EUR", inputPerMillion: 2, outputPerMillion: 10 };
  const listed = { provider: "test", model: "test-model", supportsTools: true };
  const { run, runs } = await engine(
    [{ text: "Hi.", usage: { inputTokens: 1_000, outputTokens: 100 } }],
    { models: [{ ...listed, supportsStructuredOutput: false, price }] },
  );

  const { runId, events } = await run("Hello.");

  expect(await runs.get("default", runId)).toMatchObject({
    agentName: "agent",
    agentVersion: 1,
    status: "Completed",
    modelProvider: "test",
    modelId: "test-model",
    usage: { inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100 },
    cost: { totalCost: 0.003, currency: "EUR" },
    eventCount: events.length,
    lockfileHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await runs.input("default", runId)).toMatchObject({
    messages: [{ role: "user", contents: [{ $type: "text", text: "Hello." }] }],
  });
});

it("keeps runs of one tenant from another", async () => {
  const { run, runs } = await engine(["Hi."]);
  const { runId } = await run();

  await expect(runs.get("other", runId)).rejects.toMatchObject({ code: "run_not_found" });
  await expect(runs.input("other", runId)).rejects.toMatchObject({ code: "run_not_found" });
  await expect(runs.toolInvocations("other", runId)).rejects.toMatchObject({
    code: "run_not_found",
  });
  expect(await runs.list("other", {}, { skip: 0, take: 10 })).toEqual([]);
});

it("says when what a run was asked was not recorded", async () => {
  const { run, runs } = await engine(["Hi."], { recording: { recordRunInput: false } });
  const { runId } = await run();

  await expect(runs.input("default", runId)).rejects.toMatchObject({ code: "run_input_not_found" });
});

it("lists the tool calls of a run in order, those still open among them", async () => {
  const gate = Promise.withResolvers<string>();
  const script = [
    { toolCalls: [{ name: "quick" }, { name: "missing" }, { name: "slow" }] },
    "Done.",
  ];
  const inputSchema = z.object({});
  const { runs, reached } = await engine(script, {
    tools: {
      quick: tool({ inputSchema, execute: () => "ok" }),
      slow: tool({ inputSchema, execute: () => gate.promise }),
    },
  });
  const { runId, result } = await runs.start("default", "agent", { message: "Go." });
  await reached(runId, 5);

  const during = await runs.toolInvocations("default", runId);
  gate.resolve("late");
  await result;
  const after = await runs.toolInvocations("default", runId);

  expect(during.map(({ toolName, succeeded, result: it }) => [toolName, succeeded, it])).toEqual([
    ["quick", true, "ok"],
    ["missing", false, undefined],
    ["slow", false, undefined],
  ]);
  expect(after[2]).toMatchObject({ toolName: "slow", succeeded: true, result: "late" });
});

it("lists the tool calls of a run with more events than are read at once", async () => {
  const chunks = Array.from({ length: 2_500 }, () => "x".repeat(2_048));
  const script = [{ text: chunks, toolCalls: [{ name: "missing" }] }, "Done."];
  const { run, runs } = await engine(script);
  const { runId } = await run();

  const calls = await runs.toolInvocations("default", runId);

  expect(calls).toMatchObject([{ toolName: "missing", createdAt: expect.any(String) }]);
});

it("reads a run's events page by page", async () => {
  const { run, runs } = await engine(["Hi."]);
  const { runId, events } = await run();

  const first = await runs.eventPage("default", runId, { after: -1, take: 2 });
  const rest = await runs.eventPage("default", runId, { after: 1, take: 10 });

  expect([...first, ...rest].map(({ json }) => JSON.parse(json))).toEqual(events);
});

it("lets running runs end when it closes, and starts no new ones", async () => {
  const gate = Promise.withResolvers<string>();
  const { runs, engine: it } = await engine([() => gate.promise]);
  const running = await runs.start("default", "agent", { message: "Go." });

  const closed = it.close({ graceMs: 60_000 });
  const refused = runs.start("default", "agent", { message: "Go." });
  await expect(refused).rejects.toMatchObject({ code: "draining" });
  gate.resolve("Done.");
  await closed;

  expect(await running.result).toMatchObject({ status: "Completed", output: "Done." });
});

it("cancels what still runs when the time to close is over, and has recorded it", async () => {
  const { runs, engine: it, events } = await engine([{ text: "a", ends: "hang" }]);
  const running = await runs.start("default", "agent", { message: "Go." });

  await it.close({ graceMs: 0 });

  expect(await running.result).toMatchObject({ status: "Canceled" });
  expect((await events(running.runId)).at(-1)).toMatchObject({
    type: "RunCanceled",
    payload: { reason: "the process is stopping" },
  });
});

it("closes twice without harm, and without ever having run anything", async () => {
  const { engine: it } = await engine([]);

  await it.close();

  await expect(it.close()).resolves.toBeUndefined();
});

it(
  "compiles an agent once for all its runs of one definition",
  covers("cache.per-tenant-name-definition"),
  async () => {
    const stores = await memory();
    let reads = 0;
    const { get } = stores.definitions;
    stores.definitions.get = (tenantId, name) => {
      reads++;
      return get(tenantId, name);
    };
    const { runs, engine: it } = await engine(Array(5).fill("Hi."), { stores });
    await it.agents.create("default", { name: "saved", model: { provider: "test", model: "m" } });
    reads = 0;

    for (let run = 0; run < 5; run++) {
      await (await runs.start("default", "saved", { message: "Hi." })).result;
    }

    expect(reads).toBe(1);
  },
);

async function memory(): Promise<Stores> {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  return stores;
}

type Options = Partial<TestEngineOptions>;

async function engine(script: readonly ScriptedStep[], options: Options = {}) {
  const stores = options.stores ?? (await memory());
  const started = await startTestEngine({ ...options, stores, model: scriptedModel(script) });
  const { runs } = started.engine;

  /** Resolves once the run has committed `count` events of tools. */
  async function reached(runId: string, count: number): Promise<void> {
    const { signal } = new AbortController();
    let seen = 0;
    for await (const batch of await runs.events("default", runId, { after: -1, signal })) {
      seen += batch.filter(({ type }) => type.startsWith("Tool")).length;
      if (seen >= count) return;
    }
  }

  return { ...started, runs, reached };
}
