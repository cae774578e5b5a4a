import { agentsAndRuns } from "./0001-agents-and-runs.ts";
import { runParameters } from "./0002-run-parameters.ts";
import { sessions } from "./0003-sessions.ts";
import { approvals } from "./0004-approvals.ts";
import { budgets } from "./0005-budgets.ts";
import { statistics } from "./0006-statistics.ts";
import { attachments } from "./0007-attachments.ts";
import { criterionStatistics } from "./0008-criterion-statistics.ts";
import type { Migration } from "./migration.ts";

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [
  agentsAndRuns,
  runParameters,
  sessions,
  approvals,
  budgets,
  statistics,
  attachments,
  criterionStatistics,
];
