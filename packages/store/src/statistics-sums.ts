/** The sums that a query over cells selects, and what they say: unknown is absent, never 0. */

import { sql } from "kysely";
import type { RunStatisticsTable } from "./schema.ts";
import { originalText } from "./stored-values.ts";

const TOKENS = [
  ["input_tokens", "inputTokens"],
  ["output_tokens", "outputTokens"],
  ["total_tokens", "totalTokens"],
  ["cached_input_tokens", "cachedInputTokens"],
  ["reasoning_tokens", "reasoningTokens"],
  ["audio_input_tokens", "audioInputTokens"],
  ["audio_output_tokens", "audioOutputTokens"],
] as const;

type SummedColumn =
  | "runs"
  | "unpriced_runs"
  | "timed_runs"
  | "duration_ms"
  | (typeof TOKENS)[number][0]
  | "total_cost";

export type Sums = Pick<RunStatisticsTable, SummedColumn> & {
  readonly failed_runs: number;
  /** One of the currencies of the cost, and how many there are. */
  readonly cost_currency: string | null;
  readonly cost_currencies: number;
};

/** PostgreSQL makes a `numeric` of a sum of bigints, which would arrive as text. */
const summed = (expression: string, name: string): string =>
  `cast(sum(${expression}) as double precision) as ${name}`;

const PRICED = "case when total_cost is not null then currency end";

export const SUMS = sql.raw(
  [
    summed("runs", "runs"),
    summed("case when status = 'Failed' then runs else 0 end", "failed_runs"),
    summed("unpriced_runs", "unpriced_runs"),
    summed("timed_runs", "timed_runs"),
    summed("duration_ms", "duration_ms"),
    ...TOKENS.map(([column]) => summed(column, column)),
    summed("total_cost", "total_cost"),
    `max(${PRICED}) as cost_currency`,
    `count(distinct ${PRICED}) as cost_currencies`,
  ].join(", "),
);

type Tokens = { readonly [Column in (typeof TOKENS)[number][1]]?: number };

/** Nothing was measured in no run, so the tokens of no run are 0. */
export function tokensOf(...rows: readonly Sums[]): Tokens {
  const tokens: Record<string, number> = {};
  for (const [column, member] of TOKENS) {
    const measured = rows.map((row) => row[column]).filter((value) => value !== null);
    if (measured.length > 0 || rows.length === 0) {
      tokens[member] = measured.reduce((sum, value) => sum + value, 0);
    }
  }
  return tokens;
}

/** The known cost; nothing when there is none, or when it is in several currencies. */
export function costOfSums(...rows: readonly Sums[]): {
  readonly totalCost?: number;
  readonly currency?: string;
} {
  const priced = rows.filter((row) => row.total_cost !== null);
  const currency = priced[0]?.cost_currency ?? undefined;
  const isOne = priced.every((row) => row.cost_currencies === 1 && row.cost_currency === currency);
  if (currency === undefined || !isOne) return {};
  const total = priced.reduce((sum, row) => sum + (row.total_cost ?? 0), 0);
  return { totalCost: roundedCost(total), currency: originalText(currency) };
}

/** Digits of a sum that binary fractions leave meaningful. */
const COST_DIGITS = 10;

export const roundedCost = (cost: number): number => Number(cost.toFixed(COST_DIGITS));
