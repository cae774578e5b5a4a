import { lazy, Suspense } from "react";
import { barText, bucketName, type TimeBarsProps } from "./time-buckets.ts";

const Plot = lazy(() =>
  import("./time-bars-plot.tsx").then((it) => ({ default: it.TimeBarsPlot })),
);

/** Bars over time. The drawing is loaded with the first chart; the figures are also a table. */
export const TimeBars = (props: TimeBarsProps) => (
  <figure aria-label={props.label} className="min-w-0">
    <Suspense fallback={<div className="h-44" />}>
      <Plot {...props} />
    </Suspense>
    <BarTable {...props} />
  </figure>
);

const BarTable = ({ label, buckets, bucket, series, format }: TimeBarsProps) => (
  <table className="sr-only">
    <caption>{label}</caption>
    <thead>
      <tr>
        <th scope="col">{bucket}</th>
        {series.map((it) => (
          <th key={it.label} scope="col">
            {it.label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {buckets.map((start, index) => (
        <tr key={start}>
          <th scope="row">{bucketName(start, bucket)}</th>
          {series.map((it) => (
            <td key={it.label}>{barText(it.values[index], format)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
