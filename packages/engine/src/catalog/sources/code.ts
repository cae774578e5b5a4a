import type { AgentDefinitionContent } from "@tracon/core";
import { contentHash } from "@tracon/core";
import type { CatalogEntry, CatalogSource } from "../catalog-entry.ts";
import type { AgentFactory } from "../sdk-agent.ts";

/** Agents the application registered in code: the same for every tenant, always version 1. */
export function codeSource(
  definitions: readonly AgentDefinitionContent[],
  factories: Readonly<Record<string, AgentFactory>> = {},
): CatalogSource {
  const entries = codeEntries(definitions, factories);
  return {
    name: "code",
    priority: 0,
    list: () => Promise.resolve([...entries.values()]),
    find: (_tenantId, name) => Promise.resolve(entries.get(name)),
  };
}

/** The agents of code by name. */
export function codeEntries(
  definitions: readonly AgentDefinitionContent[],
  factories: Readonly<Record<string, AgentFactory>>,
): ReadonlyMap<string, CatalogEntry> {
  const entries = new Map<string, CatalogEntry>();
  for (const [name, create] of Object.entries(factories)) {
    const own = { create, model: undefined, displayName: undefined, description: undefined };
    entries.set(name.normalize("NFC"), {
      name: name.normalize("NFC"),
      origin: "Code",
      sourceName: "code",
      own,
    });
  }
  for (const content of definitions) {
    entries.set(content.name, {
      definition: { ...content, origin: "Code", version: 1 },
      contentHash: contentHash(content),
      sourceName: "code",
    });
  }
  return entries;
}
