import { tool } from "@ai-sdk/provider-utils";
import type { RunEvent } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  memoryMeter,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import type { EventSink } from "./event-sinks.ts";

it("gives every event of a run to every sink, in order and with its tenant", async () => {
  const [one, two] = [collecting("one"), collecting("two")];
  const { engine } = await start(["Done."], [one.sink, two.sink]);

  const { events } = await engine.run();

  expect(one.events).toEqual(events);
  expect(two.events).toEqual(events);
  expect(one.tenants).toEqual(events.map(() => "default"));
});

it("gives a sink the next event only when it is done with the one before", async () => {
  const seen: string[] = [];
  const sink: EventSink = {
    name: "slow",
    async onEvent({ type }) {
      seen.push(`begin ${type}`);
      await Promise.resolve();
      seen.push(`end ${type}`);
    },
  };
  const { engine } = await start(["Done."], [sink]);

  const { events } = await engine.run();
  await engine.engine.close();

  expect(seen).toEqual(events.flatMap(({ type }) => [`begin ${type}`, `end ${type}`]));
});

it.each<[string, EventSink["onEvent"]]>([
  [
    "throws",
    () => {
      throw new Error("no room");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no room"))],
])("drops a sink that %s for that run only, and says so once", async (_, onEvent) => {
  let calls = 0;
  const broken: EventSink = {
    name: "broken",
    onEvent(event, run) {
      calls++;
      return onEvent(event, run);
    },
  };
  const other = collecting("other");
  const { engine, meter } = await start(["One.", "Two."], [broken, other.sink]);

  const first = await engine.run();
  const second = await engine.run();

  expect([first.result.status, second.result.status]).toEqual(["Completed", "Completed"]);
  expect(calls).toBe(2);
  expect(other.events).toEqual([...first.events, ...second.events]);
  expect(engine.log.entries).toMatchObject(
    [first, second].map(({ runId }) => ({
      level: "warn",
      message: "an event sink gets nothing more of a run",
      fields: { sink: "broken", runId, error: "Error: no room" },
    })),
  );
  expect(meter.of("tracon.run.recording_failures")).toMatchObject([
    { attributes: { "tracon.recording.stage": "sink" } },
    { attributes: { "tracon.recording.stage": "sink" } },
  ]);
});

it("drops a sink that falls too far behind, and holds no run for it", async () => {
  const hanging = collecting("hanging", () => new Promise(() => undefined));
  const toolCalls = Array.from({ length: 520 }, () => ({ name: "look" }));
  const { engine } = await start([{ toolCalls }, "Done."], [hanging.sink]);

  const { result, events } = await engine.run();

  expect(result.status).toBe("Completed");
  expect(events.length).toBeGreaterThan(1_001);
  expect(hanging.events).toHaveLength(1);
  expect(engine.log.entries).toMatchObject([
    { fields: { sink: "hanging", error: "more than 1000 events wait for it" } },
  ]);
});

it("drops a sink that is not done some time after the run, and closes without it", async () => {
  const hanging = collecting("hanging", () => new Promise(() => undefined));
  const { engine, clock } = await start(["Done."], [hanging.sink]);

  await engine.run();
  const closed = engine.engine.close();
  await clock.sleeping();
  clock.advance(10_000);
  await closed;

  expect(engine.log.entries).toMatchObject([
    { fields: { sink: "hanging", error: "it did not end with the run" } },
  ]);
});

it("shows what is on disk, so that no sink changes what the run or another sink sees", async () => {
  const vandal: EventSink = {
    name: "vandal",
    onEvent(event) {
      Object.assign(event.payload, { finishReason: "vandalized" });
    },
  };
  const other = collecting("other");
  const { engine } = await start(["Done."], [vandal, other.sink]);

  const { events } = await engine.run();

  expect(other.events).toEqual(events);
  expect(JSON.stringify(other.events)).not.toContain("vandalized");
});

it("shows nothing that is not on disk", async () => {
  const sink = collecting("one");
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const journal = { commit: () => Promise.reject(new Error("disk full")) };
  const engine = await startTestEngine({
    stores: { ...stores, journal },
    model: scriptedModel(["Done."]),
    eventSinks: [sink.sink],
  });

  const { result } = await engine.run();

  expect(result.status).toBe("Completed");
  expect(sink.events).toEqual([]);
});

function collecting(name: string, then: () => PromiseLike<void> | void = () => undefined) {
  const events: RunEvent[] = [];
  const tenants: string[] = [];
  const sink: EventSink = {
    name,
    onEvent(event, { tenantId }) {
      events.push(event);
      tenants.push(tenantId);
      return then();
    },
  };
  return { sink, events, tenants };
}

async function start(script: readonly ScriptedStep[], eventSinks: readonly EventSink[]) {
  const clock = manualClock();
  const meter = memoryMeter();
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const engine = await startTestEngine({
    stores,
    model: scriptedModel(script),
    tools: { look: tool({ inputSchema: z.object({}), execute: () => "seen" }) },
    eventSinks,
    clock,
    sleep: clock.sleep,
    meterProvider: meter,
  });
  return { engine, meter, clock };
}
