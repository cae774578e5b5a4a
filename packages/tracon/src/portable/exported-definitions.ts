/** Which definitions an installation gives out. */

import type { AgentDefinition } from "@tracon/core";
import { TraconError } from "@tracon/core";
import type { CatalogAgent, DefinitionTarget } from "./definition-target.ts";

export type Exported = {
  readonly definitions: readonly AgentDefinition[];
  /** Agents that have no stored definition. */
  readonly skipped: readonly CatalogAgent[];
};

/** The current definitions of these agents, or of all. Throws `agent_not_found` for a name nobody has. */
export async function exportedDefinitions(
  target: DefinitionTarget,
  names: readonly string[],
): Promise<Exported> {
  const catalog = await target.list();
  const wanted = new Set(names.map((name) => name.normalize("NFC")));
  const missing = [...wanted].filter((name) => !catalog.some((agent) => agent.name === name));
  if (missing.length > 0) {
    throw new TraconError(
      "agent_not_found",
      `there is no agent ${missing.map((name) => `'${name}'`).join(", ")}`,
    );
  }
  const chosen = catalog.filter(({ name }) => wanted.size === 0 || wanted.has(name));
  const definitions: AgentDefinition[] = [];
  for (const { name, origin } of chosen) {
    if (origin !== "Database") continue;
    const stored = await target.find(name);
    // One that was deleted since the list was read is simply not there any more.
    if (stored !== undefined) definitions.push(stored);
  }
  return { definitions, skipped: chosen.filter(({ origin }) => origin !== "Database") };
}
