/** An engine whose agent has a loop, with criteria that are functions of the test. */

import type { AgentDefinitionRequest } from "@tracon/core";
import type { LoopContext, LoopEvaluation } from "@tracon/engine";
import { BARE_HARNESS } from "./bare-harness.ts";
import { startTestEngine, type TestEngine, type TestEngineOptions } from "./test-engine.ts";

/** Decides what a criterion says of an iteration. */
export type DecideIteration = (
  context: LoopContext,
) => LoopEvaluation | PromiseLike<LoopEvaluation>;

type LoopRequest = NonNullable<NonNullable<AgentDefinitionRequest["harness"]>["loop"]>;

/** What a loop engine works with besides what any test engine does. */
export type LoopEngineOptions = TestEngineOptions & {
  /** By kind, in the order of the loop. */
  readonly criteria: Readonly<Record<string, DecideIteration>>;
  /** Criteria of the loop that stand behind them. */
  readonly behind?: LoopRequest["criteria"];
  /** Settings of the loop, besides its criteria. */
  readonly loop?: Omit<LoopRequest, "criteria">;
};

/** Creates the engine; its agent `agent` has the loop. Throws as `startTestEngine` does. */
export function startLoopEngine(options: LoopEngineOptions): Promise<TestEngine> {
  const { criteria, behind = [], loop = {}, agent = {}, ...rest } = options;
  const kinds = Object.keys(criteria);
  return startTestEngine({
    ...rest,
    loopEvaluators: Object.fromEntries(
      Object.entries(criteria).map(([kind, evaluate]) => [kind, { evaluate }]),
    ),
    agent: {
      ...agent,
      harness: {
        ...BARE_HARNESS,
        ...agent.harness,
        loop: { ...loop, criteria: [...kinds.map((kind) => ({ kind })), ...behind] },
      },
    },
  });
}
