import { expect, it } from "vitest";
import { manualClock } from "./manual-clock.ts";

it("moves only when told to", () => {
  const clock = manualClock(1_000);

  clock.advance(250);

  expect([clock.now(), clock.monotonicMs()]).toEqual([1_250, 250]);
});

it("refuses to run backwards", () => {
  const clock = manualClock();

  expect(() => clock.advance(-1)).toThrow("cannot run backwards");
});

it("wakes sleeps in the order of their times", async () => {
  const clock = manualClock();
  const woken: string[] = [];
  const late = clock.sleep(20).then(() => woken.push("late"));
  const early = clock.sleep(10).then(() => woken.push("early"));

  clock.advance(20);
  await Promise.all([late, early]);

  expect(woken).toEqual(["early", "late"]);
});

it("leaves a sleep alone that is not due", async () => {
  const clock = manualClock();
  const sleep = clock.sleep(10);

  clock.advance(9);
  await clock.sleeping();
  clock.advance(1);

  await expect(sleep).resolves.toBeUndefined();
});

it("ends a sleep with the reason of the abort", async () => {
  const clock = manualClock();
  const run = new AbortController();
  const sleep = clock.sleep(10, run.signal);

  run.abort(new Error("stopped"));

  await expect(sleep).rejects.toThrow("stopped");
});
