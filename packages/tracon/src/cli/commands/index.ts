import type { Command } from "../command.ts";
import { apply } from "./apply.ts";
import { approvals } from "./approvals.ts";
import { dev } from "./dev.ts";
import { diff } from "./diff.ts";
import { exportAgents } from "./export-agents.ts";
import { importAgents } from "./import-agents.ts";
import { migrate } from "./migrate.ts";
import { run } from "./run.ts";
import { serve } from "./serve.ts";
import { stats } from "./stats.ts";
import { validate } from "./validate.ts";

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  dev,
  serve,
  run,
  approvals,
  stats,
  validate,
  migrate,
  exportAgents,
  importAgents,
  diff,
  apply,
];
