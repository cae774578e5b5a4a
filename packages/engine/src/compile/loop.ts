/** The loop of a definition: its criteria, each of them code that the application registered. */

import {
  type AgentDefinitionContent,
  DEFAULT_MAX_ITERATIONS,
  type Finding,
  finding,
} from "@tracon/core";
import type { CompiledLoop } from "../loop/compiled-loop.ts";
import type { Criterion } from "../loop/criterion.ts";
import type { LoopEvaluatorRegistration } from "../loop/loop-evaluator.ts";

/** Criteria written in code, by the kind that definitions name. */
export type LoopEvaluators = ReadonlyMap<string, LoopEvaluatorRegistration>;

export function compileLoop(
  { harness }: Pick<AgentDefinitionContent, "harness">,
  findings: Finding[],
  evaluators: LoopEvaluators = new Map(),
): CompiledLoop | undefined {
  const { loop } = harness ?? {};
  if (loop === undefined) return undefined;
  const criteria = loop.criteria.flatMap(({ kind }, index): readonly Criterion[] => {
    const registered = evaluators.get(kind);
    if (registered !== undefined) return [criterionOf(kind, registered)];
    const message = `this version does not have the criterion '${kind}'`;
    findings.push(finding("feature_unavailable", `harness.loop.criteria[${index}].kind`, message));
    return [];
  });
  const { maxIterations = DEFAULT_MAX_ITERATIONS, ...settings } = loop;
  return { ...settings, criteria, maxIterations };
}

function criterionOf(kind: string, registered: LoopEvaluatorRegistration): Criterion {
  const evaluator = "create" in registered ? registered.create(undefined) : registered;
  return { kind, evaluate: async (iteration) => evaluator.evaluate(iteration) };
}
