import type { EngineOptions } from "@tracon/engine";

/** One number that was added to a counter or recorded in a histogram. */
export type Measurement = {
  /** The meter's name. */
  readonly meter: string;
  /** The instrument's name. */
  readonly name: string;
  readonly value: number;
  readonly attributes: Readonly<Record<string, unknown>>;
};

type MeterProvider = NonNullable<EngineOptions["meterProvider"]>;
type Meter = ReturnType<MeterProvider["getMeter"]>;

/** A meter provider of OpenTelemetry that keeps what it is told. */
export type MemoryMeter = MeterProvider & {
  /** Everything measured so far, oldest first. */
  readonly measurements: readonly Measurement[];
  /** Those of one instrument. */
  of(name: string): readonly Measurement[];
};

/** Creates a meter provider that keeps what is measured in memory. It makes counters and histograms. */
export function memoryMeter(): MemoryMeter {
  const measurements: Measurement[] = [];
  return {
    measurements,
    of: (name) => measurements.filter((it) => it.name === name),
    getMeter(meter) {
      const keep = (name: string, value: number, attributes: object = {}): void => {
        measurements.push({ meter, name, value, attributes: { ...attributes } });
      };
      const createCounter: Meter["createCounter"] = (name) => ({
        add: (value, attributes) => keep(name, value, attributes),
      });
      const createHistogram: Meter["createHistogram"] = (name) => ({
        record: (value, attributes) => keep(name, value, attributes),
      });
      return { createCounter, createHistogram } as Meter;
    },
  };
}
