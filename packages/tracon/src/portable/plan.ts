/** What saving a set of definitions would do, decided before anything is written. */

import type { AgentDefinition } from "@tracon/core";
import { contentHash } from "@tracon/core";
import { type Change, diffContents } from "./content-diff.ts";
import type { FileDefinition } from "./definition-files.ts";
import { checkSet, inOrder } from "./definition-set.ts";
import type { DefinitionTarget } from "./definition-target.ts";
import type { AppliedAgents } from "./lock-file.ts";
import { contentOf } from "./portable-content.ts";
import type { FileFinding } from "./portable-finding.ts";

/** Somebody changed or deleted what was applied last, so doing the step would undo that. */
type Drift = { readonly isDrift: boolean };

export type PlanStep =
  | (Drift & {
      readonly action: "create";
      readonly name: string;
      readonly definition: FileDefinition;
    })
  | (Drift & {
      readonly action: "change";
      readonly name: string;
      readonly definition: FileDefinition;
      /** The stored version it is based on. */
      readonly basedOn: number;
      readonly changes: readonly Change[];
    })
  | {
      readonly action: "unchanged";
      readonly name: string;
      readonly definition: FileDefinition;
      readonly version: number;
    }
  | (Drift & { readonly action: "delete"; readonly name: string; readonly version: number })
  /** Applied once, and its file is gone: kept, because nobody asked to delete it. */
  | { readonly action: "keep"; readonly name: string };

/** The steps in the order they are done, and everything that is wrong. */
export type Plan = {
  readonly steps: readonly PlanStep[];
  readonly findings: readonly FileFinding[];
};

export type PlanOptions = {
  /** What was applied last; without it nothing counts as drift and nothing is deleted. */
  readonly applied?: AppliedAgents;
  /** Delete what was applied once and has no file any more. Default false. */
  readonly prune?: boolean;
};

/** Whether a step changes anything in the installation. */
export const isWrite = ({ action }: PlanStep): boolean =>
  action === "create" || action === "change" || action === "delete";

export const isDrift = (step: PlanStep): boolean => "isDrift" in step && step.isDrift;

export async function makePlan(
  definitions: readonly FileDefinition[],
  target: DefinitionTarget,
  options: PlanOptions = {},
): Promise<Plan> {
  const applied = options.applied ?? new Map();
  const catalog = new Map((await target.list()).map((agent) => [agent.name, agent]));
  const leaving = await leavingSteps(definitions, target, { ...options, applied });
  const removed = new Set(
    leaving.filter(({ action }) => action === "delete").map(({ name }) => name),
  );
  const set = { definitions, catalog, removed };
  const findings = await checkSet(set, target);
  const steps: PlanStep[] = [];
  for (const definition of inOrder(set)) {
    const stored = await target.find(definition.content.name);
    steps.push(stepOf(definition, stored, applied));
  }
  return { steps: [...steps, ...leaving], findings };
}

function stepOf(
  definition: FileDefinition,
  stored: AgentDefinition | undefined,
  applied: AppliedAgents,
): PlanStep {
  const { name } = definition.content;
  const last = applied.get(name);
  if (stored === undefined) {
    return { action: "create", name, definition, isDrift: last !== undefined };
  }
  const content = contentOf(stored);
  const hash = contentHash(content);
  const { version } = stored;
  if (hash === definition.contentHash) return { action: "unchanged", name, definition, version };
  return {
    action: "change",
    name,
    definition,
    basedOn: version,
    changes: diffContents(content, definition.content),
    isDrift: last !== undefined && last.contentHash !== hash,
  };
}

/** What becomes of agents that were applied and have no file any more. */
async function leavingSteps(
  definitions: readonly FileDefinition[],
  target: DefinitionTarget,
  { applied, prune }: PlanOptions & { readonly applied: AppliedAgents },
): Promise<readonly PlanStep[]> {
  const names = new Set(definitions.map(({ content }) => content.name));
  const steps: PlanStep[] = [];
  for (const [name, last] of applied) {
    if (names.has(name)) continue;
    const stored = await target.find(name);
    if (stored === undefined) continue;
    const isDrift = contentHash(contentOf(stored)) !== last.contentHash;
    const { version } = stored;
    steps.push(
      prune === true ? { action: "delete", name, version, isDrift } : { action: "keep", name },
    );
  }
  return steps;
}
