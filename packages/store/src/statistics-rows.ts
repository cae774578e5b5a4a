/**
 * The rows that count the runs a batch ends: the sums of the whole batch, one for each key and in
 * the order of the keys, so that processes that count into the same rows never wait for each other
 * in a circle.
 */

import type {
  CriterionTally,
  JournalEntry,
  RunRecord,
  RunTally,
  ToolCallTally,
} from "@tracon/core";
import type { PutRow } from "./journal-rows.ts";
import { labelsText } from "./label-text.ts";
import type { SqlValue } from "./sql-value.ts";
import { type CellDimensions, NO_VERSION, NONE, StatisticsCells } from "./statistics-cells.ts";
import { merged, type SumKind } from "./statistics-columns.ts";
import { storedText, storedTime } from "./stored-values.ts";

export const HOUR_MS = 3_600_000;

export const hourOf = (iso: string): number => Math.floor(storedTime(iso) / HOUR_MS);

/** Rows by their key. */
type Sums = Map<string, readonly SqlValue[]>;

/** What a run adds to its cell. */
export type CellAmounts = {
  readonly runs: number;
  readonly unpricedRuns: number;
  readonly durationMs: number | undefined;
  readonly usage: RunRecord["usage"];
  readonly totalCost: number | undefined;
  readonly sample: RunRecord | undefined;
};

export class StatisticsRows {
  /** Each process adds to rows of its own; so none waits for the commit of another. */
  readonly #shard: number;
  readonly #cells = new StatisticsCells();

  constructor(shard: number) {
    this.#shard = shard;
  }

  /** Puts what the runs that the batch ends add to the sums. */
  put(batch: readonly JournalEntry[], put: PutRow): void {
    const runs: Sums = new Map();
    const tools: Sums = new Map();
    const criteria: Sums = new Map();
    for (const { tenantId, tally } of batch) {
      if (tally === undefined) continue;
      add("statistics", runs, this.runValues(tenantId, tally.record, amountsOf(tally)));
      for (const calls of tally.toolCalls) {
        add("toolStatistics", tools, this.#toolValues(tenantId, calls));
      }
      for (const values of this.#criterionRows(tenantId, tally)) {
        add("criterionStatistics", criteria, values);
      }
    }
    putSorted("statistics", runs, put);
    putSorted("toolStatistics", tools, put);
    putSorted("criterionStatistics", criteria, put);
  }

  /** The values of the row that counts `amounts` of a run. */
  runValues(tenantId: string, record: RunRecord, amounts: CellAmounts): readonly SqlValue[] {
    const { usage, sample, durationMs, totalCost } = amounts;
    const tenant = storedText(tenantId);
    const hour = hourOf(record.startedAt);
    const cell = this.#cells.cellOf(tenant, hour, dimensionsOf(record, totalCost));
    return [
      tenant,
      hour,
      cell.key,
      this.#shard,
      ...Object.values(cell.dimensions),
      amounts.runs,
      amounts.unpricedRuns,
      durationMs === undefined ? 0 : 1,
      durationMs ?? 0,
      usage?.inputTokens ?? null,
      usage?.outputTokens ?? null,
      usage?.totalTokens ?? null,
      usage?.cachedInputTokens ?? null,
      usage?.audioInputTokens ?? null,
      usage?.reasoningTokens ?? null,
      usage?.audioOutputTokens ?? null,
      totalCost ?? null,
      sample === undefined ? null : storedText(sample.id),
      sample?.error === undefined ? null : storedText(sample.error.message),
      sample?.completedAt === undefined ? null : storedTime(sample.completedAt),
    ];
  }

  /** One for each criterion of an agent run, and one more for each further currency of it. */
  #criterionRows(tenantId: string, { record, criteria }: RunTally): readonly SqlValue[][] {
    if (record.kind !== "Agent") return [];
    return criteria.flatMap((counted) => {
      const [first, ...others] = counted.costs;
      return [
        this.#criterionValues(tenantId, record, counted, first),
        ...others.map((cost) =>
          this.#criterionValues(
            tenantId,
            record,
            { ...NOTHING_COUNTED, ...placeOf(counted) },
            cost,
          ),
        ),
      ];
    });
  }

  #criterionValues(
    tenantId: string,
    { startedAt, agentName }: RunRecord,
    counted: CriterionTally & { readonly runs?: number },
    cost: CriterionTally["costs"][number] | undefined,
  ): SqlValue[] {
    const tenant = storedText(tenantId);
    const hour = hourOf(startedAt);
    const cell = this.#cells.criterionOf(tenant, hour, {
      agentName: storedText(agentName),
      kind: storedText(counted.kind),
      position: counted.position,
      currency: text(cost?.currency),
    });
    return [
      tenant,
      hour,
      cell.key,
      this.#shard,
      ...Object.values(cell.dimensions),
      counted.runs ?? 1,
      counted.continued,
      counted.stopped,
      counted.failed,
      counted.decisive,
      counted.reviewerRuns,
      counted.judgeCalls,
      counted.unpricedCalls,
      counted.usage?.inputTokens ?? null,
      counted.usage?.outputTokens ?? null,
      cost?.totalCost ?? null,
    ];
  }

  #toolValues(tenantId: string, tally: ToolCallTally): readonly SqlValue[] {
    const tenant = storedText(tenantId);
    const hour = hourOf(tally.lastCalledAt);
    return [
      tenant,
      hour,
      this.#cells.toolOf(tenant, hour, storedText(tally.toolName)),
      this.#shard,
      tally.calls,
      tally.failedCalls,
      tally.durationMs,
      storedTime(tally.lastCalledAt),
    ];
  }
}

