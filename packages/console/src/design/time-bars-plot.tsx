import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { useServices } from "../app/services.tsx";
import { useValue } from "../app/value-store.ts";
import { type ChartColors, chartOptions, plotData } from "./chart-options.ts";
import { toneText } from "./status.tsx";
import { barText, bucketName, type TimeBarsProps } from "./time-buckets.ts";

const HEIGHT_PX = 176;

/** The drawing of a chart. It takes its colours from the page, and anew when the theme changes. */
export function TimeBarsPlot(props: TimeBarsProps) {
  const { theme } = useServices();
  const chosen = useValue(theme);
  const systemIsDark = useSystemIsDark();
  const stage = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [hovered, setHovered] = useState<number>();
  const [width, setWidth] = useState(0);

  useEffect(() => {
    const element = stage.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const { buckets, bucket, series, format } = props;
  const data = JSON.stringify([buckets, series]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew when data, size or theme change
  useEffect(() => {
    const element = stage.current;
    if (element === null || width === 0) return;
    const plot = new uPlot(
      chartOptions(latest.current, {
        size: { width, height: HEIGHT_PX },
        colors: colorsOf(element),
        onHover: setHovered,
        barPaths: uPlot.paths.bars?.({ size: [0.7, 36] }),
      }),
      plotData(latest.current),
      element,
    );
    return () => plot.destroy();
  }, [data, width, chosen, systemIsDark]);

  const at = hovered === undefined ? undefined : buckets[hovered];
  return (
    <div aria-hidden>
      <p className="h-5 truncate text-muted text-sm tabular-nums">
        {at === undefined || hovered === undefined
          ? series.map(({ label }) => label).join(" · ")
          : `${bucketName(at, bucket)}: ${series
              .map(({ label, values }) => `${label} ${barText(values[hovered], format)}`)
              .join(" · ")}`}
      </p>
      <div ref={stage} className="h-44 overflow-hidden">
        <span data-color="bar" className="hidden text-accent" />
        <span data-color="quiet" className="hidden text-edge" />
        <span data-color="axis" className="hidden text-faint" />
        <span data-color="grid" className="hidden text-hairline" />
        {Object.entries(toneText).map(([tone, className]) => (
          <span key={tone} data-color={tone} className={`hidden ${className}`} />
        ))}
      </div>
    </div>
  );
}

/** A canvas knows no variables and no `light-dark()`, so the colours are read off elements. */
function colorsOf(stage: HTMLElement): ChartColors {
  const color = (name: string) =>
    getComputedStyle(stage.querySelector(`[data-color="${name}"]`) ?? stage).color;
  return {
    bar: (tone) => color(tone ?? "bar"),
    axis: color("axis"),
    grid: color("grid"),
    font: getComputedStyle(stage).fontFamily,
  };
}

function useSystemIsDark(): boolean {
  const [query] = useState(() => window.matchMedia("(prefers-color-scheme: dark)"));
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const onChange = () => setDark(query.matches);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, [query]);
  return isDark;
}
