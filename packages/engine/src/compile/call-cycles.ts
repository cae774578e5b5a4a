/**
 * Agents that would start each other for ever. What is found is found before anything runs; what cannot
 * be seen here, behind agents that code builds, the depth limit of a run tree ends.
 *
 * The graph is searched twice: by name over the current versions, whatever is pinned, because a pin may
 * be taken out again; and over the versions that really run.
 */

import { type AgentDefinitionContent, type Finding, finding, warning } from "@tracon/core";
import { type AgentReference, agentReferences } from "./agent-references.ts";
import { type AgentNode, type CallGraph, nodeOf } from "./call-graph.ts";

/** One finding for each entry that is the first step of a way back to the definition. */
export function cycleFindings(
  definition: AgentDefinitionContent,
  graph: CallGraph,
): readonly Finding[] {
  const byName = waysBack(graph, ({ name }) => name);
  const byVersion = waysBack(graph, nodeOf);
  const findings = agentReferences(definition)
    .filter(({ name }) => name !== definition.name)
    .flatMap((reference) => {
      const found = cycleOf(reference, reference.name, byName);
      return found ?? cycleOf(reference, nodeOf(reference), byVersion) ?? [];
    });
  return graph.isComplete ? findings : [...findings, unchecked(graph)];
}

function unchecked({ references }: CallGraph): Finding {
  const message = `only the ${references.size} nearest of the agents that can be reached were searched for a cycle; the depth limit ends one that is further away`;
  return warning("cycle_unchecked", "callableAgents", message);
}

/**
 * An agent on a way back to the start, and whether the rest of the way goes through a review: a way of
 * calls alone never ends by itself, while a reviewer may be satisfied.
 */
type Step = {
  readonly node: AgentNode;
  readonly hasReview: boolean;
  /** Absent at the start itself. */
  readonly next: Step | undefined;
};

type WaysBack = {
  /** By calls alone. */
  readonly calls: ReadonlyMap<AgentNode, Step>;
  /** Through a review. */
  readonly reviews: ReadonlyMap<AgentNode, Step>;
};

/** The shortest ways back to the start, from every agent that has one. */
function waysBack(graph: CallGraph, target: (reference: AgentReference) => AgentNode): WaysBack {
  const callers = callersIn(graph, target);
  const calls = new Map<AgentNode, Step>();
  const reviews = new Map<AgentNode, Step>();
  const steps: Step[] = [{ node: graph.start, hasReview: false, next: undefined }];
  for (const step of steps) {
    for (const { node, isReview } of callers.get(step.node) ?? []) {
      const hasReview = step.hasReview || isReview;
      const known = hasReview ? reviews : calls;
      if (node === graph.start || known.has(node)) continue;
      const before = { node, hasReview, next: step };
      known.set(node, before);
      steps.push(before);
    }
  }
  return { calls, reviews };
}

type Caller = { readonly node: AgentNode; readonly isReview: boolean };

/** Who names an agent, by the agent that is named. */
function callersIn(
  { references }: CallGraph,
  target: (reference: AgentReference) => AgentNode,
): ReadonlyMap<AgentNode, readonly Caller[]> {
  const callers = new Map<AgentNode, Caller[]>();
  for (const [node, named] of references) {
    for (const reference of named) {
      const caller = { node, isReview: reference.isReview };
      const to = target(reference);
      const known = callers.get(to);
      if (known === undefined) callers.set(to, [caller]);
      else known.push(caller);
    }
  }
  return callers;
}

/** What is wrong with an entry whose agent leads back; `undefined` when it does not. */
function cycleOf(
  { name, path, isReview }: AgentReference,
  node: AgentNode,
  { calls, reviews }: WaysBack,
): readonly Finding[] | undefined {
  const byCalls = calls.get(node);
  if (byCalls !== undefined && !isReview) {
    const message = `agents would call each other for ever: ${wayOf(byCalls)}; take one of these calls out`;
    return [finding("cycle", path, message)];
  }
  const way = byCalls ?? reviews.get(node);
  if (way === undefined) return undefined;
  const message = `agents review each other: ${wayOf(way)}; where none is satisfied, the depth limit ends the chain and the review of '${name}' fails`;
  return [warning("loop_reviewer_cycle", path, message)];
}

/** Agents shown of a way; of a longer one the middle is left out. */
const MAX_SHOWN = 12;

function wayOf(first: Step): string {
  const nodes: AgentNode[] = [];
  for (let step: Step | undefined = first; step !== undefined; step = step.next) {
    nodes.push(step.node);
  }
  const way = [nodes.at(-1) ?? "", ...nodes];
  if (way.length <= MAX_SHOWN) return way.join(" → ");
  const half = MAX_SHOWN / 2;
  const left = way.length - MAX_SHOWN;
  return [...way.slice(0, half), `(${left} more)`, ...way.slice(-half)].join(" → ");
}
