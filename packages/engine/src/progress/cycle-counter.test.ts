import fc from "fast-check";
import { expect, it } from "vitest";
import { CycleCounter, MAX_PERIOD } from "./cycle-counter.ts";

it("counts a step that comes again, the first time not", () => {
  expect(repeatsOf("aaaa")).toEqual([0, 1, 2, 3]);
});

it("counts steps in turn as one, and only when the turn is complete", () => {
  expect(repeatsOf("ababab")).toEqual([0, 0, 0, 1, 0, 2]);
});

it("gives the steps of the last turn, in order", () => {
  const counter = counterOfTexts();

  const found = [..."xbcabcabca"].map((step) => counter.add(step));

  expect(found.at(-1)).toEqual({ repeats: 2, steps: ["b", "c", "a"] });
});

it("begins anew after a reset", () => {
  const counter = counterOfTexts();
  counter.add("a");
  counter.reset();

  expect(counter.add("a")).toBeUndefined();
  expect(counter.isRepeating).toBe(false);
});

it("finds what a count over the whole history finds, for any steps", () => {
  const steps = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 60 });

  fc.assert(
    fc.property(steps, (given) => {
      const expected = given.map((_, end) => countedAnew(given.slice(0, end + 1)));

      expect(repeatsOf(given)).toEqual(expected);
    }),
  );
});

const counterOfTexts = () => new CycleCounter<string>((left, right) => left === right);

function repeatsOf(steps: Iterable<string>): number[] {
  const counter = counterOfTexts();
  return [...steps].map((step) => counter.add(step)?.repeats ?? 0);
}

/** The most repeats of a circle that ends with the last step, were the count to rise with it. */
function countedAnew(steps: readonly string[]): number {
  let most = { repeats: 0, hasRisen: false };
  for (let period = 1; period <= MAX_PERIOD; period++) {
    let run = 0;
    while (run + period < steps.length && equalAt(steps, run, period)) run++;
    const repeats = Math.floor(run / period);
    if (repeats > most.repeats) most = { repeats, hasRisen: run % period === 0 };
  }
  return most.hasRisen ? most.repeats : 0;
}

const equalAt = (steps: readonly string[], back: number, period: number): boolean =>
  steps.at(-1 - back) === steps.at(-1 - back - period);
