import { approvalStoreContract } from "./approval-store.ts";
import { approvalWriteContract } from "./approval-write.ts";
import { attachmentStoreContract } from "./attachment-store.ts";
import type { StoreContract } from "./contract.ts";
import { costCorrectionContract } from "./cost-corrections.ts";
import { criterionStatisticsContract } from "./criterion-statistics.ts";
import { definitionStoreContract } from "./definition-store.ts";
import { mixedBatchContract } from "./mixed-batch.ts";
import { runJournalContract } from "./run-journal.ts";
import { runListContract } from "./run-list.ts";
import { runStoreContract } from "./run-store.ts";
import { runTreeContract } from "./run-tree.ts";
import { sessionStoreContract } from "./session-store.ts";
import { sessionWriteContract } from "./session-write.ts";
import { statisticsContract } from "./statistics.ts";
import { storedTextContract } from "./stored-text.ts";
import { treeBudgetContract } from "./tree-budget.ts";

/** Every contract a set of stores must keep. */
export const storeContracts: readonly StoreContract[] = [
  definitionStoreContract,
  attachmentStoreContract,
  runJournalContract,
  mixedBatchContract,
  runStoreContract,
  runListContract,
  runTreeContract,
  sessionWriteContract,
  sessionStoreContract,
  approvalWriteContract,
  approvalStoreContract,
  statisticsContract,
  criterionStatisticsContract,
  costCorrectionContract,
  storedTextContract,
  treeBudgetContract,
];
