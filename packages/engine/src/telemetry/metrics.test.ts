import { metrics as registered } from "@opentelemetry/api";
import { memoryMeter } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { createMetrics } from "./metrics.ts";
import { createTelemetry } from "./telemetry.ts";

it("measures with the provider that is registered after it was created", () => {
  const telemetry = createTelemetry({}, {});
  const meter = memoryMeter();
  onTestFinished(() => registered.disable());
  telemetry?.metrics.recording.failed("event");

  registered.setGlobalMeterProvider(meter);
  telemetry?.metrics.recording.failed("start");
  telemetry?.metrics.modelCache.lookedUp("test", "hit");

  expect(meter.measurements.map(({ name, attributes }) => [name, attributes])).toEqual([
    ["tracon.run.recording_failures", { "tracon.recording.stage": "start" }],
    ["tracon.model.cache", { "tracon.model.provider": "test", "tracon.model.cache.result": "hit" }],
  ]);
});

it("goes on with its own provider whatever is registered", () => {
  const own = memoryMeter();
  const other = memoryMeter();
  const telemetry = createTelemetry({}, { meterProvider: own });
  onTestFinished(() => registered.disable());

  registered.setGlobalMeterProvider(other);
  telemetry?.metrics.recording.failed("sink");

  expect(own.measurements).toHaveLength(1);
  expect(other.measurements).toEqual([]);
});

it("makes its instruments once for a provider, with the first measurement", () => {
  const meter = memoryMeter();
  const asked: string[] = [];
  const counting = {
    getMeter(name: string) {
      asked.push(name);
      return meter.getMeter(name);
    },
  };
  const metrics = createMetrics(() => counting, true);
  const before = asked.length;

  metrics.recording.failed("event");
  metrics.agentSources.failed("wiki", "list");
  metrics.recording.failed("event");

  expect([before, asked.length]).toEqual([0, 1]);
  expect(meter.measurements).toHaveLength(3);
});
