import type {
  AgentDefinition,
  AgentDefinitionRequest,
  AgentDescriptor,
  AgentDetail,
  AgentRunRequest,
  ContextWindowEstimate,
  ValidationReport,
} from "@tracon/core";
import type { AgentVersions } from "./operation-results.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** The agent catalog and its stored definitions. */
export type AgentsClient = {
  /** The whole catalog, by name. */
  list(options?: CallOptions): Promise<readonly AgentDescriptor[]>;
  get(name: string, options?: CallOptions): Promise<AgentDetail>;
  /** Fails with `definition_invalid` and findings, or `agent_exists`; nothing is saved then. */
  create(definition: AgentDefinitionRequest, options?: CallOptions): Promise<AgentDefinition>;
  /**
   * Appends a version. Fails with `definition_invalid` and findings, or `agent_read_only`; with
   * `basedOn`, `version_conflict` when that is not the current version.
   */
  save(
    name: string,
    definition: AgentDefinitionRequest,
    options?: CallOptions & { readonly basedOn?: number | undefined },
  ): Promise<AgentDefinition>;
  /**
   * Removes the definition and all its versions. Its runs stay. With `basedOn`, fails with
   * `version_conflict` when that is not the current version.
   */
  delete(
    name: string,
    options?: CallOptions & { readonly basedOn?: number | undefined },
  ): Promise<void>;
  /** What saving would say, without saving and without calling a model. */
  validate(definition: unknown, options?: CallOptions): Promise<ValidationReport>;
  /** Every version, newest first. Fails with `agent_not_found` also for an agent defined in code. */
  versions(name: string, options?: CallOptions): Promise<readonly AgentDefinition[]>;
  version(name: string, version: number, options?: CallOptions): Promise<AgentDefinition>;
  /** Version `between.left` and version `between.right`, in either order of age. */
  diff(
    name: string,
    between: { readonly left: number; readonly right: number },
    options?: CallOptions,
  ): Promise<AgentVersions>;
  /** The size of a run's prompt, checked as a run is, without running it. */
  estimate(
    name: string,
    request: AgentRunRequest,
    options?: CallOptions,
  ): Promise<ContextWindowEstimate>;
  /**
   * Saves the content of an older version as a new one. With `basedOn`, fails with
   * `version_conflict` when that is not the current version.
   */
  rollback(
    name: string,
    version: number,
    options?: CallOptions & { readonly basedOn?: number | undefined },
  ): Promise<AgentDefinition>;
};

export function agentsClient(transport: Transport): AgentsClient {
  return {
    list: ({ signal } = {}) => transport.json("agents.list", { path: {}, signal }),
    get: (name, { signal } = {}) => transport.json("agents.get", { path: { name }, signal }),
    create: (definition, { signal } = {}) =>
      transport.json("agents.create", { path: {}, body: definition, signal }),
    save: (name, definition, { signal, basedOn } = {}) =>
      transport.json("agents.save", {
        path: { name },
        body: definition,
        ...ifMatch(basedOn),
        signal,
      }),
    delete: async (name, { signal, basedOn } = {}) => {
      await transport.send("agents.delete", { path: { name }, ...ifMatch(basedOn), signal });
    },
    validate: (definition, { signal } = {}) =>
      transport.json("agents.validate", { path: {}, body: definition, signal }),
    versions: (name, { signal } = {}) =>
      transport.json("agents.versions", { path: { name }, signal }),
    version: (name, version, { signal } = {}) =>
      transport.json("agents.version", { path: { name, n: version }, signal }),
    diff: (name, { left, right }, { signal } = {}) =>
      transport.json("agents.diff", { path: { name, a: left, b: right }, signal }),
    estimate: (name, request, { signal } = {}) =>
      transport.json("agents.estimate", { path: { name }, body: request, signal }),
    rollback: (name, version, { signal, basedOn } = {}) =>
      transport.json("agents.rollback", {
        path: { name },
        body: { version },
        ...ifMatch(basedOn),
        signal,
      }),
  };
}

const ifMatch = (basedOn: number | undefined) =>
  basedOn === undefined ? {} : { headers: { "if-match": `"${basedOn}"` } };
