import type { AgentDefinition, AgentOrigin } from "@tracon/core";

/** An agent as a source knows it. */
export type CatalogEntry = {
  readonly definition: AgentDefinition;
  readonly contentHash: string;
  readonly sourceName: string;
};

/**
 * Where agents come from. On a name clash the source with the higher priority wins, which is the one
 * with the lower number; the other's agent is then not in the catalog.
 */
export type AgentSource = {
  readonly name: string;
  readonly origin: AgentOrigin;
  /** Lower wins: code is 0, the database 100. */
  readonly priority: number;
  list(tenantId: string): Promise<readonly CatalogEntry[]>;
  find(tenantId: string, name: string): Promise<CatalogEntry | undefined>;
  /** One version of an agent; absent on a source that keeps no versions. */
  findVersion?(tenantId: string, name: string, version: number): Promise<CatalogEntry | undefined>;
};
