/** The merged catalog: every source by priority, one agent for a name. */

import { type AgentDescriptor, faultText, type Log } from "@tracon/core";
import type { AgentSourceOperation } from "../telemetry/agent-source-metrics.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type CatalogEntry, type CatalogSource, nameOf, originOf } from "./catalog-entry.ts";

export type AgentCatalog = {
  /** One entry for each name, by name; of two sources the one with priority wins. */
  list(tenantId: string): Promise<readonly CatalogEntry[]>;
  find(tenantId: string, name: string): Promise<CatalogEntry | undefined>;
  /**
   * The agent that has the name when it is one that is looked up for every run: code builds it, or a
   * source of the application has it. `undefined` for definitions in code and in the database.
   */
  findLive(tenantId: string, name: string): Promise<CatalogEntry | undefined>;
  /** Whether there is anything `findLive` can find. */
  readonly hasLive: boolean;
  /**
   * One version of the agent that has the name. `undefined` when it has no such version, or its
   * source keeps none.
   */
  findVersion(tenantId: string, name: string, version: number): Promise<CatalogEntry | undefined>;
};

type CatalogOptions = {
  readonly log: Log;
  readonly metrics?: Metrics;
  /** Code builds agents too, which are in the list of source `code`. Default false. */
  readonly hasFactories?: boolean;
};

