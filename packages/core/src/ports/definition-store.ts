import type { AgentDefinition, AgentDefinitionContent } from "../definition/agent-definition.ts";

/** A stored version with the hash of its content. */
export type StoredDefinition = {
  readonly definition: AgentDefinition;
  readonly contentHash: string;
};

/** What must hold for a save to go through. */
export type AppendCondition =
  /** No live definition has the name. */
  | "absent"
  /** A live definition has the name. */
  | "present"
  /** Either. */
  | "any"
  /** The live definition has this version. */
  | { readonly version: number };

/** What became of a save: stored, or which part of the condition did not hold. */
export type AppendOutcome =
  | { readonly outcome: "saved"; readonly stored: StoredDefinition }
  | { readonly outcome: "exists" }
  | { readonly outcome: "missing" }
  | { readonly outcome: "stale"; readonly currentVersion: number };

/** What must hold for a delete to go through: any live definition has the name, or one of this version. */
export type DeleteCondition = "present" | { readonly version: number };

/** What became of a delete. */
export type DeleteOutcome =
  | { readonly outcome: "deleted" }
  | { readonly outcome: "missing" }
  | { readonly outcome: "stale"; readonly currentVersion: number };

/**
 * Agent definitions: every save appends a version, nothing is rewritten.
 *
 * The store owns the number: one more than the highest the name ever had in the tenant, also after
 * a delete. Each call is atomic; concurrent saves get contiguous numbers. Names are compared exactly.
 */
export interface DefinitionStore {
  /** The current version of every live definition, by name. */
  list(tenantId: string): Promise<readonly StoredDefinition[]>;
  /** The current version, or `undefined`. */
  get(tenantId: string, name: string): Promise<StoredDefinition | undefined>;
  getVersion(
    tenantId: string,
    name: string,
    version: number,
  ): Promise<StoredDefinition | undefined>;
  /** All versions of a live definition, newest first; empty when there is none. */
  versions(tenantId: string, name: string): Promise<readonly StoredDefinition[]>;
  append(request: {
    readonly tenantId: string;
    readonly content: AgentDefinitionContent;
    readonly contentHash: string;
    readonly condition: AppendCondition;
    /** ISO 8601, UTC. */
    readonly savedAt: string;
  }): Promise<AppendOutcome>;
  /** Removes the definition and every version; the numbering stays. */
  delete(request: {
    readonly tenantId: string;
    readonly name: string;
    readonly condition: DeleteCondition;
    /** ISO 8601, UTC. */
    readonly deletedAt: string;
  }): Promise<DeleteOutcome>;
  /**
   * A number that rises with every save and delete of any process, for caches to notice others'
   * changes. One cheap query.
   */
  changeCounter(): Promise<number>;
}
