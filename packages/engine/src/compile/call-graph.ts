/**
 * Who may start whom, as far as it can be seen from one definition: along the agents it calls and those
 * that review its answers. The graph is read breadth first and each agent once, so that what is nearest
 * is seen even when there is too much to see all of it.
 */

import type { AgentDefinitionContent } from "@tracon/core";
import type { CatalogEntry } from "../catalog/catalog-entry.ts";
import { type AgentReference, agentReferences } from "./agent-references.ts";
import type { AgentLookup } from "./found-agent.ts";

/** An agent of the graph: its name, with `@` and the number where it is held at one version. */
export type AgentNode = string;

export type CallGraph = {
  /** The definition that was looked from. */
  readonly start: AgentNode;
  readonly references: ReadonlyMap<AgentNode, readonly AgentReference[]>;
  /** False when there was more to see. */
  readonly isComplete: boolean;
};

/** Agents looked at for one definition: what a save can wait for. */
const MAX_AGENTS = 1_000;
/** Looked up at once. */
const BATCH = 16;

type Visit = Pick<AgentReference, "name" | "version">;

export const nodeOf = ({ name, version }: Visit): AgentNode =>
  version === undefined ? name : `${name}@${version}`;

/** Reads the graph of a definition that is to be saved, which stands for the current one of its name. */
export async function readCallGraph(
  tenantId: string,
  definition: AgentDefinitionContent,
  catalog: AgentLookup,
): Promise<CallGraph> {
  const walk = new Walk(definition);
  for (let batch = walk.next(BATCH); batch.length > 0; batch = walk.next(BATCH)) {
    const read = batch.map(({ name, version }) =>
      version === undefined
        ? catalog.find(tenantId, name)
        : catalog.findVersion(tenantId, name, version),
    );
    for (const [index, entry] of (await Promise.all(read)).entries()) {
      walk.visited(batch[index], entry);
    }
  }
  return walk.graph;
}

/** The graph of definitions that are all there is, such as those of code. */
export function callGraphOf(
  definition: AgentDefinitionContent,
  agents: ReadonlyMap<string, CatalogEntry>,
): CallGraph {
  const walk = new Walk(definition);
  for (let [visit] = walk.next(1); visit !== undefined; [visit] = walk.next(1)) {
    walk.visited(visit, visit.version === undefined ? agents.get(visit.name) : undefined);
  }
  return walk.graph;
}

class Walk {
  readonly #start: AgentNode;
  readonly #references = new Map<AgentNode, readonly AgentReference[]>();
  readonly #seen = new Set<AgentNode>();
  readonly #waiting: Visit[] = [];
  #isComplete = true;

  constructor(definition: AgentDefinitionContent) {
    this.#start = definition.name;
    this.#seen.add(this.#start);
    this.#add({ name: definition.name, version: undefined }, definition);
  }

  /** Agents to be looked up next; none when the walk is over. */
  next(count: number): readonly Visit[] {
    return this.#waiting.splice(0, count);
  }

  visited(visit: Visit | undefined, entry: CatalogEntry | undefined): void {
    if (visit !== undefined && entry?.definition !== undefined) this.#add(visit, entry.definition);
  }

  get graph(): CallGraph {
    return {
      start: this.#start,
      references: this.#references,
      isComplete: this.#isComplete,
    };
  }

  #add(visit: Visit, definition: AgentDefinitionContent): void {
    const references = agentReferences(definition);
    this.#references.set(nodeOf(visit), references);
    for (const reference of references) {
      const { name, version } = reference;
      // Of the current version of an agent, what it names counts in its current version as well.
      if (version === undefined || visit.version === undefined) {
        this.#queue({ name, version: undefined });
      }
      if (version !== undefined) this.#queue({ name, version });
    }
  }

  #queue(visit: Visit): void {
    const { version = 1 } = visit;
    const node = nodeOf(visit);
    if (this.#seen.has(node) || version < 1) return;
    if (this.#seen.size >= MAX_AGENTS) {
      this.#isComplete = false;
      return;
    }
    this.#seen.add(node);
    this.#waiting.push(visit);
  }
}