export function createAgentCatalog(
  sources: readonly CatalogSource[],
  { log, metrics, hasFactories = false }: CatalogOptions,
): AgentCatalog {
  const byPriority = [...sources].sort((a, b) => a.priority - b.priority);
  const reports = new CatalogReports(log, metrics);
  /** Who asks for an agent does not wait for what it hides, and that is looked for once. */
  const found = (tenantId: string, entry: CatalogEntry): CatalogEntry => {
    reports.lookBehind(tenantId, entry, () => hiddenBy(entry, tenantId, byPriority));
    return entry;
  };
  const find = async (tenantId: string, name: string) => {
    for (const source of byPriority) {
      const entry = await findIn(source, tenantId, name, reports);
      if (entry !== undefined) return found(tenantId, entry);
    }
    return undefined;
  };
  return {
    async list(tenantId) {
      const merged = new Map<string, CatalogEntry>();
      for (const source of byPriority) {
        for (const entry of await listOf(source, tenantId, reports)) {
          const name = nameOf(entry);
          const winner = merged.get(name);
          if (winner === undefined) merged.set(name, entry);
          else reports.shadowed(tenantId, entry, winner);
        }
      }
      return [...merged.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    },
    find,
    hasLive: hasFactories || byPriority.some(({ isCustom }) => isCustom),
    async findLive(tenantId, name) {
      for (const source of byPriority) {
        // The store is asked by whoever keeps what it answers.
        if (source.name === "database") return undefined;
        const entry = await findIn(source, tenantId, name, reports);
        if (entry !== undefined) return isLive(found(tenantId, entry)) ? entry : undefined;
      }
      return undefined;
    },
    async findVersion(tenantId, name, version) {
      for (const source of byPriority) {
        // A pin belongs to the agent that resolves, never to one that it hides.
        if ((await findIn(source, tenantId, name, reports)) !== undefined) {
          return asked(source, reports, () => source.findVersion?.(tenantId, name, version));
        }
      }
      return undefined;
    },
  };
}

const isLive = (entry: CatalogEntry): boolean =>
  entry.definition === undefined || entry.definition.origin === "Custom";

/** A source of the application that fails hides nobody else's agents from a list. */
async function listOf(
  source: CatalogSource,
  tenantId: string,
  reports: CatalogReports,
): Promise<readonly CatalogEntry[]> {
  if (source.isCustom !== true) return source.list(tenantId);
  try {
    const entries = await source.list(tenantId);
    reports.listed(source.name);
    for (const entry of entries) reports.inspect(source, entry);
    return entries;
  } catch (error) {
    reports.failedToList(source.name, error);
    return [];
  }
}

/** Whether a source that fails has the agent is not known, so that nobody else's takes its place. */
const findIn = (
  source: CatalogSource,
  tenantId: string,
  name: string,
  reports: CatalogReports,
): Promise<CatalogEntry | undefined> => asked(source, reports, () => source.find(tenantId, name));

async function asked(
  source: CatalogSource,
  reports: CatalogReports,
  work: () => Promise<CatalogEntry | undefined> | undefined,
): Promise<CatalogEntry | undefined> {
  try {
    const entry = await work();
    if (entry !== undefined) reports.inspect(source, entry);
    return entry;
  } catch (error) {
    if (source.isCustom === true) reports.failedToFind(source.name, error);
    throw error;
  }
}

/** The stored agent that one of another source hides. No source of the application is asked for nothing. */
async function hiddenBy(
  winner: CatalogEntry,
  tenantId: string,
  byPriority: readonly CatalogSource[],
): Promise<CatalogEntry | undefined> {
  const own = byPriority.findIndex(({ name }) => name === winner.sourceName);
  const store = byPriority.slice(own + 1).find(({ name }) => name === "database");
  return store?.find(tenantId, nameOf(winner));
}

const isBroken = (entry: CatalogEntry): boolean => "findings" in entry;

const SOURCE_FAILED = "an agent source failed";

const fieldsOf = (source: string, error: unknown) => ({
  source,
  error: faultText(error instanceof Error && error.cause !== undefined ? error.cause : error),
});

/** What is said of the sources. Every fault is counted; what a list says again and again is logged once. */
class CatalogReports {
  readonly #log: Log;
  readonly #metrics: Metrics | undefined;
  readonly #silent = new Set<string>();
  readonly #shadowed = new Set<string>();
  readonly #lookedBehind = new Map<string, Set<string>>();

  constructor(log: Log, metrics: Metrics | undefined) {
    this.#log = log;
    this.#metrics = metrics;
  }

  listed(source: string): void {
    this.#silent.delete(source);
  }

  failedToList(source: string, error: unknown): void {
    this.#count(source, "list");
    if (this.#silent.has(source)) return;
    this.#silent.add(source);
    this.#log.warn(SOURCE_FAILED, fieldsOf(source, error));
  }

  failedToFind(source: string, error: unknown): void {
    this.#count(source, "resolve");
    this.#log.warn(SOURCE_FAILED, fieldsOf(source, error));
  }

  /** What a source gives and is no agent, or not the one it was asked for, is counted as well. */
  inspect({ name, isCustom }: CatalogSource, entry: CatalogEntry): void {
    if (isCustom === true && isBroken(entry)) this.#count(name, "consistency");
  }

  #count(source: string, operation: AgentSourceOperation): void {
    this.#metrics?.agentSources.failed(source, operation);
  }

  /** Looks once for what an agent hides; again with its next use when that could not be said. */
  lookBehind(
    tenantId: string,
    winner: CatalogEntry,
    hidden: () => Promise<CatalogEntry | undefined>,
  ): void {
    const names = this.#lookedBehind.get(tenantId) ?? new Set();
    const name = nameOf(winner);
    if (names.has(name)) return;
    this.#lookedBehind.set(tenantId, names.add(name));
    void hidden().then(
      (entry) => {
        if (entry !== undefined) this.shadowed(tenantId, entry, winner);
      },
      () => names.delete(name),
    );
  }

  shadowed(tenantId: string, entry: CatalogEntry, winner: CatalogEntry): void {
    const { sourceName } = entry;
    const agent = nameOf(entry);
    const key = JSON.stringify([tenantId, agent, sourceName]);
    if (this.#shadowed.has(key)) return;
    this.#shadowed.add(key);
    const fields = { agent, source: sourceName, winner: winner.sourceName, tenantId };
    this.#log.warn("an agent is hidden by one of another source", fields);
  }
}

/** What a list of agents says of one. */
export function describeAgent(entry: CatalogEntry): AgentDescriptor {
  const { sourceName } = entry;
  if (entry.definition === undefined) {
    const { displayName, description, model } = entry.own ?? {};
    return {
      name: entry.name,
      ...(displayName === undefined ? {} : { displayName }),
      ...(description === undefined ? {} : { description }),
      origin: originOf(entry),
      sourceName,
      version: 1,
      ...(model === undefined ? {} : { model }),
      toolNames: [],
      skillNames: [],
      callableAgentNames: [],
      usesHarness: false,
    };
  }
  const { definition } = entry;
  const { displayName, description, updatedAt } = definition;
  return {
    name: definition.name,
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
    origin: definition.origin,
    sourceName,
    version: definition.version,
    model: definition.model,
    toolNames: definition.toolNames,
    skillNames: definition.skillNames,
    callableAgentNames: definition.callableAgents.map((callee) => callee.name),
    usesHarness: definition.harness !== undefined,
    ...(updatedAt === undefined ? {} : { updatedAt }),
  };
}
