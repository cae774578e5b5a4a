import type {
  AgentDefinition,
  AgentDefinitionContent,
  AgentOrigin,
  ValidationReport,
} from "@tracon/core";

/** An agent of the catalog, as a list names it. */
export type CatalogAgent = {
  readonly name: string;
  readonly origin: AgentOrigin;
  readonly sourceName: string;
  /** The agents it may call, by name. */
  readonly callableAgentNames: readonly string[];
};

/**
 * An installation that definitions are read from and saved to: this process with its configured
 * storage, or a server. Failures are thrown as `TraconError` or `TraconApiError`, with their code.
 */
export type DefinitionTarget = {
  /** What lock files know it by: no credential, no path of this machine. */
  readonly name: string;
  list(): Promise<readonly CatalogAgent[]>;
  /** The current version of a stored definition; `undefined` when there is none. */
  find(name: string): Promise<AgentDefinition | undefined>;
  /** Newest first. Fails with `agent_not_found`. */
  versions(name: string): Promise<readonly AgentDefinition[]>;
  /** Fails with `agent_version_not_found`. */
  version(name: string, version: number): Promise<AgentDefinition>;
  /** Also of what is no definition, as long as it is an object. */
  validate(definition: unknown): Promise<ValidationReport>;
  /** Answers the version it was saved as. Fails with `agent_exists`. */
  create(content: AgentDefinitionContent): Promise<number>;
  /** Answers the version it was saved as. Fails with `version_conflict` when it is based on an older one. */
  save(content: AgentDefinitionContent, basedOn: number): Promise<number>;
  /** Fails with `version_conflict` when it is based on an older version than the current one. */
  delete(name: string, basedOn: number): Promise<void>;
  close(): Promise<void>;
};

/** Whether a failure has this code, wherever it came from. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
