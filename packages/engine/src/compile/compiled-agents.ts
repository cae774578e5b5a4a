/**
 * The cache of compiled agents. A hit is two map look-ups and no query.
 *
 * A save of this process drops its agent, and the agents that share its text, at once. Saves of
 * other processes are noticed by a counter in the store, asked once a second while anything is
 * cached; each agent is then looked up again at its next use and kept when nothing it depends on
 * has changed. Concurrent first uses compile once.
 */

import { type DefinitionStore, faultText, type Log, TraconError } from "@tracon/core";
import type { AgentCatalog } from "../catalog/agent-catalog.ts";
import type { DefinedAgent } from "../catalog/catalog-entry.ts";
import { type CompileContext, findDependencies } from "./compile-agent.ts";
import { isSameAgent, ResolvedAgent } from "./resolved-agent.ts";

/** How long another process's save may go unnoticed. */
const CHANGE_CHECK_MS = 1_000;
/** Current agents of one tenant kept compiled, and as many pinned ones; the oldest makes room. */
const MAX_AGENTS_PER_TENANT = 20_000;

export type CompiledAgentsOptions = {
  readonly catalog: AgentCatalog;
  readonly definitions: DefinitionStore;
  readonly context: CompileContext;
  readonly log: Log;
};

/**
 * Agents of one tenant. Current and pinned ones are kept apart, so that no name a caller may send
 * is ever taken for another agent's version.
 */
type TenantAgents = {
  readonly current: Map<string, ResolvedAgent>;
  readonly pinned: Map<string, ResolvedAgent>;
};

export class CompiledAgents {
  readonly #options: CompiledAgentsOptions;
  readonly #byTenant = new Map<string, TenantAgents>();
  /** Agents to be looked up again before they are used. */
  #doubtful = new Map<string, TenantAgents>();
  readonly #compiling = new Map<string, Promise<ResolvedAgent>>();
  #generation = 0;
  #changeCounter: number | undefined;
  #isStoreSilent = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CompiledAgentsOptions) {
    this.#options = options;
  }

  /** The agent in its current version when it is cached. */
  cached(tenantId: string, name: string): ResolvedAgent | undefined {
    return this.#byTenant.get(tenantId)?.current.get(name);
  }

  /** Throws `agent_not_found`, or `agent_version_not_found` for a version it does not have. */
  async resolve(tenantId: string, name: string, version?: number): Promise<ResolvedAgent> {
    const cached = agentIn(this.#byTenant.get(tenantId), name, version);
    return cached ?? this.#resolveOnce(tenantId, name, version);
  }

  #resolveOnce(tenantId: string, name: string, version?: number): Promise<ResolvedAgent> {
    const key = JSON.stringify([tenantId, name, version]);
    let compiling = this.#compiling.get(key);
    if (compiling === undefined) {
      const started = this.#compile(tenantId, name, version).finally(() => {
        // A save in between has made room for a compilation of its own.
        if (this.#compiling.get(key) === started) this.#compiling.delete(key);
      });
      compiling = started;
      this.#compiling.set(key, started);
    }
    return compiling;
  }

  /** Drops an agent whose definition changed, and every agent that shares its text. */
  forget(tenantId: string, name: string): void {
    this.#generation++;
    this.#compiling.clear();
    const agents = this.#byTenant.get(tenantId);
    if (agents === undefined) return;
    for (const kept of [agents.current, agents.pinned]) {
      for (const [key, { entry }] of kept) {
        const { name: own, sharedInstructionsName: shared } = entry.definition;
        if (own === name || shared?.normalize("NFC") === name) kept.delete(key);
      }
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #compile(
    tenantId: string,
    name: string,
    version: number | undefined,
  ): Promise<ResolvedAgent> {
    const { catalog, context } = this.#options;
    await this.#watchChanges();
    const generation = this.#generation;
    const entry = await this.#find(tenantId, name, version);
    const dependencies = await findDependencies(tenantId, entry.definition, catalog);
    const known =
      agentIn(this.#doubtful.get(tenantId), name, version) ??
      agentIn(this.#byTenant.get(tenantId), name, version);
    const agent =
      known !== undefined && isSameAgent(known, entry, dependencies)
        ? known
        : new ResolvedAgent(entry, dependencies, context);
    // A definition saved meanwhile must not be hidden by the one read before it.
    if (generation === this.#generation) this.#keep(tenantId, agent, { name, version });
    return agent;
  }

  async #find(tenantId: string, name: string, version: number | undefined): Promise<DefinedAgent> {
    const { catalog } = this.#options;
    if (version !== undefined) {
      const pinned = await catalog.findVersion(tenantId, name, version);
      if (pinned?.definition !== undefined) return pinned;
    }
    const entry = await catalog.find(tenantId, name);
    if (entry?.definition === undefined) {
      throw new TraconError("agent_not_found", `there is no agent '${name}'`);
    }
    if (version === undefined) return entry;
    const reason =
      entry.definition.origin === "Code"
        ? `agent '${name}' is defined in code, which keeps no versions`
        : `agent '${name}' has no version ${version}`;
    throw new TraconError("agent_version_not_found", reason);
  }

  #keep(
    tenantId: string,
    agent: ResolvedAgent,
    { name, version }: { readonly name: string; readonly version: number | undefined },
  ): void {
    const kept = hasLiveBlock(agent) ? this.#doubtful : this.#byTenant;
    let agents = kept.get(tenantId);
    if (agents === undefined) {
      agents = { current: new Map(), pinned: new Map() };
      kept.set(tenantId, agents);
    }
    const byKey = version === undefined ? agents.current : agents.pinned;
    const key = version === undefined ? name : pinnedKey(name, version);
    if (byKey.size >= MAX_AGENTS_PER_TENANT) {
      const oldest = byKey.keys().next();
      if (oldest.done !== true) byKey.delete(oldest.value);
    }
    byKey.set(key, agent);
    if (kept === this.#doubtful) return;
    const doubtful = this.#doubtful.get(tenantId);
    (version === undefined ? doubtful?.current : doubtful?.pinned)?.delete(key);
  }

  /** Starts watching before the first definition is read, so that no change falls between. */
  async #watchChanges(): Promise<void> {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => void this.#checkChanges(), CHANGE_CHECK_MS);
    this.#timer.unref();
    await this.#checkChanges();
  }

  async #checkChanges(): Promise<void> {
    try {
      const counter = await this.#options.definitions.changeCounter();
      this.#isStoreSilent = false;
      if (counter === this.#changeCounter) return;
      this.#changeCounter = counter;
    } catch (error) {
      // The store not answering is no reason to run an old definition for ever.
      this.#reportSilence(error);
    }
    this.#generation++;
    this.#doubtful = new Map(this.#byTenant);
    this.#byTenant.clear();
  }

  /** Once for each time the store falls silent, not once a second. */
  #reportSilence(error: unknown): void {
    if (this.#isStoreSilent) return;
    this.#isStoreSilent = true;
    this.#options.log.warn("agent changes could not be checked", { error: faultText(error) });
  }
}

/** A text that a source of the application has may be another one at any time. */
const hasLiveBlock = ({ dependencies: { shared } }: ResolvedAgent): boolean =>
  typeof shared === "object" && shared.definition.origin === "Custom";

const pinnedKey = (name: string, version: number): string => `${version} ${name}`;

const agentIn = (agents: TenantAgents | undefined, name: string, version: number | undefined) =>
  version === undefined ? agents?.current.get(name) : agents?.pinned.get(pinnedKey(name, version));
