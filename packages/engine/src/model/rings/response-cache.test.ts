import { tool } from "@ai-sdk/provider-utils";
import type { AgentDefinitionRequest, ResponseCache } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  memoryMeter,
  type ScriptedModelTurn,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { memoryResponseCache } from "../memory-response-cache.ts";

const usage = { inputTokens: 5, outputTokens: 7 };

it("answers an equal request from the cache: no call, no tokens, no cost", async () => {
  const { run, model } = await engine([{ text: ["He", "llo"], usage }]);

  const first = await run("Hi.");
  const second = await run("Hi.");

  expect(first.result).toMatchObject({ output: "Hello", usage: { totalTokens: 12 } });
  expect(second.result).toMatchObject({ status: "Completed", output: "Hello" });
  expect(second.result.usage).toBeUndefined();
  expect(second.result.cost).toEqual({ source: "Unknown" });
  expect(completed(second.events)).toMatchObject([{ fromCache: true }]);
  expect(completed(first.events)[0]).not.toHaveProperty("fromCache");
  model.assertDone();
});

it("counts what it looks up as hit or miss of the provider", async () => {
  const meterProvider = memoryMeter();
  const { run } = await engine(["Hello."], { meterProvider });

  await run("Hi.");
  await run("Hi.");

  expect(meterProvider.of("tracon.model.cache")).toEqual(
    ["miss", "hit"].map((result) => ({
      meter: "Tracon",
      name: "tracon.model.cache",
      value: 1,
      attributes: { "tracon.model.provider": "test", "tracon.model.cache.result": result },
    })),
  );
});

it("asks the model when the message is another", async () => {
  const { run, model } = await engine(["one", "two"]);

  await run("Hi.");
  const { result } = await run("Ho.");

  expect(result.output).toBe("two");
  model.assertDone();
});

it("keeps tenants apart", async () => {
  const { engine: started, model } = await engine(["one", "two"]);
  const request = { message: "Hi." };

  await (await started.runs.start("first", "agent", request)).result;
  const other = await (await started.runs.start("second", "agent", request)).result;

  expect(other.output).toBe("two");
  model.assertDone();
});

it("runs the tools that a cached answer asks for", async () => {
  const ran: string[] = [];
  const work = tool({ inputSchema: z.object({}), execute: () => void ran.push("work") });
  const script: ScriptedModelTurn[] = [{ toolCalls: [{ name: "work" }] }, { text: "Done." }];
  const { run, model } = await engine(script, { tools: { work } });

  await run("Go.");
  const { result } = await run("Go.");

  expect(result.output).toBe("Done.");
  expect(ran).toEqual(["work", "work"]);
  model.assertDone();
});

it("asks again when the lifetime of an answer is over", async () => {
  const clock = manualClock();
  const responseCache = memoryResponseCache({ clock });
  const { run, model } = await engine(["old", "new"], { clock, responseCache });

  await run("Hi.");
  clock.advance(60_001);
  const { result } = await run("Hi.");

  expect(result.output).toBe("new");
  model.assertDone();
});

it.each<[string, ScriptedStep]>([
  ["was cut at its length", { text: "Par", finishReason: "length" }],
  ["broke off", { text: "Par", ends: "cut" }],
  ["ended with an error", { text: "Par", ends: { errorPart: new Error("no") } }],
])("does not keep an answer that %s", async (_, step) => {
  const { run, model } = await engine([step, "whole"]);

  await run("Hi.");
  const { result } = await run("Hi.");

  expect(result.output).toBe("whole");
  model.assertDone();
});

it.each<[string, ResponseCache]>([
  [
    "rejects",
    { get: () => Promise.reject(new Error("down")), set: () => Promise.reject(new Error("down")) },
  ],
  [
    "throws",
    {
      get: () => {
        throw new Error("down");
      },
      set: () => {
        throw new Error("down");
      },
    },
  ],
  ["gives back what it was not given", { get: () => "{", set: () => undefined }],
])("asks the model when the cache %s", async (_, responseCache) => {
  const meterProvider = memoryMeter();
  const { run, log } = await engine(["one"], { responseCache, meterProvider });

  const { result } = await run("Hi.");

  expect(result.output).toBe("one");
  expect(log.entries[0]).toMatchObject({ message: "the response cache could not be read" });
  expect(meterProvider.of("tracon.model.cache").map(({ attributes }) => attributes)).toMatchObject([
    { "tracon.model.cache.result": "miss" },
  ]);
});

it("asks the model every time when the agent does not want a cache", async () => {
  const { run, model } = await engine(["one", "two"], { agent: { model: uncached } });

  await run("Hi.");
  const { result } = await run("Hi.");

  expect(result.output).toBe("two");
  model.assertDone();
});

it("refuses a definition that wants a cache where none is registered", async () => {
  const started = engine(["one"], { responseCache: undefined });

  await expect(started).rejects.toMatchObject({
    details: {
      findings: [{ code: "response_cache_missing", path: "agents[0].model.responseCache" }],
    },
  });
});

it("keeps no more than its bounds and drops what was not asked for longest", async () => {
  const cache = memoryResponseCache({ maxEntries: 2, maxBytes: 100 });

  cache.set("a", "1", 1_000);
  cache.set("b", "2", 1_000);
  cache.get("a");
  cache.set("c", "3", 1_000);
  cache.set("d", "x".repeat(100), 1_000);

  expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toEqual([
    "1",
    undefined,
    "3",
    undefined,
  ]);
});

const uncached = { provider: "test", model: "test-model" };
const cached: AgentDefinitionRequest["model"] = {
  ...uncached,
  responseCache: { enabled: true, lifetime: "1m" },
};

const completed = (events: readonly { type: string; payload: unknown }[]) =>
  events.filter(({ type }) => type === "MessageCompleted").map(({ payload }) => payload);

async function engine(script: readonly ScriptedStep[], options: Partial<TestEngineOptions> = {}) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const price = { currency: "USD", inputPerMillion: 1, outputPerMillion: 1 };
  const listed = { supportsTools: true, supportsStructuredOutput: true, price };
  const started = await startTestEngine({
    stores,
    model,
    models: [{ provider: "test", model: "test-model", ...listed }],
    responseCache: memoryResponseCache(),
    agent: { model: cached },
    ...options,
  });
  return { ...started, model };
}
