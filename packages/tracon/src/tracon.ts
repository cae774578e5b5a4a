import type { IncomingMessage, ServerResponse } from "node:http";
import type {
  AgentDefinition,
  AgentDefinitionRequest,
  AgentDescriptor,
  AgentDetail,
  AgentRunRequest,
  ApprovalDecisionRequest,
  ApprovalPage,
  AttachmentDescriptor,
  AttachmentPage,
  ContextWindowEstimate,
  CriterionStatistics,
  LoopCriteria,
  ModelProviderDescriptor,
  PendingApproval,
  RunCostRecalculation,
  RunErrorStatistics,
  RunEvent,
  RunFilter,
  RunFrame,
  RunInput,
  RunPage,
  RunRecord,
  RunResult,
  RunStatistics,
  RunTrace,
  SessionBranchRequest,
  SessionBranchResult,
  SessionDetail,
  SessionPage,
  SessionRecord,
  StatisticsFilter,
  TimeSeriesPoint,
  ToolApprovalRule,
  ToolApprovalRuleRequest,
  ToolDescriptor,
  ToolInvocation,
  ToolUsage,
  ValidationReport,
} from "@tracon/core";
import type {
  AttachmentUpload,
  DecisionOptions,
  SavedAgent,
  TimeSeriesRequest,
} from "@tracon/engine";
import type { FastifyPlugin } from "./http/fastify.ts";
import type { NextFunction } from "./http/node.ts";

/** Options of a run started from code. */
export type RunOptions = {
  /** Cancels the run when it fires. */
  readonly signal?: AbortSignal;
  /** Runs this version of a stored agent instead of the current one. Throws `agent_version_not_found`. */
  readonly agentVersion?: number;
};

/** The agents of the installation. Failures are `TraconError`s; see each code's meaning. */
export interface TraconAgents {
  /** The merged catalog, by name. */
  list(): Promise<readonly AgentDescriptor[]>;
  /** Throws `agent_not_found`. */
  get(name: string): Promise<AgentDetail>;
  /** Saves the first version. Throws `definition_invalid`, or `agent_exists` when the name is taken. */
  create(definition: AgentDefinitionRequest): Promise<SavedAgent>;
  /**
   * Appends a version, creating the agent when there is none. Throws `definition_invalid`,
   * `agent_read_only`; with `basedOn`, `version_conflict` when that is not the current version.
   */
  save(
    definition: AgentDefinitionRequest,
    options?: { readonly basedOn?: number },
  ): Promise<SavedAgent>;
  /**
   * Removes the definition and its versions. Throws `agent_not_found`, `agent_read_only`, and with
   * `basedOn`, `version_conflict` when that is not the current version.
   */
  delete(name: string, options?: { readonly basedOn?: number }): Promise<void>;
  /** Full snapshots, newest first. Throws `agent_not_found`. */
  versions(name: string): Promise<readonly AgentDefinition[]>;
  /** Throws `agent_version_not_found`. */
  version(name: string, version: number): Promise<AgentDefinition>;
  /**
   * Writes an older version's content as a new version. Throws `agent_version_not_found`; with
   * `basedOn`, `version_conflict` when that is not the current version.
   */
  rollback(
    name: string,
    version: number,
    options?: { readonly basedOn?: number },
  ): Promise<SavedAgent>;
  /** The save path's check without saving. Calls no model. */
  validate(definition: unknown): Promise<ValidationReport>;
}

/** The runs of the installation. */
export interface TraconRuns {
  /** Throws `run_not_found`. */
  get(runId: string): Promise<RunRecord>;
  /**
   * The whole tree that the run is part of, whichever member is asked: the root first, then the oldest,
   * at most 200. Throws `run_not_found`.
   */
  tree(runId: string): Promise<readonly RunRecord[]>;
  /** Newest first; 50 at a time by default. */
  list(filter?: RunFilter, page?: Partial<RunPage>): Promise<readonly RunRecord[]>;
  /** Follows the journal from after `after` (default −1: from the start) until the run has ended. */
  events(
    runId: string,
    options?: { readonly after?: number; readonly signal?: AbortSignal },
  ): AsyncIterable<RunEvent>;
  /** Asks a running run to end. Throws `run_not_found`, `run_not_cancelable`. */
  cancel(runId: string): Promise<RunRecord>;
  toolInvocations(runId: string): Promise<readonly ToolInvocation[]>;
  /**
   * What the run and everything below it did and when, from their journals. Throws `run_not_found`, and
   * `run_trace_not_found` for a run that is not the root of its tree.
   */
  trace(runId: string): Promise<RunTrace>;
  /** Throws `run_not_found`, `run_input_not_found`. */
  input(runId: string): Promise<RunInput>;
}

/** The conversations of the installation; runs open and continue them. */
export interface TraconSessions {
  /** The most recently updated first; 50 at a time by default. */
  list(
    filter?: { readonly agentName?: string },
    page?: Partial<SessionPage>,
  ): Promise<readonly SessionRecord[]>;
  /** With its history. Throws `session_not_found`. */
  get(sessionId: string): Promise<SessionDetail>;
  /** Copies its beginning into a new session. Throws `session_not_found`, `session_exists`. */
  branch(sessionId: string, request?: SessionBranchRequest): Promise<SessionBranchResult>;
  /** Removes it with its history and the files uploaded for it; its runs stay. Throws `session_not_found`. */
  delete(sessionId: string): Promise<void>;
}

