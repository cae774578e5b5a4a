import type { Route } from "../route.ts";
import { estimateAgent, runAgent } from "./agent-runs.ts";
import {
  diffAgentVersions,
  getAgentVersion,
  listAgentVersions,
  rollbackAgent,
} from "./agent-versions.ts";
import {
  createAgent,
  deleteAgent,
  getAgent,
  listAgents,
  saveAgent,
  validateAgent,
} from "./agents.ts";
import {
  createApprovalRule,
  decideApproval,
  deleteApprovalRule,
  getApproval,
  listApprovalRules,
  listPendingApprovals,
} from "./approvals.ts";
import {
  deleteAttachment,
  getAttachment,
  listAttachments,
  uploadAttachment,
} from "./attachments.ts";
import {
  listExtensions,
  listLoopCriteria,
  listModels,
  listTools,
  listToolUsage,
} from "./catalog.ts";
import { getMeta } from "./meta.ts";
import { getOpenApi, getReference } from "./reference.ts";
import { followRunEvents } from "./run-events.ts";

import {
  cancelRun,
  getRun,
  getRunInput,
  getRunTrace,
  getRunTree,
  listRuns,
  listRunTools,
} from "./runs.ts";
import { branchSession, deleteSession, getSession, listSessions } from "./sessions.ts";
import {
  getStatistics,
  getTimeSeries,
  listCriterionEconomics,
  listErrorStatistics,
  recalculateCosts,
} from "./statistics.ts";

/** Every operation, in the order of the OpenAPI document and the reference page. */
export const routes: readonly Route[] = [
  getMeta,
  listAgents,
  createAgent,
  validateAgent,
  getAgent,
  saveAgent,
  deleteAgent,
  listAgentVersions,
  getAgentVersion,
  diffAgentVersions,
  rollbackAgent,
  runAgent,
  estimateAgent,
  listRuns,
  getRun,
  getRunTree,
  followRunEvents,
  cancelRun,
  listRunTools,
  getRunTrace,
  getRunInput,
  listSessions,
  getSession,
  deleteSession,
  branchSession,
  listPendingApprovals,
  listApprovalRules,
  createApprovalRule,
  deleteApprovalRule,
  getApproval,
  decideApproval,
  uploadAttachment,
  listAttachments,
  getAttachment,
  deleteAttachment,
  listTools,
  listToolUsage,
  getStatistics,
  getTimeSeries,
  listErrorStatistics,
  listCriterionEconomics,
  recalculateCosts,
  listModels,
  listExtensions,
  listLoopCriteria,
  getOpenApi,
  getReference,
];
