import { expect, it } from "vitest";
import { chartOptions, plotData } from "./chart-options.ts";
import type { TimeBarsProps } from "./time-buckets.ts";

it("draws what is not known as no bar, which is another thing than a bar of zero", () => {
  const [, cost] = plotData(chart({ values: [0.5, 0, undefined] }));

  expect(cost).toEqual([0.5, 0, null]);
});

it("leaves half a bucket on both sides, so that the outer bars are whole", () => {
  const { scales } = options(chart({ values: [1, 2, 3] }));
  const range = scales?.x?.range as unknown as (
    plot: unknown,
    min: number,
    max: number,
  ) => number[];

  expect(range(undefined, 86_400, 172_800)).toEqual([43_200, 216_000]);
});

it("starts at zero also when nothing was measured", () => {
  const { scales } = options(chart({ values: [] }));
  const range = scales?.y?.range as unknown as (plot: unknown, min: null, max: null) => number[];

  expect(range(undefined, null, null)).toEqual([0, 1]);
});

it("labels as many buckets as there is room for, the newest always", () => {
  const buckets = Array.from({ length: 30 }, (_, day) => new Date(day * 86_400_000).toISOString());
  const { axes } = options({ ...chart({ values: [] }), buckets });
  const splits = axes?.[0]?.splits as () => number[];

  expect(splits().length).toBeLessThanOrEqual(6);
  expect(splits().at(-1)).toBe(29 * 86_400);
});

it("gives long figures the room they need", () => {
  const { axes } = options(chart({ values: [1] }));
  const size = axes?.[1]?.size as (plot: unknown, labels: string[] | null) => number;

  expect(size(undefined, ["$0.000040"])).toBeGreaterThan(size(undefined, ["$0.00"]));
  expect(size(undefined, null)).toBe(size(undefined, ["0"]));
});

it("counts in whole steps", () => {
  const { axes } = options({ ...chart({ values: [1] }), isCount: true });

  const steps = axes?.[1]?.incrs as number[];
  expect(steps.filter((step) => !Number.isInteger(step))).toEqual([]);
});

const chart = ({ values }: { readonly values: readonly (number | undefined)[] }) =>
  ({
    label: "Cost per day",
    buckets: ["2026-11-29", "2026-11-30", "2026-12-01"].map((day) => `${day}T00:00:00.000Z`),
    bucket: "Day",
    series: [{ label: "cost", values }],
    format: String,
  }) satisfies TimeBarsProps;

const options = (props: TimeBarsProps) =>
  chartOptions(props, {
    size: { width: 440, height: 176 },
    colors: { bar: () => "", axis: "", grid: "", font: "" },
    onHover: () => undefined,
    barPaths: undefined,
  });
