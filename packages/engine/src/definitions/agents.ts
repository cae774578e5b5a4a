import type {
  AgentDefinition,
  AgentDescriptor,
  AgentDetail,
  Finding,
  ValidationReport,
} from "@tracon/core";

/** What a save did. `unchanged` says that the content equals the version before. */
export type SavedAgent = {
  readonly definition: AgentDefinition;
  readonly created: boolean;
  readonly unchanged: boolean;
  /** Findings that did not stop the save. */
  readonly warnings: readonly Finding[];
};

/** The agent catalog and the definitions in the store. */
export interface Agents {
  /** The merged catalog, by name. */
  list(tenantId: string): Promise<readonly AgentDescriptor[]>;
  /** Throws `agent_not_found`. */
  get(tenantId: string, name: string): Promise<AgentDetail>;
  /** Throws `definition_invalid` with findings, or `agent_exists`; nothing is written then. */
  create(tenantId: string, definition: unknown): Promise<SavedAgent>;
  /**
   * Appends a version, creating the agent when there is none. Throws `definition_invalid`,
   * `agent_read_only`; with `basedOn`, `version_conflict` when that is not the current version (`any`: when there is none).
   */
  save(
    tenantId: string,
    name: string,
    definition: unknown,
    options?: { readonly basedOn?: number | "any" },
  ): Promise<SavedAgent>;
  /**
   * Removes the definition and its versions; runs and the numbering stay. Throws `agent_not_found`,
   * `agent_read_only`, and with `basedOn`, `version_conflict` when that is not the current version.
   */
  delete(
    tenantId: string,
    name: string,
    options?: { readonly basedOn?: number | "any" },
  ): Promise<void>;
  /** The save path's check without saving. Calls no model. Throws only on an unreadable definition. */
  validate(tenantId: string, definition: unknown): Promise<ValidationReport>;
  /** Full snapshots, newest first. Throws `agent_not_found`, also for an agent defined in code. */
  versions(tenantId: string, name: string): Promise<readonly AgentDefinition[]>;
  /** Throws `agent_version_not_found`. */
  version(tenantId: string, name: string, version: number): Promise<AgentDefinition>;
  /**
   * Writes the content of an older version as a new one. Throws `agent_version_not_found`,
   * `agent_read_only`, and `version_conflict` when the agent is deleted meanwhile or, with `basedOn`,
   * when that is not the current version.
   */
  rollback(
    tenantId: string,
    name: string,
    version: number,
    options?: { readonly basedOn?: number | "any" },
  ): Promise<SavedAgent>;
}
