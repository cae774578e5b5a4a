/** The one time axis that every bar of the timeline shares. */

export type TimeAxis = {
  readonly startMs: number;
  readonly endMs: number;
  /** Offsets from the start that get a line and a label. */
  readonly tickOffsetsMs: readonly number[];
};

const STEPS = [1, 2, 5] as const;
const MOST_TICKS = 6;
/** A tick nearer to the end than this share of the axis has no room for its label. */
const LABEL_SHARE = 0.08;
/** A run of no length still gets an axis. */
const SHORTEST_MS = 10;

export function timeAxis(startMs: number, endMs: number): TimeAxis {
  const spanMs = Math.max(endMs - startMs, SHORTEST_MS);
  const stepMs = tickStep(spanMs);
  const count = Math.floor((spanMs * (1 - LABEL_SHARE)) / stepMs);
  return {
    startMs,
    endMs: startMs + spanMs,
    tickOffsetsMs: Array.from({ length: count + 1 }, (_, index) => index * stepMs),
  };
}

/** The smallest of 1, 2, 5, 10, 20 … ms that needs no more than the ticks there is room for. */
function tickStep(spanMs: number): number {
  for (let decade = 1; ; decade *= 10) {
    for (const step of STEPS) {
      if (spanMs / (step * decade) <= MOST_TICKS) return step * decade;
    }
  }
}

/** Where a moment lies on the axis, in percent from 0 to 100. */
export function percentAt(axis: TimeAxis, ms: number): number {
  const share = (ms - axis.startMs) / (axis.endMs - axis.startMs);
  return Math.min(Math.max(share, 0), 1) * 100;
}
