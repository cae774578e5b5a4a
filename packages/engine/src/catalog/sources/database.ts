import type { DefinitionStore, StoredDefinition } from "@tracon/core";
import type { AgentSource, CatalogEntry } from "../agent-source.ts";

/** Definitions saved through the API: one current version for each name and tenant. */
export function databaseSource(store: DefinitionStore): AgentSource {
  return {
    name: "database",
    origin: "Database",
    priority: 100,
    list: async (tenantId) => (await store.list(tenantId)).map(entryOf),
    async find(tenantId, name) {
      const stored = await store.get(tenantId, name);
      return stored === undefined ? undefined : entryOf(stored);
    },
    async findVersion(tenantId, name, version) {
      const stored = await store.getVersion(tenantId, name, version);
      return stored === undefined ? undefined : entryOf(stored);
    },
  };
}

const entryOf = ({ definition, contentHash }: StoredDefinition): CatalogEntry => ({
  definition,
  contentHash,
  sourceName: "database",
});
