/**
 * Agents that are looked up for every run: those of the application's sources, which may be others at
 * any time, and those that code builds. A definition of a source is compiled once for as long as its
 * content, and what it depends on, stays the same.
 */

import { TraconError } from "@tracon/core";
import { LRUCache } from "lru-cache";
import type { AgentCatalog } from "../catalog/agent-catalog.ts";
import type { CatalogEntry, DefinedAgent, OwnAgent } from "../catalog/catalog-entry.ts";
import type { CompileContext } from "./compile-agent.ts";
import { findDependencies } from "./dependencies.ts";
import { isSameAgent, ResolvedAgent } from "./resolved-agent.ts";

/** Agents of all tenants kept compiled. */
const MAX_AGENTS = 10_000;

export class LiveAgents {
  readonly #catalog: AgentCatalog;
  readonly #context: CompileContext;
  readonly #compiled = new LRUCache<string, ResolvedAgent>({ max: MAX_AGENTS });

  constructor(catalog: AgentCatalog, context: CompileContext) {
    this.#catalog = catalog;
    this.#context = context;
  }

  /**
   * `undefined` when the name belongs to no such agent. Throws `agent_source_failed`,
   * `agent_version_not_found`, and `compilation_failed` for what is no definition.
   */
  async resolve(
    tenantId: string,
    name: string,
    version: number | undefined,
  ): Promise<ResolvedAgent | OwnAgent | undefined> {
    if (!this.#catalog.hasLive) return undefined;
    const found = await this.#catalog.findLive(tenantId, name);
    if (found === undefined) return undefined;
    const entry = await this.#versionOf(found, { tenantId, name, version });
    if (entry.definition !== undefined) return this.#compile(tenantId, entry);
    if (entry.own !== undefined) return entry;
    const { sourceName, findings } = entry;
    const message = `what source '${sourceName}' gives for agent '${name}' is no definition`;
    throw new TraconError("compilation_failed", message, { findings });
  }

  async #versionOf(
    found: CatalogEntry,
    asked: {
      readonly tenantId: string;
      readonly name: string;
      readonly version: number | undefined;
    },
  ): Promise<CatalogEntry> {
    const { tenantId, name, version } = asked;
    if (version === undefined || found.definition?.version === version) return found;
    const entry = await this.#catalog.findVersion(tenantId, name, version);
    if (entry !== undefined) return entry;
    throw new TraconError("agent_version_not_found", `agent '${name}' has no version ${version}`);
  }

  async #compile(tenantId: string, entry: DefinedAgent): Promise<ResolvedAgent> {
    const { name, version } = entry.definition;
    const dependencies = await findDependencies(tenantId, entry.definition, this.#catalog);
    const key = JSON.stringify([tenantId, entry.sourceName, name, version]);
    const known = this.#compiled.get(key);
    if (known !== undefined && isSameAgent(known, entry, dependencies)) return known;
    const agent = new ResolvedAgent(entry, dependencies, this.#context);
    this.#compiled.set(key, agent);
    return agent;
  }
}
