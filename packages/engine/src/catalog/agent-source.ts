/** Where agents come from, as an application writes a source of its own. */

import type { AgentDefinitionRequest } from "@tracon/core";
import type { AgentFactory, SdkAgent } from "./sdk-agent.ts";

/** A definition as a source gives it: what a user may write, with the version the source counts. */
export type SourcedDefinition = AgentDefinitionRequest & {
  /** From 1; 1 when the source keeps no versions. */
  readonly version?: number;
  /** ISO 8601, UTC. */
  readonly updatedAt?: string;
};

/** An agent that a source built or builds itself. It does not pass through the compiler. */
export type SourcedAgent = {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  /** The agent, or how it is built for each run. */
  readonly agent: SdkAgent | AgentFactory;
  /** Recorded on its runs, and what they cost; without it neither is known. */
  readonly model?: { readonly provider: string; readonly model: string };
};

/**
 * A source of agents, asked for every list and every run: it caches by itself what is slow to find.
 * Its agents are read-only in the API. `list` and `find` agree on what there is, have no effects and
 * may be called at the same time.
 */
export type AgentSource = {
  /** Unique among sources, and neither `code` nor `database`. */
  readonly name: string;
  /**
   * From 1 to 99. On a name clash the lower number wins, and the other agent is not in the catalog:
   * code is 0, the database 100.
   */
  readonly priority: number;
  /** The agents of a tenant. When it fails, the agents of other sources are listed nevertheless. */
  list(tenantId: string): Promise<readonly (SourcedDefinition | SourcedAgent)[]>;
  /** When it fails, the run is not started: another source's agent of that name is not a substitute. */
  find(tenantId: string, name: string): Promise<SourcedDefinition | SourcedAgent | undefined>;
  /** One version of an agent; absent on a source that keeps no versions. */
  findVersion?(
    tenantId: string,
    name: string,
    version: number,
  ): Promise<SourcedDefinition | SourcedAgent | undefined>;
};
