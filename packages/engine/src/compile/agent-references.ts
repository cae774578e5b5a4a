/** The other agents a definition names, with where and what for. */

import type { AgentDefinitionContent } from "@tracon/core";

export type AgentReference = {
  readonly name: string;
  /** The version it is pinned to; absent means the current one of each call. */
  readonly version: number | undefined;
  readonly isReview: boolean;
  /** Place of the name in the definition. */
  readonly path: string;
};

/** The kind of criterion that names a reviewer; all others ignore the member. */
const REVIEW_KIND = "agentReview";

/** Agents of `callableAgents`, one for each entry. */
export const calleeReferences = ({
  callableAgents,
}: Pick<AgentDefinitionContent, "callableAgents">): readonly AgentReference[] =>
  callableAgents.map(({ name, version }, index) => ({
    name,
    version,
    isReview: false,
    path: `callableAgents[${index}].name`,
  }));

/** Agents that review in a loop, by the index of their criterion. */
export function reviewerReferences({
  harness,
}: Pick<AgentDefinitionContent, "harness">): ReadonlyMap<number, AgentReference> {
  const references = new Map<number, AgentReference>();
  for (const [index, criterion] of (harness?.loop?.criteria ?? []).entries()) {
    const { kind, reviewerAgent = "", reviewerAgentVersion: version } = criterion;
    if (kind !== REVIEW_KIND || reviewerAgent.trim() === "") continue;
    const path = `harness.loop.criteria[${index}].reviewerAgent`;
    references.set(index, { name: reviewerAgent.normalize("NFC"), version, isReview: true, path });
  }
  return references;
}

/** Every agent that a run of the definition may start. */
export const agentReferences = (definition: AgentDefinitionContent): readonly AgentReference[] => [
  ...calleeReferences(definition),
  ...reviewerReferences(definition).values(),
];
