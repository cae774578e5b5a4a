import { manualClock, TEST_EPOCH_MS } from "@tracon/testing";
import { expect, it } from "vitest";
import { createIdSource } from "./run-ids.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it("makes UUIDs of version 7 that begin with the time", () => {
  const id = createIdSource(manualClock()).next();

  expect(id).toMatch(UUID_V7);
  expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(TEST_EPOCH_MS);
});

it("makes ids that rise and never repeat, however many fall into a millisecond", () => {
  const clock = manualClock();
  const source = createIdSource(clock);

  const ids = Array.from({ length: 20_000 }, (_, index) => {
    if (index % 7_000 === 6_999) clock.advance(1);
    return source.next();
  });

  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});

it("makes ids that rise when the clock steps back", () => {
  let nowMs = TEST_EPOCH_MS;
  const source = createIdSource({ now: () => nowMs, monotonicMs: () => 0 });

  const before = source.next();
  nowMs -= 3_600_000;
  const after = source.next();

  expect(after > before).toBe(true);
});

it("makes valid ids when the clock tells fractions of a millisecond", () => {
  const source = createIdSource({ now: () => TEST_EPOCH_MS + 0.75, monotonicMs: () => 0 });

  expect(source.next()).toMatch(UUID_V7);
});
