import fc from "fast-check";
import { expect, it } from "vitest";
import { addUsage, type RunUsage, runUsageSchema } from "./usage.ts";

it("knows a counter that either side measured", () => {
  const sum = addUsage({ inputTokens: 1, outputTokens: 0 }, { inputTokens: 2, reasoningTokens: 3 });

  expect(sum).toEqual({ inputTokens: 3, outputTokens: 0, reasoningTokens: 3 });
});

it("does not take nothing for zero", () => {
  expect(addUsage(undefined, undefined)).toBeUndefined();
  expect(addUsage({ inputTokens: 1 }, undefined)).toEqual({ inputTokens: 1 });
  expect(addUsage(undefined, {})).toEqual({});
});

it("sums in any order to the same, and changes neither side", () => {
  fc.assert(
    fc.property(usage(), usage(), usage(), (a, b, c) => {
      const before = JSON.stringify([a, b, c]);

      const left = addUsage(addUsage(a, b), c);
      const right = addUsage(a, addUsage(c, b));

      expect(left).toEqual(right);
      expect(JSON.stringify([a, b, c])).toBe(before);
    }),
  );
});

const usage = (): fc.Arbitrary<RunUsage> =>
  fc.record(
    Object.fromEntries(Object.keys(runUsageSchema.shape).map((it) => [it, fc.nat(1_000_000)])),
    { requiredKeys: [] },
  );
