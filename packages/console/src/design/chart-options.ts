/** How uPlot draws our bars: from zero, hairline grid, few labels, and a mark where nothing is known. */

import type uPlot from "uplot";
import { type BarSeries, bucketName, type TimeBarsProps } from "./time-buckets.ts";

export type ChartColors = {
  readonly bar: (tone: BarSeries["tone"]) => string;
  readonly axis: string;
  readonly grid: string;
  readonly font: string;
};

type Drawing = {
  readonly size: { readonly width: number; readonly height: number };
  readonly colors: ChartColors;
  readonly onHover: (index: number | undefined) => void;
  readonly barPaths: uPlot.Series.PathBuilder | undefined;
};

const SECOND_MS = 1_000;
const HOUR_S = 3_600;
const FONT_PX = 11;
/** A label of the time axis needs this much room. */
const LABEL_WIDTH_PX = 64;
/** The narrowest axis of values; longer figures get the room they need. */
const Y_AXIS_WIDTH_PX = 48;
const FIGURE_WIDTH_PX = 7;
const LABEL_GAP_PX = 14;
const X_AXIS_HEIGHT_PX = 24;
const WHOLE_STEPS = Array.from({ length: 8 }, (_, digits) =>
  [1, 2, 5].map((step) => step * 10 ** digits),
).flat();

export const plotData = ({ buckets, series }: TimeBarsProps): uPlot.AlignedData => [
  buckets.map((start) => Date.parse(start) / SECOND_MS),
  ...series.map(({ values }) => values.map((value) => value ?? null)),
];

export function chartOptions(
  props: TimeBarsProps,
  { size, colors, onHover, barPaths }: Drawing,
): uPlot.Options {
  const { buckets, bucket, series, format, isCount = false } = props;
  const halfS = (bucket === "Day" ? 24 * HOUR_S : HOUR_S) / 2;
  const font = `${FONT_PX}px ${colors.font}`;
  const axis = { stroke: colors.axis, font, ticks: { show: false } };
  return {
    ...size,
    padding: [8, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { setScale: false, x: false, y: false } },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: (_plot, min, max) => [(min ?? 0) - halfS, (max ?? 0) + halfS] },
      y: { range: (_plot, _min, max) => [0, max === null || max <= 0 ? 1 : max * 1.05] },
    },
    axes: [
      {
        ...axis,
        size: X_AXIS_HEIGHT_PX,
        grid: { show: false },
        splits: () => labeledBuckets(buckets, size.width),
        values: (_plot, splits) =>
          splits.map((at) => bucketName(new Date(at * SECOND_MS).toISOString(), bucket)),
      },
      {
        ...axis,
        size: (_plot, labels) => yAxisWidthPx(labels),
        space: 36,
        ...(isCount ? { incrs: WHOLE_STEPS } : {}),
        grid: { stroke: colors.grid, width: 1 },
        values: (_plot, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [
      {},
      ...series.map(({ label, tone }) => ({
        label,
        fill: colors.bar(tone),
        width: 0,
        points: { show: false },
        ...(barPaths === undefined ? {} : { paths: barPaths }),
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => onHover(cursor.idx ?? undefined)],
      draw: [(plot) => drawUnknown(plot, props, { color: colors.axis, font })],
    },
  };
}

/** Before there are values, uPlot asks without labels. */
const yAxisWidthPx = (labels: readonly string[] | null): number =>
  Math.max(
    Y_AXIS_WIDTH_PX,
    ...(labels ?? []).map((label) => label.length * FIGURE_WIDTH_PX + LABEL_GAP_PX),
  );

function labeledBuckets(buckets: readonly string[], widthPx: number): number[] {
  const room = Math.max(1, Math.floor((widthPx - Y_AXIS_WIDTH_PX) / LABEL_WIDTH_PX));
  const every = Math.ceil(buckets.length / room);
  // Counted from the end, so that the newest bucket has its label.
  return buckets
    .filter((_, index) => (buckets.length - 1 - index) % every === 0)
    .map((start) => Date.parse(start) / SECOND_MS);
}

/** A bar that is not known is no bar of zero: it is a question mark on the base line. */
function drawUnknown(
  plot: uPlot,
  { buckets, series }: TimeBarsProps,
  { color, font }: { readonly color: string; readonly font: string },
): void {
  const { ctx } = plot;
  const scale = plot.width === 0 ? 1 : ctx.canvas.width / plot.width;
  ctx.save();
  ctx.fillStyle = color;
  ctx.font = font.replace(`${FONT_PX}px`, `${FONT_PX * scale}px`);
  ctx.textAlign = "center";
  ctx.textBaseline = "bottom";
  for (const [index, start] of buckets.entries()) {
    if (series.every(({ values }) => values[index] !== undefined)) continue;
    const x = plot.valToPos(Date.parse(start) / SECOND_MS, "x", true);
    ctx.fillText("?", x, plot.valToPos(0, "y", true) - 2 * scale);
  }
  ctx.restore();
}
