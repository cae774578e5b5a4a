/** What the catalog has under a name, and under a version where one is asked for. */

import type { AgentCatalog } from "../catalog/agent-catalog.ts";
import { type CatalogEntry, originOf } from "../catalog/catalog-entry.ts";
import type { AgentReference } from "./agent-references.ts";

/**
 * | kind | |
 * |---|---|
 * | `found` | `asked` is what a call runs: the current agent, or its version |
 * | `missing` | no agent has the name |
 * | `versionMissing` | the agent has no such version |
 * | `versionless` | a version is asked for of an agent that is defined in code, which keeps none |
 * | `broken` | what a source gives is no agent |
 * | `unchecked` | nobody looked, as for a definition in code before any tenant is known |
 */
export type FoundAgent =
  | { readonly kind: "found"; readonly current: CatalogEntry; readonly asked: CatalogEntry }
  | { readonly kind: "versionMissing" | "versionless" | "broken"; readonly current: CatalogEntry }
  | { readonly kind: "missing" | "unchecked" };

export type AgentLookup = Pick<AgentCatalog, "find" | "findVersion">;

/** Looks an agent up. A version that is no version counts as none: that is the definition's own fault. */
export async function findAgent(
  tenantId: string,
  { name, version }: Pick<AgentReference, "name" | "version">,
  catalog: AgentLookup,
): Promise<FoundAgent> {
  const current = await catalog.find(tenantId, name);
  if (current === undefined) return { kind: "missing" };
  const known = withoutVersions(current, version);
  if (known !== undefined) return known;
  const asked =
    version === undefined ? undefined : await catalog.findVersion(tenantId, name, version);
  return asked === undefined ? { kind: "versionMissing", current } : found(current, asked);
}

/** What is known of an agent before its versions are looked at; `undefined` when they have to be. */
export function withoutVersions(
  current: CatalogEntry,
  version: number | undefined,
): FoundAgent | undefined {
  if (version === undefined || version < 1) return found(current, current);
  if (originOf(current) === "Code") return { kind: "versionless", current };
  return current.definition?.version === version ? found(current, current) : undefined;
}

const found = (current: CatalogEntry, asked: CatalogEntry): FoundAgent =>
  "findings" in asked ? { kind: "broken", current } : { kind: "found", current, asked };

/**
 * What a model reads of an agent. A pinned agent of the store is described as its version describes
 * itself; one of a source of the application as the source describes it now.
 */
export function descriptionOf(agent: FoundAgent): string | undefined {
  if (agent.kind !== "found") return undefined;
  const described = originOf(agent.current) === "Custom" ? agent.current : agent.asked;
  return (described.definition ?? described.own)?.description;
}

/** Whether an agent looked up again is what it was, as far as whoever names it can tell. */
export function isSameFound(left: FoundAgent, right: FoundAgent): boolean {
  if (left.kind !== "found" || right.kind !== "found") return left.kind === right.kind;
  return (
    isSameEntry(left.asked, right.asked) &&
    originOf(left.current) === originOf(right.current) &&
    descriptionOf(left) === descriptionOf(right)
  );
}

/** Whether two entries are the same content; of agents that code builds, whether one place has them. */
export function isSameEntry(left: CatalogEntry, right: CatalogEntry): boolean {
  if (left.sourceName !== right.sourceName) return false;
  if (left.definition === undefined || right.definition === undefined) {
    return left.definition === right.definition;
  }
  return (
    left.contentHash === right.contentHash && left.definition.version === right.definition.version
  );
}

/** Whether it may be another one at any time, without anybody being told. */
export const isLive = (agent: FoundAgent): boolean =>
  "current" in agent ? originOf(agent.current) === "Custom" : agent.kind === "missing";

/** An agent as a lockfile names it. */
export function lockOfEntry(entry: CatalogEntry): Readonly<Record<string, unknown>> {
  if (entry.definition === undefined) return { name: entry.name, source: entry.sourceName };
  const { name, version } = entry.definition;
  return { name, version, contentHash: entry.contentHash };
}
