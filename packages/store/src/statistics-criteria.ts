/** What the criteria of loops decided and took, over the agents that have them. */

import type { CriterionStatistics } from "@tracon/core";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { CriterionStatisticsTable, Schema } from "./schema.ts";
import { NO_POSITION, OTHER } from "./statistics-cells.ts";
import { roundedCost } from "./statistics-sums.ts";
import { originalText } from "./stored-values.ts";

const COUNTS = [
  "runs",
  "continued",
  "stopped",
  "failed",
  "decisive",
  "reviewer_runs",
  "judge_calls",
  "unpriced_calls",
  "input_tokens",
  "output_tokens",
  "total_cost",
] as const;

/** One criterion and currency. */
type Row = Pick<
  CriterionStatisticsTable,
  "agent_name" | "kind" | "position" | "currency" | (typeof COUNTS)[number]
> & { readonly place: number };

/** `where` says which cells are looked at. */
export async function criterionStatistics(
  db: Kysely<Schema>,
  where: RawBuilder<unknown>,
  maxRows: number,
): Promise<readonly CriterionStatistics[]> {
  const { rows } = await sql<Row>`
    select * from (
      select sums.*, dense_rank() over (
          order by evaluations desc, agent_name, position, kind) as place
      from (
        select agent_name, kind, position, currency, ${SUMS},
          sum(sum(continued + stopped + failed))
            over (partition by agent_name, kind, position) as evaluations
        from tracon_criterion_statistics where ${where}
        group by agent_name, kind, position, currency
      ) sums
    ) ranked where place <= ${maxRows} order by place, currency`.execute(db);
  return [...Map.groupBy(rows, ({ place }) => place).values()].map(criterionOf);
}

/** PostgreSQL makes a `numeric` of a sum of bigints, which would arrive as text. */
const SUMS = sql.raw(
  COUNTS.map((column) => `cast(sum(${column}) as double precision) as ${column}`).join(", "),
);

function criterionOf(rows: readonly Row[]): CriterionStatistics {
  const total = (column: (typeof COUNTS)[number]): number | undefined => {
    const known = rows.map((row) => row[column]).filter((value) => value !== null);
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value);
  };
  const count = (column: (typeof COUNTS)[number]): number => total(column) ?? 0;
  const [continued, stopped, failed] = [count("continued"), count("stopped"), count("failed")];
  const evaluations = continued + stopped + failed;
  const decisive = count("decisive");
  const costs = costsOf(rows);
  const [only] = costs;
  const inputTokens = total("input_tokens");
  const outputTokens = total("output_tokens");
  return {
    ...nameOf(rows[0]),
    runs: count("runs"),
    evaluations,
    continued,
    stopped,
    failed,
    decisive,
    ...(evaluations === 0 ? {} : { decisiveRate: decisive / evaluations }),
    reviewerRuns: count("reviewer_runs"),
    judgeCalls: count("judge_calls"),
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(costs.length === 1 ? only : {}),
    costs,
    unpricedCalls: count("unpriced_calls"),
  };
}

function nameOf(row: Row | undefined) {
  const { agent_name: agentName = OTHER, kind = "", position = NO_POSITION } = row ?? {};
  return agentName === OTHER
    ? { agentName: "other", isOther: true as const, kind: originalText(kind) }
    : { agentName: originalText(agentName), kind: originalText(kind), position };
}

const costsOf = (rows: readonly Row[]): CriterionStatistics["costs"] =>
  rows.flatMap(({ currency, total_cost: cost }) =>
    cost === null ? [] : [{ currency: originalText(currency), totalCost: roundedCost(cost) }],
  );
