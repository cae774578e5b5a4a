import type { DefinitionStore, StoredDefinition } from "@tracon/core";
import type { CatalogSource, DefinedAgent } from "../catalog-entry.ts";

/** Definitions saved through the API: one current version for each name and tenant. */
export function databaseSource(store: DefinitionStore): CatalogSource {
  return {
    name: "database",
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

const entryOf = ({ definition, contentHash }: StoredDefinition): DefinedAgent => ({
  definition,
  contentHash,
  sourceName: "database",
});
