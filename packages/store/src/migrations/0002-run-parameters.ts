import type { Migration } from "./migration.ts";

/** The values a run was bound with, beside what it was asked. */
export const runParameters: Migration = {
  id: "0002-run-parameters",
  statements: () => ["alter table tracon_run_inputs add column parameters text"],
};
