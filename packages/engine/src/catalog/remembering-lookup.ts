import type { AgentCatalog } from "./agent-catalog.ts";
import type { CatalogEntry } from "./catalog-entry.ts";

type Lookup = Pick<AgentCatalog, "find" | "findVersion">;

/** Answers each question once, for as long as one check takes. */
export function rememberingLookup(catalog: Lookup): Lookup {
  const answers = new Map<string, Promise<CatalogEntry | undefined>>();
  const once = (
    key: readonly (string | number)[],
    ask: () => Promise<CatalogEntry | undefined>,
  ): Promise<CatalogEntry | undefined> => {
    const text = JSON.stringify(key);
    const answer = answers.get(text) ?? ask();
    answers.set(text, answer);
    return answer;
  };
  return {
    find: (...key) => once(key, () => catalog.find(...key)),
    findVersion: (...key) => once(key, () => catalog.findVersion(...key)),
  };
}
