/** What the criteria of all agents share, made once for an engine. */

import type { JudgeBinding, Log } from "@tracon/core";
import { createLoopEvaluators, type LoopEvaluatorRegistrations } from "../loop/loop-evaluators.ts";
import { type JudgeContext, lazyJudge } from "./judge.ts";
import type { LoopHost } from "./loop.ts";

export type LoopHostOptions = {
  readonly judge?: JudgeBinding | undefined;
  readonly loopEvaluators?: LoopEvaluatorRegistrations | undefined;
};

export type LoopHostContext = JudgeContext & {
  readonly log: Log;
  /** What factories of criteria are given; absent where definitions are only checked. */
  readonly services?: (() => unknown) | undefined;
};

export const createLoopHost = (
  { judge, loopEvaluators = {} }: LoopHostOptions,
  { log, services, ...context }: LoopHostContext,
): LoopHost => ({
  evaluators: createLoopEvaluators(loopEvaluators, { log, services }),
  judgeModel: judge && { provider: judge.provider, model: judge.model },
  judge: lazyJudge(judge, context),
});
