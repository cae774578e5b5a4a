import { expect, it } from "vitest";
import { memoryMeter } from "./memory-meter.ts";

it("keeps what is measured, oldest first, with the meter and the instrument", () => {
  const provider = memoryMeter();
  const meter = provider.getMeter("app");

  meter.createCounter("asked").add(2, { who: "one" });
  meter.createHistogram("took").record(0.5);

  expect(provider.measurements).toEqual([
    { meter: "app", name: "asked", value: 2, attributes: { who: "one" } },
    { meter: "app", name: "took", value: 0.5, attributes: {} },
  ]);
});
