import type { EngineOptions } from "@tracon/engine";

/** One number that was added to a counter. */
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
  /** Everything counted so far, oldest first. */
  readonly measurements: readonly Measurement[];
};

/** Creates a meter provider that keeps what is counted in memory. It makes counters only. */
export function memoryMeter(): MemoryMeter {
  const measurements: Measurement[] = [];
  return {
    measurements,
    getMeter(meter) {
      const createCounter: Meter["createCounter"] = (name) => ({
        add(value, attributes) {
          measurements.push({ meter, name, value, attributes: { ...attributes } });
        },
      });
      return { createCounter } as Meter;
    },
  };
}
