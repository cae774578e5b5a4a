/** An agent as the catalog knows it: by its definition, as itself, or as something that is neither. */

import type { AgentDefinition, AgentOrigin, Finding, ModelBinding } from "@tracon/core";
import type { AgentFactory } from "./sdk-agent.ts";

/** An agent that is data. */
export type DefinedAgent = {
  readonly definition: AgentDefinition;
  readonly contentHash: string;
  readonly sourceName: string;
  readonly own?: undefined;
};

type Named = {
  readonly name: string;
  readonly origin: AgentOrigin;
  readonly sourceName: string;
  readonly definition?: undefined;
};

/** An agent that code builds. */
export type OwnAgent = Named & {
  readonly own: {
    /** Called for each run. */
    readonly create: AgentFactory;
    readonly model: ModelBinding | undefined;
    readonly displayName: string | undefined;
    readonly description: string | undefined;
  };
};

/** What a source gave under a name, and what is wrong with it. */
export type BrokenAgent = Named & {
  readonly findings: readonly Finding[];
  readonly own?: undefined;
};

export type CatalogEntry = DefinedAgent | OwnAgent | BrokenAgent;

export const nameOf = (entry: CatalogEntry): string => entry.definition?.name ?? named(entry).name;

export const originOf = (entry: CatalogEntry): AgentOrigin =>
  entry.definition?.origin ?? named(entry).origin;

const named = (entry: CatalogEntry): Named => entry as Named;

/** A source of the catalog: ours, or one of an application as it was read. */
export type CatalogSource = {
  readonly name: string;
  /** Lower wins: code is 0, the database 100. */
  readonly priority: number;
  /** Its agents may be others with every run, so it is asked each time. */
  readonly isCustom?: boolean;
  list(tenantId: string): Promise<readonly CatalogEntry[]>;
  find(tenantId: string, name: string): Promise<CatalogEntry | undefined>;
  /** One version of an agent; absent on a source that keeps no versions. */
  findVersion?(tenantId: string, name: string, version: number): Promise<CatalogEntry | undefined>;
};
