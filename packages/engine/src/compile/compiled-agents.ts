/**
 * The cache of compiled agents. A hit is two map look-ups and no query.
 *
 * A save of this process puts its agent in doubt at once, and with it the agents that name it: those
 * that share its text, call it, or have it review. Saves of other processes are noticed by a counter in
 * the store, asked once a second while anything is cached, and put every agent in doubt. An agent in
 * doubt is looked up again at its next use, and kept when nothing it depends on has changed. Concurrent
 * first uses compile once.
 */

import {
  type AgentDefinitionContent,
  type DefinitionStore,
  faultText,
  type Log,
  TraconError,
} from "@tracon/core";
import type { AgentCatalog } from "../catalog/agent-catalog.ts";
import type { DefinedAgent } from "../catalog/catalog-entry.ts";
import { reviewerReferences } from "./agent-references.ts";
import type { CompileContext } from "./compile-agent.ts";
import { findDependencies, hasLive } from "./dependencies.ts";
import { isSameAgent, ResolvedAgent } from "./resolved-agent.ts";

/** How long another process's save may go unnoticed. */
const CHANGE_CHECK_MS = 1_000;
/** Current agents of one tenant kept compiled, and as many pinned ones; the oldest makes room. */
const MAX_AGENTS_PER_TENANT = 20_000;
/** Changes of definitions through which an agent that nobody runs stays compiled. */
const MAX_CHANGES_UNUSED = 64;

export type CompiledAgentsOptions = {
  readonly catalog: AgentCatalog;
  readonly definitions: DefinitionStore;
  readonly context: CompileContext;
  readonly log: Log;
};

type KeptAgent = {
  readonly agent: ResolvedAgent;
  /** The count of changes when it was looked up. */
  readonly lookedUpAt: number;
  readonly isInDoubt: boolean;
};

/**
 * Agents of one tenant. Current and pinned ones are kept apart, so that no name a caller may send
 * is ever taken for another agent's version.
 */
type TenantAgents = {
  readonly current: Map<string, KeptAgent>;
  readonly pinned: Map<string, KeptAgent>;
};

export class CompiledAgents {
  readonly #options: CompiledAgentsOptions;
  readonly #byTenant = new Map<string, TenantAgents>();
  readonly #compiling = new Map<string, Promise<ResolvedAgent>>();
  #generation = 0;
  /** Counts the changes of other processes; an agent looked up before the last one is in doubt. */
  #changes = 0;
  #changeCounter: number | undefined;
  #isStoreSilent = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CompiledAgentsOptions) {
    this.#options = options;
  }

  /** The agent in its current version when it is cached. */
  cached(tenantId: string, name: string): ResolvedAgent | undefined {
    return this.#certain(this.#byTenant.get(tenantId)?.current.get(name));
  }

  /** Throws `agent_not_found`, or `agent_version_not_found` for a version it does not have. */
  async resolve(tenantId: string, name: string, version?: number): Promise<ResolvedAgent> {
    const cached = this.#certain(agentIn(this.#byTenant.get(tenantId), name, version));
    return cached ?? this.#resolveOnce(tenantId, name, version);
  }

  #certain(kept: KeptAgent | undefined): ResolvedAgent | undefined {
    if (kept === undefined || kept.isInDoubt || kept.lookedUpAt !== this.#changes) return undefined;
    return kept.agent;
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

  /** Doubts an agent whose definition changed, and every agent that names it. */
  forget(tenantId: string, name: string): void {
    this.#generation++;
    this.#compiling.clear();
    const agents = this.#byTenant.get(tenantId);
    if (agents === undefined) return;
    for (const byKey of [agents.current, agents.pinned]) {
      for (const [key, kept] of byKey) {
        const { definition } = kept.agent.entry;
        const isMeant = definition.name === name || isNamedBy(definition, name);
        if (isMeant) byKey.set(key, { ...kept, isInDoubt: true });
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
    const known = agentIn(this.#byTenant.get(tenantId), name, version)?.agent;
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
    let agents = this.#byTenant.get(tenantId);
    if (agents === undefined) {
      agents = { current: new Map(), pinned: new Map() };
      this.#byTenant.set(tenantId, agents);
    }
    const byKey = version === undefined ? agents.current : agents.pinned;
    const key = version === undefined ? name : pinnedKey(name, version);
    if (byKey.size >= MAX_AGENTS_PER_TENANT && !byKey.has(key)) {
      const oldest = byKey.keys().next();
      if (oldest.done !== true) byKey.delete(oldest.value);
    }
    byKey.set(key, {
      agent,
      lookedUpAt: this.#changes,
      // What a source of the application has may be another one at any time.
      isInDoubt: this.#options.catalog.hasLive && hasLive(agent.dependencies),
    });
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
    this.#changes++;
    if (this.#changes % MAX_CHANGES_UNUSED === 0) this.#dropUnused();
  }

  #dropUnused(): void {
    for (const [tenantId, { current, pinned }] of this.#byTenant) {
      for (const byKey of [current, pinned]) {
        for (const [key, { lookedUpAt }] of byKey) {
          if (lookedUpAt <= this.#changes - MAX_CHANGES_UNUSED) byKey.delete(key);
        }
      }
      if (current.size + pinned.size === 0) this.#byTenant.delete(tenantId);
    }
  }

  /** Once for each time the store falls silent, not once a second. */
  #reportSilence(error: unknown): void {
    if (this.#isStoreSilent) return;
    this.#isStoreSilent = true;
    this.#options.log.warn("agent changes could not be checked", { error: faultText(error) });
  }
}

const isNamedBy = (definition: AgentDefinitionContent, name: string): boolean =>
  definition.sharedInstructionsName?.normalize("NFC") === name ||
  definition.callableAgents.some((callee) => callee.name === name) ||
  [...reviewerReferences(definition).values()].some((reviewer) => reviewer.name === name);

const pinnedKey = (name: string, version: number): string => `${version} ${name}`;

const agentIn = (agents: TenantAgents | undefined, name: string, version: number | undefined) =>
  version === undefined ? agents?.current.get(name) : agents?.pinned.get(pinnedKey(name, version));
