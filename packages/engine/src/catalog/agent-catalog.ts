/** The merged catalog: every source by priority, one agent for a name. */

import type { AgentDescriptor } from "@tracon/core";
import type { AgentSource, CatalogEntry } from "./agent-source.ts";

export type AgentCatalog = {
  /** One entry for each name, by name; of two sources the one with priority wins. */
  list(tenantId: string): Promise<readonly CatalogEntry[]>;
  find(tenantId: string, name: string): Promise<CatalogEntry | undefined>;
  /**
   * One version of the agent that has the name. `undefined` when it has no such version, or its
   * source keeps none.
   */
  findVersion(tenantId: string, name: string, version: number): Promise<CatalogEntry | undefined>;
};

export function createAgentCatalog(sources: readonly AgentSource[]): AgentCatalog {
  const byPriority = [...sources].sort((a, b) => a.priority - b.priority);
  return {
    async list(tenantId) {
      const merged = new Map<string, CatalogEntry>();
      for (const source of byPriority) {
        for (const entry of await source.list(tenantId)) {
          if (!merged.has(entry.definition.name)) merged.set(entry.definition.name, entry);
        }
      }
      return [...merged.values()].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
    },
    async find(tenantId, name) {
      for (const source of byPriority) {
        const entry = await source.find(tenantId, name);
        if (entry !== undefined) return entry;
      }
      return undefined;
    },
    async findVersion(tenantId, name, version) {
      for (const source of byPriority) {
        // A pin belongs to the agent that resolves, never to one that it hides.
        if ((await source.find(tenantId, name)) !== undefined) {
          return source.findVersion?.(tenantId, name, version);
        }
      }
      return undefined;
    },
  };
}

/** What a list of agents says of one. */
export function describeAgent({ definition, sourceName }: CatalogEntry): AgentDescriptor {
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
