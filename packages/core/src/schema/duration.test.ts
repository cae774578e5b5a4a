import fc from "fast-check";
import { expect, it } from "vitest";
import { duration, formatDuration, parseDuration } from "./duration.ts";

it.each([
  ["00:00:10", 10_000],
  ["01:30:00", 5_400_000],
  ["1.02:03:04", 93_784_000],
  ["00:00:00.250", 250],
  ["00:00:00.5", 500],
  ["00:00:00.2504567", 250],
  ["00:00:00.283", 283],
  ["10s", 10_000],
  ["2m", 120_000],
  ["1h", 3_600_000],
  ["1d", 86_400_000],
  ["250ms", 250],
  ["1.5h", 5_400_000],
  ["0s", 0],
  ["PT10S", 10_000],
  ["PT1M30S", 90_000],
  ["PT1.5S", 1_500],
  ["P1D", 86_400_000],
  ["P1DT2H", 93_600_000],
])("reads %s", (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs);
});

it.each([
  "",
  "10",
  "s",
  "-5s",
  " 5s",
  "5 s",
  "5S",
  "24:00:00",
  "00:60:00",
  "00:00:60",
  "0:00:00",
  "00:00",
  "P",
  "PT",
  "P1DT",
  "P1Y",
  "PT-5S",
  "pt5s",
  "1e3s",
  "٣s",
])("does not read %j", (text) => {
  expect(parseDuration(text)).toBeUndefined();
  expect(duration().safeParse(text).success).toBe(false);
});

it("writes the form that travels", () => {
  expect([0, 250, 10_000, 93_784_005, 86_400_000].map(formatDuration)).toEqual([
    "00:00:00",
    "00:00:00.250",
    "00:00:10",
    "1.02:03:04.005",
    "1.00:00:00",
  ]);
});

it("reads back every duration it writes", () => {
  fc.assert(
    fc.property(fc.nat({ max: 86_400_000 * 400_000 }), (durationMs) => {
      expect(parseDuration(formatDuration(durationMs))).toBe(durationMs);
    }),
  );
});

it("keeps a member in the form that travels, however it was spelled", () => {
  const spellings = ["90s", "1.5m", "PT1M30S", "00:01:30", "00:01:30.000", "90000ms"];

  expect(spellings.map((it) => duration().parse(it))).toEqual(Array(6).fill("00:01:30"));
});

it("refuses an endless text without reading it", () => {
  expect(duration().safeParse(`${"9".repeat(1_000_000)}s`).success).toBe(false);
});
