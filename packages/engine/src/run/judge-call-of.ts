import {
  LOOP_JUDGE_CALLED,
  type LoopJudgeCall,
  loopJudgeCallSchema,
  type RunEventPayload,
} from "@tracon/core";

/** The call of a loop's judge that a `Custom` event tells of; `undefined` for any other event. */
export function judgeCallOf({
  customType,
  data,
}: RunEventPayload<"Custom">): LoopJudgeCall | undefined {
  if (customType !== LOOP_JUDGE_CALLED) return undefined;
  return loopJudgeCallSchema.safeParse(data).data;
}