/** Tool calls that wait for a person, and the standing rules. */
export interface TraconApprovals {
  /** Undecided ones, oldest first; 50 at a time by default. */
  pending(page?: Partial<ApprovalPage>): Promise<readonly PendingApproval[]>;
  /** Throws `approval_not_found`. */
  get(id: string): Promise<PendingApproval>;
  /** Throws `approval_not_found`, `request_invalid`, and `approval_conflict` for another outcome. */
  decide(
    id: string,
    decision: ApprovalDecisionRequest,
    options?: DecisionOptions,
  ): Promise<PendingApproval>;
  /** Oldest first; 50 at a time by default. */
  rules(page?: Partial<ApprovalPage>): Promise<readonly ToolApprovalRule[]>;
  /** Throws `request_invalid`. */
  addRule(
    rule: ToolApprovalRuleRequest,
    options?: { readonly createdBy?: string },
  ): Promise<ToolApprovalRule>;
  /** Throws `approval_rule_not_found`. */
  removeRule(id: string): Promise<void>;
}

/** Counts, tokens and cost over many runs. */
export interface TraconStatistics {
  /** Agent runs, of all time by default; `startedAfter` is rounded down to its hour. */
  get(filter?: StatisticsFilter, options?: { readonly maxRows?: number }): Promise<RunStatistics>;
  /** The last 24 hours by the hour by default. Throws `request_invalid` for more than 500 buckets. */
  timeSeries(request?: TimeSeriesRequest): Promise<readonly TimeSeriesPoint[]>;
  /** Failed runs of the last hours (24 by default), by error class. */
  errors(query?: {
    readonly agentName?: string;
    readonly hours?: number;
  }): Promise<readonly RunErrorStatistics[]>;
  /** Calls of runs that have ended, the most called tool first; 50 tools by default. */
  toolUsage(query?: {
    readonly startedAfter?: string;
    readonly maxTools?: number;
  }): Promise<readonly ToolUsage[]>;
  /**
   * What the criteria of loops decided, how often that changed the outcome, and what their judges took;
   * the most evaluated first, 50 of them by default.
   */
  criteria(
    filter?: { readonly agentName?: string; readonly startedAfter?: string },
    options?: { readonly maxRows?: number },
  ): Promise<readonly CriterionStatistics[]>;
  /** Prices runs whose price was missing at their end; a known cost never changes. */
  recalculateCosts(options?: { readonly after?: string }): Promise<RunCostRecalculation>;
}

/** The files of the installation that runs refer to by id. */
export interface TraconAttachments {
  /** Keeps a file. Throws `request_invalid` when it is too large or of a kind that is refused. */
  upload(file: AttachmentUpload): Promise<AttachmentDescriptor>;
  /** Newest first; 50 at a time by default. */
  list(
    filter?: { readonly sessionId?: string },
    page?: Partial<AttachmentPage>,
  ): Promise<readonly AttachmentDescriptor[]>;
  /** Throws `attachment_not_found`. */
  get(id: string): Promise<AttachmentDescriptor>;
  /** Its bytes. Throws `attachment_not_found`. */
  content(id: string): Promise<Uint8Array>;
  /** Deletes it for good. Throws `attachment_not_found`. */
  delete(id: string): Promise<void>;
}

/** A running Tracon inside this process. */
export interface Tracon {
  /**
   * Runs an agent to its end. A run that fails still resolves, with status `Failed` and its error:
   * throws only when the run cannot start (`agent_not_found`, `request_invalid`, `draining`, …), and
   * `loop_unsatisfied` for a loop that fails its run, so that an answer no criterion accepted is not taken
   * for one. `details.extensions` of that error holds `agentName`, `runId`, `iterations`,
   * `unsatisfiedCriterion`, and the `result` with the last answer.
   */
  run(agentName: string, request: AgentRunRequest, options?: RunOptions): Promise<RunResult>;
  /**
   * Runs an agent and yields the frames of the native stream. The run starts with the iteration,
   * and leaving early does not end it. Throws like `run`.
   */
  stream(
    agentName: string,
    request: AgentRunRequest,
    options?: RunOptions,
  ): AsyncIterable<RunFrame>;
  /** The size of a run's prompt. Checks the request like `run`, and calls no model. */
  estimate(
    agentName: string,
    request: AgentRunRequest,
    options?: Pick<RunOptions, "agentVersion">,
  ): Promise<ContextWindowEstimate>;
  readonly agents: TraconAgents;
  readonly runs: TraconRuns;
  readonly sessions: TraconSessions;
  readonly approvals: TraconApprovals;
  readonly statistics: TraconStatistics;
  readonly attachments: TraconAttachments;
  /** Registered tools, by name. */
  tools(): readonly ToolDescriptor[];
  /** Registered providers and the models the configuration lists. */
  models(): readonly ModelProviderDescriptor[];
  /** Kinds of stop criteria a definition can name, and the judge. Builds none of them. */
  loopCriteria(): LoopCriteria;
  /** The path everything is served under, without a slash at its end: empty at the root. */
  readonly prefix: string;
  /**
   * The HTTP API and the console as a fetch handler. `connection` is whatever the host passes beside
   * the request (Hono's `c.env`, Deno's and Bun's second argument): it tells the peer's address.
   * Without it the call counts as one from within this process, so a host that serves a socket must
   * pass it; with something that tells no address, only calls with the token are answered.
   */
  fetch(request: Request, connection?: unknown): Promise<Response>;
  /** A handler for `node:http`. Paths outside the prefix are answered `404`. */
  node(): (request: IncomingMessage, response: ServerResponse) => void;
  /** Express middleware. Paths outside the prefix go to the next handler. */
  express(): (request: IncomingMessage, response: ServerResponse, next: NextFunction) => void;
  /** A Fastify plugin that serves the prefix. */
  fastify(): FastifyPlugin;
  /** Starts no new runs, waits for running ones up to `graceMs` (default 30,000), closes the stores. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}
