export type { AgentsClient } from "./agents-client.ts";
export { type ConnectionErrorCode, TraconApiError } from "./api-error.ts";
export type { ApprovalList, ApprovalListQuery, ApprovalsClient } from "./approvals-client.ts";
export type {
  AttachmentList,
  AttachmentListQuery,
  AttachmentsClient,
} from "./attachments-client.ts";
export { createTraconClient, type TraconClient } from "./client.ts";
export type { Delay } from "./delay.ts";
export type { FollowOptions } from "./follow-events.ts";
export { framesOfEvent } from "./frames-of-event.ts";
export type { TraconMeta } from "./meta.ts";
export type { AgentVersions } from "./operation-results.ts";
export { type OperationName, operations, type PathParameters, pathOf } from "./operations.ts";
export type { RunList, RunListQuery, RunsClient } from "./runs-client.ts";
export type { SessionList, SessionListQuery, SessionsClient } from "./sessions-client.ts";
export type {
  StatisticsClient,
  StatisticsQuery,
  TimeSeriesClientQuery,
} from "./statistics-client.ts";
export type { StreamOptions } from "./stream-run.ts";
export type { CallOptions, TraconClientOptions } from "./transport.ts";
