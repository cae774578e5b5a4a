/**
 * The engine's surface: what servers, embedders and the command line call.
 *
 * Every call names its tenant. Calls that take what a user wrote (`definition`, `request`) take it
 * as `unknown` and answer with all findings at once.
 */

import type {
  ExtensionDescriptor,
  LoopCriteria,
  ModelProviderDescriptor,
  ToolDescriptor,
} from "@tracon/core";
import type { Attachments } from "./attachment/attachments.ts";
import type { Agents } from "./definitions/agents.ts";
import type { Approvals } from "./mailbox/approvals.ts";
import type { Runs } from "./run/runs.ts";
import type { Statistics } from "./run/statistics.ts";
import type { Sessions } from "./session/sessions.ts";

/** A running engine. */
export interface Engine {
  readonly agents: Agents;
  readonly runs: Runs;
  readonly sessions: Sessions;
  /** Tool calls that wait for a person. */
  readonly approvals: Approvals;
  readonly statistics: Statistics;
  readonly attachments: Attachments;
  /** Registered tools, by name. */
  tools(): readonly ToolDescriptor[];
  /** Registered providers with the models the configuration lists. No network call. */
  models(): readonly ModelProviderDescriptor[];
  /** Registered agent extensions, by name. Runs none of them. */
  extensions(): readonly ExtensionDescriptor[];
  /** Kinds of stop criteria a definition can name, and the judge. Builds none of them. */
  loopCriteria(): LoopCriteria;
  /** What the stores are: `sqlite`, `postgres` or `memory`. */
  readonly storage: "sqlite" | "postgres" | "memory";
  /** Starts no new runs, waits for the running ones up to `graceMs` (default 30,000), then cancels them. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}
