/** The loop section: every criterion is one that can stop the loop, or a finding says why not. */

import {
  type AgentDefinitionContent,
  DEFAULT_MAX_ITERATIONS,
  type Finding,
  finding,
  type LoopCriteria,
  type LoopCriterion,
  type LoopSettings,
} from "@tracon/core";
import { hasTodoList } from "../harness/harness-parts.ts";
import type { CompiledLoop } from "../loop/compiled-loop.ts";
import { criterionKinds } from "../loop/criteria/index.ts";
import type { Criterion } from "../loop/criterion.ts";
import type { CriterionHost, FoundReviewer } from "../loop/criterion-host.ts";
import type { JudgeModel, JudgeState } from "../loop/judge.ts";
import type { LoopEvaluators } from "../loop/loop-evaluators.ts";

/** What the criteria of an installation's agents are made of. */
export type LoopHost = {
  readonly evaluators: LoopEvaluators;
  /** The model that judges as it is configured. */
  readonly judgeModel: JudgeModel | undefined;
  judge(): JudgeState;
};

/** Reviewers by the index of their criterion; absent when nobody looked, and none is checked. */
export type FoundReviewers = ReadonlyMap<number, FoundReviewer>;

type LoopInput = { readonly host: LoopHost; readonly reviewers: FoundReviewers | undefined };

/** Compiles the section; pushes what is wrong with it. `undefined` when there is none. */
export function compileLoop(
  definition: AgentDefinitionContent,
  { host, reviewers }: LoopInput,
  findings: Finding[],
): CompiledLoop | undefined {
  const settings = definition.harness?.loop;
  if (settings === undefined) return undefined;
  findings.push(...settingsFindings(settings));
  const criteria = settings.criteria.map((criterion, index) => {
    const path = `harness.loop.criteria[${index}]`;
    const criterionHost = {
      ...abilitiesOf(definition),
      index,
      judge: () => host.judge(),
      reviewer: reviewers?.get(index),
    };
    return compileCriterion({ criterion, path }, criterionHost, host.evaluators, findings);
  });
  const { maxIterations = DEFAULT_MAX_ITERATIONS, ...outcomes } = settings;
  return { ...outcomes, maxIterations, criteria: criteria.filter((it) => it !== undefined) };
}

/** What definitions can name. Runs no factory. */
export const describeLoopCriteria = ({ evaluators, judgeModel }: LoopHost): LoopCriteria => ({
  criteria: [
    ...criterionKinds.map(({ kind, description, reads }) => ({
      kind,
      description,
      isBuiltIn: true,
      fields: [...reads],
    })),
    ...evaluators.descriptors,
  ],
  judge: judgeModel ?? null,
});

function settingsFindings({ criteria, maxIterations }: LoopSettings): readonly Finding[] {
  const findings: Finding[] = [];
  if (criteria.length === 0) {
    const message = "a loop needs at least one criterion that can stop it";
    findings.push(finding("loop_criteria_empty", "harness.loop.criteria", message));
  }
  if (maxIterations !== undefined && maxIterations < 1) {
    const message = `must be 1 or more; leave it out for ${DEFAULT_MAX_ITERATIONS}`;
    findings.push(finding("loop_max_iterations_invalid", "harness.loop.maxIterations", message));
  }
  return findings;
}

/** What the agent can do that a criterion may look at. */
function abilitiesOf({ name, harness, memory, callableAgents, subAgents }: AgentDefinitionContent) {
  return {
    agentName: name,
    hasTodoList: hasTodoList({ harness, memory }),
    hasModes: harness?.disableAgentModeProvider === false,
    hasBackgroundTasks: callableAgents.length > 0 && subAgents?.callMode !== "Tool",
  };
}

type PlacedCriterion = { readonly criterion: LoopCriterion; readonly path: string };

function compileCriterion(
  { criterion, path }: PlacedCriterion,
  host: CriterionHost,
  evaluators: LoopEvaluators,
  findings: Finding[],
): Criterion | undefined {
  const { kind } = criterion;
  const builtIn = criterionKinds.find((it) => it.kind === kind);
  if (builtIn !== undefined) {
    const problems = builtIn.findings(criterion, path, host);
    findings.push(...problems);
    const isBroken = problems.some(({ severity }) => severity === "Error");
    return isBroken ? undefined : builtIn.create(criterion, host);
  }
  const registered = evaluators.criterion(kind);
  if (typeof registered === "object") return registered;
  findings.push(kindFinding(kind, `${path}.kind`, { problem: registered, evaluators }));
  return undefined;
}

function kindFinding(
  kind: string,
  path: string,
  {
    problem,
    evaluators,
  }: { readonly problem: string | undefined; readonly evaluators: LoopEvaluators },
): Finding {
  if (problem !== undefined) return finding("compilation_error", path, problem);
  const known = [...criterionKinds, ...evaluators.descriptors].map((it) => `'${it.kind}'`);
  const remedy = `use one of ${known.join(", ")}`;
  return kind.trim() === ""
    ? finding("loop_criterion_kind_missing", path, `a criterion needs a kind; ${remedy}`)
    : finding("loop_criterion_unknown", path, `there is no kind '${kind}'; ${remedy}`);
}
