/** What all rounds measured, and how to ask for it. */

import { type Spread, spreadOf } from "./statistics.ts";

/** By job, the values of each round; a round in which the job failed is `undefined`. */
export type Samples = Readonly<
  Record<string, readonly (Readonly<Record<string, number>> | undefined)[]>
>;

/** Where a number stands: a job and the name of the value in it. */
export type Place = readonly [job: string, value: string];

const valuesAt = (samples: Samples, [job, value]: Place): readonly number[] =>
  (samples[job] ?? []).map((round) => round?.[value] ?? Number.NaN);

export const measuredAt = (samples: Samples, place: Place): Spread | undefined =>
  spreadOf(valuesAt(samples, place));

/**
 * A number made of several of the same round, as the median over the rounds: what moved the whole
 * machine in a round moved both sides of a ratio.
 */
export function perRound(
  samples: Samples,
  places: readonly Place[],
  make: (...values: number[]) => number,
): Spread | undefined {
  const columns = places.map((place) => valuesAt(samples, place));
  const rounds = Math.max(0, ...columns.map((column) => column.length));
  const made = Array.from({ length: rounds }, (_, round) =>
    make(...columns.map((column) => column[round] ?? Number.NaN)),
  );
  return spreadOf(made);
}
