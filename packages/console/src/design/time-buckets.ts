/** Figures per bucket of time, as charts take them, and how they read. */

import type { Tone } from "./status.tsx";

/** One measured thing per bucket; `undefined` is not known, which is drawn as such. */
export type BarSeries = {
  readonly label: string;
  readonly values: readonly (number | undefined)[];
  /** A status hue for what has one, `quiet` for what is no news; the accent otherwise. */
  readonly tone?: Tone | "quiet";
};

export type TimeBarsProps = {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  /** Starts of the buckets, ISO 8601. */
  readonly buckets: readonly string[];
  readonly bucket: "Hour" | "Day";
  /** Drawn over each other, the first at the back: each is a part of the one before. */
  readonly series: readonly BarSeries[];
  readonly format: (value: number) => string;
  /** Whole numbers only: the axis then has no halves. */
  readonly isCount?: boolean;
};

export const barText = (value: number | undefined, format: (value: number) => string): string =>
  value === undefined ? "unknown" : format(value);

/** Days are those of UTC, as the server counts them; hours are the reader's. */
export const bucketName = (start: string, bucket: "Hour" | "Day"): string =>
  bucket === "Day"
    ? new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }).format(
        new Date(start),
      )
    : new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(
        new Date(start),
      );
