/**
 * Costs that became known after the end of their runs.
 *
 * A run's row and events are never written again: the correction is a row of its own, written once,
 * in one transaction with what it changes in the sums. Records show it in place of the unknown cost.
 */

import type { CostCorrection, RunRecord } from "@tracon/core";
import { CompiledQuery, type Kysely, sql } from "kysely";
import type { Driver } from "./drivers/driver.ts";
import { insertEnd, insertedInto, rowColumns } from "./journal-rows.ts";
import { RECORD_COLUMNS, type RunRow, runRecord } from "./run-row.ts";
import type { Schema } from "./schema.ts";
import type { SqlValue } from "./sql-value.ts";
import type { CellAmounts } from "./statistics-rows.ts";
import { storedText, storedTime } from "./stored-values.ts";

export async function unpricedRuns(
  driver: Driver,
  tenantId: string,
  { after, take }: { readonly after?: string; readonly take: number },
): Promise<readonly RunRecord[]> {
  if (take <= 0) return [];
  const rows = await driver.reports
    .selectFrom("tracon_runs as run")
    .select(RECORD_COLUMNS)
    .select([sql<number>`0`.as("child_run_count"), sql<null>`null`.as("corrected_cost")])
    .where("run.tenant_id", "=", storedText(tenantId))
    // In the words of the index's condition, which SQLite needs. A run has its usage with its end.
    .where(sql<boolean>`run.total_cost is null and run.usage is not null`)
    .$if(after !== undefined, (it) => it.where("run.id", ">", storedText(after ?? "")))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("tracon_cost_corrections as correction")
            .select("correction.run_id")
            .whereRef("correction.tenant_id", "=", "run.tenant_id")
            .whereRef("correction.run_id", "=", "run.id"),
        ),
      ),
    )
    .orderBy("run.id")
    .limit(take)
    .execute();
  return rows.map((row) => runRecord(row as RunRow));
}

export async function correctCosts(
  driver: Driver,
  tenantId: string,
  corrections: readonly CostCorrection[],
): Promise<readonly string[]> {
  if (corrections.length === 0) return [];
  return driver.writes.transaction().execute(async (transaction) => {
    const corrected: string[] = [];
    const sums: (readonly SqlValue[])[] = [];
    for (const { record, cost } of corrections) {
      if (!(await insertCorrection(transaction, tenantId, { record, cost }))) continue;
      corrected.push(record.id);
      sums.push(driver.statistics.runValues(tenantId, { ...record, cost }, correctionOf(cost)));
    }
    // In the order in which the journal takes rows, so that neither waits for the other in a circle.
    for (const values of sums.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))) {
      await transaction.executeQuery(CompiledQuery.raw(addSql, [...values]));
    }
    return corrected;
  });
}

async function insertCorrection(
  db: Kysely<Schema>,
  tenantId: string,
  { record, cost }: CostCorrection,
): Promise<boolean> {
  const pricedAt = storedTime(cost.pricedAt ?? record.startedAt);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("tracon_cost_corrections")
    .values({
      tenant_id: storedText(tenantId),
      run_id: storedText(record.id),
      cost: JSON.stringify(cost),
      priced_at: pricedAt,
    })
    .onConflict((it) => it.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The run itself was counted at its end. */
const correctionOf = ({ totalCost }: CostCorrection["cost"]): CellAmounts => ({
  runs: 0,
  unpricedRuns: -1,
  durationMs: undefined,
  usage: undefined,
  totalCost,
  sample: undefined,
});

const addSql = `insert into ${insertedInto.statistics}
  (${rowColumns.statistics.map(([name]) => name).join(", ")})
  values (${rowColumns.statistics.map((_, index) => `$${index + 1}`).join(", ")})
  ${insertEnd("statistics")}`;

const KEY_COLUMNS = 4;
const keyOf = (values: readonly SqlValue[]): string => JSON.stringify(values.slice(0, KEY_COLUMNS));