function amountsOf({ record, isUnpriced }: RunTally): CellAmounts {
  const { startedAt, completedAt, usage, cost, status } = record;
  return {
    runs: 1,
    unpricedRuns: isUnpriced ? 1 : 0,
    durationMs:
      completedAt === undefined
        ? undefined
        : Math.max(storedTime(completedAt) - storedTime(startedAt), 0),
    usage,
    totalCost: cost?.totalCost,
    sample: status === "Failed" ? record : undefined,
  };
}

const placeOf = ({ kind, position }: CriterionTally) => ({ kind, position });

const NOTHING_COUNTED = {
  runs: 0,
  continued: 0,
  stopped: 0,
  failed: 0,
  decisive: 0,
  reviewerRuns: 0,
  judgeCalls: 0,
  unpricedCalls: 0,
  costs: [],
} as const;

/** In the order of the columns. */
function dimensionsOf(record: RunRecord, totalCost: number | undefined): CellDimensions {
  const { error } = record;
  return {
    kind: record.kind,
    status: record.status,
    errorClass: error === undefined ? NONE : (error.class ?? "Unknown"),
    currency: totalCost === undefined ? NONE : text(record.cost?.currency),
    agentName: storedText(record.agentName),
    agentVersion: record.agentVersion ?? NO_VERSION,
    modelProvider: text(record.modelProvider),
    modelId: text(record.modelId),
    userId: text(record.userId),
    labels: labelsText(record.labels),
    fingerprint: error === undefined ? NONE : storedText(error.fingerprint ?? error.type),
  };
}

const text = (value: string | undefined): string =>
  value === undefined ? NONE : storedText(value);

/** Tenant, hour, cell or tool, and shard: the first columns of every kind. */
const KEY_COLUMNS = 4;

function add(kind: SumKind, sums: Sums, values: readonly SqlValue[]): void {
  const key = JSON.stringify(values.slice(0, KEY_COLUMNS));
  const known = sums.get(key);
  sums.set(key, known === undefined ? values : merged(kind, known, values));
}

function putSorted(kind: SumKind, sums: Sums, put: PutRow): void {
  for (const key of [...sums.keys()].sort()) put(kind, sums.get(key) ?? []);
}
