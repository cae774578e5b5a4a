/** What is measured of runs and their tools, by name and tag. */

import { tool } from "@ai-sdk/provider-utils";
import type { RunJournal } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  memoryMeter,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

const PRICE = { currency: "USD", inputPerMillion: 1, outputPerMillion: 2 };
const TAGS = {
  "tracon.agent.name": "agent",
  "tracon.agent.version": 1,
  "tracon.run.streaming": false,
  "tracon.model.id": "test-model",
  "tracon.tenant.id": "default",
};

it("measures a run with the documented instruments and tags, and no others", async () => {
  const usage = { inputTokens: 1_000_000, cachedInputTokens: 10, outputTokens: 500_000 };
  const { engine, meter, clock } = await start([
    () => {
      clock.advance(1_500);
      return { text: "Done.", usage };
    },
  ]);

  await engine.run();

  expect(meter.measurements).toEqual(
    [
      { name: "tracon.runs", value: 1, attributes: { ...TAGS, "tracon.run.status": "Completed" } },
      { name: "tracon.run.duration", value: 1.5, attributes: TAGS },
      {
        name: "tracon.tokens",
        value: 1_000_000,
        attributes: { ...TAGS, "tracon.token.direction": "input" },
      },
      {
        name: "tracon.tokens",
        value: 500_000,
        attributes: { ...TAGS, "tracon.token.direction": "output" },
      },
      {
        name: "tracon.run.cost",
        value: 2,
        attributes: { ...TAGS, "tracon.cost.currency": "USD" },
      },
    ].map((it) => ({ meter: "Tracon", ...it })),
  );
});

it("measures nothing that a provider did not report, and no cost without a price", async () => {
  const { engine, meter } = await start(["Done."], { models: [] });

  await engine.run();

  expect(meter.measurements.map(({ name }) => name)).toEqual([
    "tracon.runs",
    "tracon.run.duration",
  ]);
});

it("leaves the version out where the installation asks for that", async () => {
  const { engine, meter } = await start(["Done."], {
    observability: { includeAgentVersionTag: false },
  });

  await engine.run();

  const tagged = meter.measurements.filter((it) => "tracon.agent.version" in it.attributes);
  expect(meter.measurements).not.toEqual([]);
  expect(tagged).toEqual([]);
});

it("counts a run that failed by its status", async () => {
  const { engine, meter } = await start([{ finishReason: "content-filter" }]);

  await engine.run();

  expect(meter.of("tracon.runs")).toMatchObject([
    { attributes: { "tracon.run.status": "Failed" } },
  ]);
});

it("counts tool calls by name, but none of a tool nobody knows", async () => {
  const { engine, meter, clock } = await start([
    { toolCalls: [{ name: "look" }, { name: "fail" }, { name: "invented by the model" }] },
    "Done.",
  ]);
  advanceWith(clock);

  await engine.run();

  expect(meter.of("tracon.tool.invocations").map(({ attributes }) => attributes)).toEqual([
    { "tracon.tool.name": "look" },
    { "tracon.tool.name": "fail" },
  ]);
  expect(meter.of("tracon.tool.duration")).toMatchObject([{ value: 0.25 }, { value: 0 }]);
});

it.each([
  ["RunStarted", "start"],
  ["ToolInvoking", "event"],
  ["RunCompleted", "completion"],
])("counts a run once whose %s could not be written, as stage %s", async (type, stage) => {
  const { engine, meter } = await start([{ toolCalls: [{ name: "look" }] }, "Done."], {}, type);

  const { result } = await engine.run();

  expect(result.status).toBe("Completed");
  expect(meter.of("tracon.run.recording_failures")).toMatchObject([
    { value: 1, attributes: { "tracon.recording.stage": stage } },
  ]);
});

it("measures nothing when observability is turned off", async () => {
  const { engine, meter } = await start(["Done."], { observability: { enabled: false } });

  await engine.run();

  expect(meter.measurements).toEqual([]);
});

let onLook: () => void = () => undefined;
function advanceWith(clock: ReturnType<typeof manualClock>): void {
  onLook = () => clock.advance(250);
  onTestFinished(() => {
    onLook = () => undefined;
  });
}

async function start(
  script: readonly ScriptedStep[],
  options: Partial<TestEngineOptions> = {},
  refusedType?: string,
) {
  const clock = manualClock();
  const meter = memoryMeter();
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const engine = await startTestEngine({
    stores: { ...stores, journal: refusing(stores.journal, refusedType) },
    model: scriptedModel(script),
    models: [
      {
        provider: "test",
        model: "test-model",
        supportsTools: true,
        supportsStructuredOutput: true,
        price: PRICE,
      },
    ],
    tools: {
      look: tool({
        inputSchema: z.object({}),
        execute() {
          onLook();
          return "seen";
        },
      }),
      fail: tool({
        inputSchema: z.object({}),
        execute(): string {
          throw new Error("no");
        },
      }),
    },
    clock,
    meterProvider: meter,
    ...options,
  });
  return { engine, meter, clock };
}

/** A store that fails from the first event of a type on. */
function refusing(journal: RunJournal, type = "none"): RunJournal {
  let isBroken = false;
  return {
    commit(batch) {
      isBroken ||= batch.some(({ events }) => events?.lines.includes(`"type":"${type}"`));
      return isBroken ? Promise.reject(new Error("disk full")) : journal.commit(batch);
    },
  };
}
