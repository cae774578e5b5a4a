import type { Migration } from "./migration.ts";

/** What the criteria of loops decided and took: sums by the hour, as those of runs and tools are. */
export const criterionStatistics: Migration = {
  id: "0008-criterion-statistics",
  statements: ({ key, engine }) => [
    `create table tracon_criterion_statistics (
      tenant_id ${key} not null,
      hour integer not null,
      cell ${key} not null,
      shard integer not null,
      agent_name ${key} not null,
      kind ${key} not null,
      position integer not null,
      currency ${key} not null,
      runs integer not null,
      continued integer not null,
      stopped integer not null,
      failed integer not null,
      decisive integer not null,
      reviewer_runs integer not null,
      judge_calls integer not null,
      unpriced_calls integer not null,
      input_tokens bigint,
      output_tokens bigint,
      total_cost double precision,
      primary key (tenant_id, hour, cell, shard)
    ) ${UPDATED_IN_PLACE[engine]}`,
  ],
};

/** PostgreSQL writes a changed row beside the old one, without touching the index while there is room. */
const UPDATED_IN_PLACE = { sqlite: "without rowid", postgres: "with (fillfactor = 60)" };
