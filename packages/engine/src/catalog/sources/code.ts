import type { AgentDefinitionContent } from "@tracon/core";
import { contentHash } from "@tracon/core";
import type { AgentSource, CatalogEntry } from "../agent-source.ts";

/** Definitions the application registered in code: the same for every tenant, always version 1. */
export function codeSource(definitions: readonly AgentDefinitionContent[]): AgentSource {
  const entries = new Map<string, CatalogEntry>(
    definitions.map((content) => [
      content.name,
      {
        definition: { ...content, origin: "Code", version: 1 },
        contentHash: contentHash(content),
        sourceName: "code",
      },
    ]),
  );
  return {
    name: "code",
    origin: "Code",
    priority: 0,
    list: () => Promise.resolve([...entries.values()]),
    find: (_tenantId, name) => Promise.resolve(entries.get(name)),
  };
}
