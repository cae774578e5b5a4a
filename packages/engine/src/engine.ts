/**
 * The engine's surface: what servers, embedders and the command line call.
 *
 * Every call names its tenant. Calls that take what a user wrote (`definition`, `request`) take it
 * as `unknown` and answer with all findings at once.
 */

import type {
  AgentDefinition,
  AgentDescriptor,
  AgentDetail,
  ModelProviderDescriptor,
  RunEventType,
  RunFilter,
  RunFrame,
  RunInput,
  RunPage,
  RunRecord,
  RunResult,
  ToolDescriptor,
  ToolInvocation,
  ToolUsage,
  ValidationReport,
} from "@tracon/core";

/** What a save did. `unchanged` says that the content equals the version before. */
export type SavedAgent = {
  readonly definition: AgentDefinition;
  readonly created: boolean;
  readonly unchanged: boolean;
};

/** The agent catalog and the definitions in the store. */
export interface Agents {
  /** The merged catalog, by name. */
  list(tenantId: string): Promise<readonly AgentDescriptor[]>;
  /** Throws `agent_not_found`. */
  get(tenantId: string, name: string): Promise<AgentDetail>;
  /** Throws `definition_invalid` with findings, or `agent_exists`; nothing is written then. */
  create(tenantId: string, definition: unknown): Promise<SavedAgent>;
  /** Appends a version, creating the agent when there is none. Throws `definition_invalid`, `agent_read_only`. */
  save(tenantId: string, name: string, definition: unknown): Promise<SavedAgent>;
  /** Removes the definition and its versions; runs and the numbering stay. Throws `agent_not_found`, `agent_read_only`. */
  delete(tenantId: string, name: string): Promise<void>;
  /** The save path's check without saving. Calls no model. Throws only on an unreadable definition. */
  validate(tenantId: string, definition: unknown): Promise<ValidationReport>;
  /** Full snapshots, newest first. Throws `agent_not_found`, also for an agent defined in code. */
  versions(tenantId: string, name: string): Promise<readonly AgentDefinition[]>;
  /** Throws `agent_version_not_found`. */
  version(tenantId: string, name: string, version: number): Promise<AgentDefinition>;
  /** Writes the content of an older version as a new one. Throws `agent_version_not_found`, `agent_read_only`. */
  rollback(tenantId: string, name: string, version: number): Promise<SavedAgent>;
}

/** An event as committed, with its JSON text: serialized once, shared by store and subscribers. */
export type RecordedEvent = {
  readonly sequence: number;
  readonly type: RunEventType;
  readonly json: string;
};

/** How a run is started. */
export type StartOptions = {
  /** Recorded on the run: whether somebody follows the answer as it comes. Default false. */
  readonly isStreaming?: boolean;
  /** Cancels the run when it fires. A run outlives its watchers otherwise. */
  readonly signal?: AbortSignal;
};

/** A run of this process. It goes on whether or not anyone reads it. */
export interface RunHandle {
  readonly runId: string;
  /** Resolves once the run has ended and its end is committed; never rejects for a failed run. */
  readonly result: Promise<RunResult>;
  /**
   * The native stream in batches: what was committed together arrives together. Starts at the
   * first frame, ends after `done` or `error`.
   */
  frames(): AsyncIterable<readonly RunFrame[]>;
}

/** Runs: starting, reading, following, cancelling. */
export interface Runs {
  /**
   * Checks the request, compiles the agent and starts the run. Throws before anything is recorded
   * when it cannot start: `agent_not_found`, `request_invalid`, `compilation_failed`, `draining`.
   */
  start(
    tenantId: string,
    agentName: string,
    request: unknown,
    options?: StartOptions,
  ): Promise<RunHandle>;
  /** Throws `run_not_found`. */
  get(tenantId: string, runId: string): Promise<RunRecord>;
  list(tenantId: string, filter: RunFilter, page: RunPage): Promise<readonly RunRecord[]>;
  /**
   * Follows the journal from the event after `after` (−1 from the start) until the run has ended or
   * `signal` fires; live and past runs alike, in batches. Throws `run_not_found`, `cursor_invalid`.
   */
  events(
    tenantId: string,
    runId: string,
    options: { readonly after: number; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<readonly RecordedEvent[]>>;
  /** One page of the journal as it stands. Throws `run_not_found`, `cursor_invalid`. */
  eventPage(
    tenantId: string,
    runId: string,
    range: { readonly after: number; readonly take: number },
  ): Promise<readonly RecordedEvent[]>;
  /** Asks a running run to end. Throws `run_not_found`, `run_not_cancelable`. */
  cancel(tenantId: string, runId: string): Promise<RunRecord>;
  /** Tool calls in order, also those still open. Throws `run_not_found`. */
  toolInvocations(tenantId: string, runId: string): Promise<readonly ToolInvocation[]>;
  toolUsage(
    tenantId: string,
    query: { readonly startedAfter?: string; readonly maxTools: number },
  ): Promise<readonly ToolUsage[]>;
  /** Throws `run_not_found`, `run_input_not_found`. */
  input(tenantId: string, runId: string): Promise<RunInput>;
}

/** A running engine. */
export interface Engine {
  readonly agents: Agents;
  readonly runs: Runs;
  /** Registered tools, by name. */
  tools(): readonly ToolDescriptor[];
  /** Registered providers with the models the configuration lists. No network call. */
  models(): readonly ModelProviderDescriptor[];
  /** What the stores are: `sqlite`, `postgres` or `memory`. */
  readonly storage: "sqlite" | "postgres" | "memory";
  /** Starts no new runs, waits for the running ones up to `graceMs` (default 30,000), then cancels them. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}
