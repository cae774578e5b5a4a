import { APICallError } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
import type { AgentDefinitionRequest, LanguageModel } from "@tracon/core";
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

it.each([
  ["a server's fault", { statusCode: 503 }],
  ["a rate limit", { statusCode: 429 }],
  ["a connection that failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) }],
] as const)("goes on with the next model after %s, and says so", async (_, fault) => {
  const { run } = await engine([failing(fault)], ["Spared."]);

  const { result, events } = await run();

  expect(result).toMatchObject({
    status: "Completed",
    output: "Spared.",
    modelProvider: "spare",
    modelId: "spare-model",
  });
  expect(of("ModelFallbackUsed", events)).toEqual([
    {
      primary: { provider: "test", model: "test-model" },
      fallback: { provider: "spare", model: "spare-model" },
    },
  ]);
});

it.each([400, 401, 403, 404])("asks no other model after a refusal with %i", async (statusCode) => {
  const { run, spare } = await engine([failing({ statusCode })], []);

  const { result } = await run();

  expect(result.error).toMatchObject({ type: "provider_error" });
  spare.assertDone();
});

it("asks no other model when a safety filter withheld the answer", async () => {
  const { run, spare } = await engine([{ finishReason: "content-filter" }], []);

  const { result } = await run();

  expect(result.error).toMatchObject({ type: "content_filtered" });
  spare.assertDone();
});

it("asks no other model when the run is cancelled", async () => {
  const { engine: started, spare } = await engine([{ text: "Par", ends: "hang" }], []);
  const options = { isStreaming: true };
  const run = await started.runs.start("default", "agent", { message: "Go." }, options);
  for await (const batch of run.frames()) {
    if (batch.some(({ event }) => event === "update"))
      await started.runs.cancel("default", run.runId);
  }

  const result = await run.result;

  expect(result.status).toBe("Canceled");
  spare.assertDone();
});

it("fails with the first fault and names everyone who was asked", async () => {
  const { run } = await engine([failing({ statusCode: 429 })], [failing({ statusCode: 503 })]);

  const { result } = await run();

  expect(result.error).toMatchObject({ type: "rate_limited", class: "RateLimited" });
  expect(result.error?.message).toContain("'test' (test-model), 'spare' (spare-model)");
});

it("carries over nothing but the two names", async () => {
  const tuned = { temperature: 0.3, topP: 0.5, maxOutputTokens: 9, reasoningEffort: "low" };
  const { run, spare } = await engine([failing({ statusCode: 503 })], ["Spared."], {
    agent: { model: { ...withFallback, ...tuned, providerSettings: { "test.user": "u1" } } },
  });

  await run();

  const { abortSignal: _, prompt: __, ...sent } = spare.calls[0] ?? { prompt: [] };
  expect(sent).toEqual({});
});

it("does not repeat tool calls that have an outcome, and records which it answered", async () => {
  const ran: number[] = [];
  const count = tool({
    inputSchema: z.object({ x: z.number(), y: z.number().optional() }),
    execute: ({ x }) => ran.push(x),
  });
  const first = asking({ x: 1, y: 2 }, { x: 1, y: 2 }, { x: 2 });
  const again = asking({ y: 2, x: 1 }, { x: 3 }, { x: 1, y: 2 }, { x: 1, y: 2 });
  const {
    run,
    spare,
    engine: started,
  } = await engine([first, failing({ statusCode: 503 })], [again, "Done."], { tools: { count } });

  const { result, events, runId } = await run();

  expect(result.output).toBe("Done.");
  expect(ran).toEqual([1, 1, 2, 3, 1]);
  expect(of("ToolInvoked", events).slice(3)).toMatchObject([
    { position: 0, result: "1", fromLedger: true },
    { position: 1, result: "4" },
    { position: 2, result: "2", fromLedger: true },
    { position: 3, result: "5" },
  ]);
  expect(spare.calls[1]?.prompt.at(-1)).toMatchObject({
    content: [{ output: { value: 1 } }, { output: { value: 4 } }, {}, { output: { value: 5 } }],
  });
  expect(await started.runs.toolInvocations("default", runId)).toHaveLength(5);
});

it("answers a call that failed before from the ledger as well", async () => {
  let attempts = 0;
  const count = tool({
    inputSchema: z.object({ x: z.number() }),
    execute: () => {
      attempts++;
      return Promise.reject<string>(new Error("no"));
    },
  });
  const script = [asking({ x: 1 }), failing({ statusCode: 503 })];
  const { run } = await engine(script, [asking({ x: 1 }), "Done."], { tools: { count } });

  const { events } = await run();

  expect(attempts).toBe(1);
  expect(of("ToolFailed", events)).toMatchObject([{ step: 0 }, { step: 2, fromLedger: true }]);
});

it("begins the conversation again for the next model", async () => {
  const count = tool({ inputSchema: z.object({ x: z.number() }), execute: () => "ok" });
  const script = [asking({ x: 1 }), failing({ statusCode: 503 })];
  const { run, spare } = await engine(script, ["Done."], { tools: { count } });

  await run("Go.");

  expect(spare.calls[0]?.prompt.map(({ role }) => role)).toEqual(["user"]);
});

it(
  "counts steps on, so that no identity repeats and the limit holds for all models together",
  covers("harness.inner-ceiling-on-fallback"),
  async () => {
    const count = tool({ inputSchema: z.object({ x: z.number() }), execute: () => "ok" });
    const script = [asking({ x: 1 }), failing({ statusCode: 503 })];
    const spareScript = [asking({ x: 2 }), "Done."];
    const { run, spare } = await engine(script, spareScript, {
      tools: { count },
      agent: { model: withFallback, toolNames: ["count"], harness: harness(3) },
    });

    const { events } = await run();

    const steps = of("ToolInvoking", events).map((it) => (it as { step: number }).step);
    expect(steps).toEqual([0, 2]);
    expect(spare.calls.map(({ tools }) => tools?.length)).toEqual([1, undefined]);
  },
);

it.each<[string, ScriptedStep[]]>([
  ["text", [{ text: "Par", ends: { streamError: failure({ statusCode: 503 }) } }]],
  [
    "a tool call",
    [{ toolCalls: [{ name: "count", input: { x: 1 } }] }, failing({ statusCode: 503 })],
  ],
])("does not fall back on a streaming run that has shown %s", async (_, script) => {
  const count = tool({ inputSchema: z.object({ x: z.number() }), execute: () => "ok" });
  const { run, spare } = await engine(script, [], { tools: { count } });

  const { result } = await run("Go.", { isStreaming: true });

  expect(result.error).toMatchObject({ type: "provider_unavailable" });
  spare.assertDone();
});

it("falls back on a streaming run that has shown nothing yet", async () => {
  const { run } = await engine([failing({ statusCode: 503 })], ["Spared."]);

  const { frames } = await run("Go.", { isStreaming: true });

  expect(frames.at(-1)).toMatchObject({ event: "done", data: { output: "Spared." } });
});

it("falls back in the middle of an answer that nobody follows", async () => {
  const broken = { text: "Par", ends: { streamError: failure({ statusCode: 503 }) } };
  const { run } = await engine([broken], ["Spared."]);

  const { result } = await run();

  expect(result.output).toBe("Spared.");
});

it("charges each model's tokens at its own price", async () => {
  const count = tool({ inputSchema: z.object({ x: z.number() }), execute: () => "ok" });
  const usage = { inputTokens: 1_000_000, outputTokens: 1_000_000 };
  const { run } = await engine(
    [{ ...asking({ x: 1 }), usage }, failing({ statusCode: 503 })],
    [{ text: "Done.", usage }],
    {
      tools: { count },
      models: [priced("test", 1), priced("spare", 10)],
      agentGraph: { maxTotalTokens: 0 },
    },
  );

  const { result } = await run();

  expect(result.usage).toMatchObject({ inputTokens: 2_000_000, outputTokens: 2_000_000 });
  expect(result.cost).toEqual({
    inputCost: 11,
    outputCost: 22,
    totalCost: 33,
    currency: "USD",
    source: "Catalog",
  });
});

it("does not know the cost when one of the models has no price", async () => {
  const count = tool({ inputSchema: z.object({ x: z.number() }), execute: () => "ok" });
  const usage = { inputTokens: 1, outputTokens: 1 };
  const { run } = await engine(
    [{ ...asking({ x: 1 }), usage }, failing({ statusCode: 503 })],
    [{ text: "Done.", usage }],
    { tools: { count }, models: [priced("test", 1)] },
  );

  const { result } = await run();

  expect(result.cost).toEqual({ source: "Unknown" });
});

it.each([
  [{ provider: "absent", model: "m" }, "unknown_provider", ".provider"],
  [{ provider: "test", model: "test-model" }, "duplicate_name", ""],
])("refuses %j as a fallback", async (fallback, code, member) => {
  const started = engine([], [], {
    agent: { model: { provider: "test", model: "test-model", fallbacks: [fallback] } },
  });

  await expect(started).rejects.toMatchObject({
    details: { findings: [{ code, path: `agents[0].model.fallbacks[0]${member}` }] },
  });
});

const withFallback: AgentDefinitionRequest["model"] = {
  provider: "test",
  model: "test-model",
  fallbacks: [{ provider: "spare", model: "spare-model" }],
};

const harness = (maximumIterationsPerRequest: number) => ({
  maximumIterationsPerRequest,
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
});

const asking = (...inputs: readonly object[]) => ({
  toolCalls: inputs.map((input) => ({ name: "count", input })),
});

type Fault = Partial<ConstructorParameters<typeof APICallError>[0]>;
function failure(fault: Fault) {
  const request = { url: "https://api.example", requestBodyValues: {} };
  return new APICallError({ message: "no", ...request, ...fault });
}
function failing(fault: Fault): ScriptedStep {
  return { throws: failure(fault) };
}

const priced = (provider: string, perMillion: number) => ({
  provider,
  model: `${provider}-model`,
  supportsTools: true,
  supportsStructuredOutput: true,
  price: { currency: "USD", inputPerMillion: perMillion, outputPerMillion: 2 * perMillion },
});

const of = (type: string, events: readonly { type: string; payload: unknown }[]) =>
  events.filter((event) => event.type === type).map(({ payload }) => payload);

async function engine(
  script: readonly ScriptedStep[],
  spareScript: readonly ScriptedStep[],
  options: Partial<TestEngineOptions> = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const spare = scriptedModel(spareScript);
  const model: LanguageModel = scriptedModel(script);
  const providers = { spare };
  const agent = { model: withFallback };
  const started = await startTestEngine({ stores, model, providers, agent, ...options });
  return { ...started, spare };
}
