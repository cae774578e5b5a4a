/** What a definition names that the catalog or a store has. */

import type { AgentDefinitionContent } from "@tracon/core";
import { calleeReferences, reviewerReferences } from "./agent-references.ts";
import {
  type AgentLookup,
  type FoundAgent,
  findAgent,
  isLive,
  isSameEntry,
  isSameFound,
  lockOfEntry,
} from "./found-agent.ts";
import type { SharedBlock } from "./instructions.ts";

export type Dependencies = {
  /** Absent when the definition names no shared block. */
  readonly shared?: SharedBlock;
  /** One for each entry of `callableAgents`; absent when there is none. */
  readonly callees?: readonly FoundAgent[];
  /** Of each criterion that names a reviewer, by its index; absent when there is none. */
  readonly reviewers?: ReadonlyMap<number, FoundAgent>;
};

/** Looks up what a definition depends on. */
export async function findDependencies(
  tenantId: string,
  definition: AgentDefinitionContent,
  catalog: AgentLookup,
): Promise<Dependencies> {
  const { sharedInstructionsName, callableAgents } = definition;
  const reviewers = [...reviewerReferences(definition)];
  const [shared, callees, reviewing] = await Promise.all([
    sharedInstructionsName === undefined
      ? undefined
      : findShared(tenantId, sharedInstructionsName, catalog),
    Promise.all(calleeReferences(definition).map((it) => findAgent(tenantId, it, catalog))),
    Promise.all(
      reviewers.map(
        async ([index, it]) => [index, await findAgent(tenantId, it, catalog)] as const,
      ),
    ),
  ]);
  return {
    ...(shared === undefined ? {} : { shared }),
    ...(callableAgents.length === 0 ? {} : { callees }),
    ...(reviewers.length === 0 ? {} : { reviewers: new Map(reviewing) }),
  };
}

async function findShared(
  tenantId: string,
  name: string,
  catalog: AgentLookup,
): Promise<SharedBlock> {
  const shared = await catalog.find(tenantId, name.normalize("NFC"));
  if (shared === undefined) return "missing";
  return shared.definition === undefined ? "textless" : shared;
}

/** Whether a definition that did not change still depends on the same. */
export function isSameDependencies(left: Dependencies, right: Dependencies): boolean {
  if (!isSameShared(left.shared, right.shared)) return false;
  const others = agentsOf(right);
  return agentsOf(left).every((agent, index) => {
    const other = others[index];
    return other !== undefined && isSameFound(agent, other);
  });
}

function isSameShared(left: SharedBlock | undefined, right: SharedBlock | undefined): boolean {
  if (typeof left !== "object" || typeof right !== "object") return left === right;
  return isSameEntry(left, right);
}

/** Whether something of it may be another at any time, without anybody being told. */
export const hasLive = (dependencies: Dependencies): boolean =>
  (typeof dependencies.shared === "object" && dependencies.shared.definition.origin === "Custom") ||
  agentsOf(dependencies).some(isLive);

/** What a definition depends on, as a lockfile names it. */
export const lockOf = ({ shared, callees, reviewers }: Dependencies) => ({
  shared: typeof shared === "object" ? lockOfEntry(shared) : undefined,
  callees: callees?.map(lockOfFound),
  reviewers:
    reviewers &&
    Object.fromEntries([...reviewers].map(([index, agent]) => [index, lockOfFound(agent)])),
});

const agentsOf = ({ callees = [], reviewers }: Dependencies): readonly FoundAgent[] =>
  reviewers === undefined ? callees : [...callees, ...reviewers.values()];

const lockOfFound = (agent: FoundAgent) =>
  agent.kind === "found" ? lockOfEntry(agent.asked) : undefined;
