import {
  assert,
  type Finding,
  finding,
  LOOP_JUDGE_CALLED,
  type LoopCriterion,
  type LoopJudgeCall,
  warning,
} from "@tracon/core";
import type { CriterionOutcome, EvaluatedIteration } from "../criterion.ts";
import type { BuiltInCriterion, CriterionHost } from "../criterion-host.ts";
import { boundedFeedback } from "../feedback-text.ts";
import type { Judge } from "../judge.ts";
import {
  CRITERIA_PLACEHOLDER,
  judgeInstructions,
  judgePrompt,
  leavesOutCriteria,
} from "../judge-prompt.ts";
import { readJudgeVerdict } from "../judge-verdict.ts";

/** Stops once the judge model of the installation finds the work finished. */
export const aiJudge: BuiltInCriterion = {
  kind: "aiJudge",
  description: "A judge model decides that the work is finished.",
  reads: ["judgeCriteria", "judgeInstructions"],

  findings: (criterion, path, host) => [
    ...criteriaFindings(criterion, path),
    ...judgeFindings(path, host),
  ],

  create(criterion, { index, judge }) {
    const state = judge();
    assert(state.kind === "ready", "an aiJudge is created only when there is a judge");
    const instructions = judgeInstructions(criterion);
    const question = { instructions, index };
    return {
      kind: criterion.kind,
      evaluate: (iteration) => evaluate(state.judge, question, iteration),
    };
  },
};

function criteriaFindings(criterion: LoopCriterion, path: string): readonly Finding[] {
  const { judgeCriteria } = criterion;
  if (judgeCriteria.length === 0) {
    const message = "an aiJudge needs at least one criterion to judge by";
    return [finding("loop_judge_criteria_missing", `${path}.judgeCriteria`, message)];
  }
  const blank = judgeCriteria.flatMap((it, index) =>
    it.trim() === ""
      ? [
          finding(
            "loop_judge_criteria_missing",
            `${path}.judgeCriteria[${index}]`,
            "a criterion to judge by is not blank; write it or take it out",
          ),
        ]
      : [],
  );
  if (!leavesOutCriteria(criterion)) return blank;
  const message = `the instructions have no ${CRITERIA_PLACEHOLDER}, so that the judge does not see judgeCriteria`;
  const unused = warning("loop_judge_criteria_unused", `${path}.judgeInstructions`, message);
  return [...blank, unused];
}

function judgeFindings(path: string, { judge }: CriterionHost): readonly Finding[] {
  const state = judge();
  switch (state.kind) {
    case "ready":
      return [];
    case "unconfigured": {
      const message = "an aiJudge needs a judge model: name one in 'judge' of the configuration";
      return [finding("loop_judge_unconfigured", `${path}.kind`, message)];
    }
    case "unavailable": {
      const message = `the judge model of this installation cannot be built: ${state.reason}`;
      return [finding("loop_judge_unavailable", `${path}.kind`, message)];
    }
  }
}

async function evaluate(
  judge: Judge,
  { instructions, index }: { readonly instructions: string; readonly index: number },
  run: EvaluatedIteration,
): Promise<CriterionOutcome> {
  const { iteration, journal } = run;
  const reply = await judge.ask(judgePrompt(instructions, run), run, (call) => {
    const data: LoopJudgeCall = { iteration, criterion: index, ...call };
    journal.emit({ type: "Custom", payload: { customType: LOOP_JUDGE_CALLED, data } });
  });
  if (reply.kind === "failed") return { decision: "failed", error: reply.error, judge: reply.by };
  const { answered, gapAnalysis } = readJudgeVerdict(reply.text);
  return answered
    ? { decision: "stop", judge: reply.by }
    : { decision: "continue", feedback: feedbackOf(gapAnalysis), judge: reply.by };
}

const feedbackOf = (gapAnalysis: string): string =>
  gapAnalysis === ""
    ? "The work is not finished yet; what is missing was not said. Go over what was asked again, and complete your answer."
    : `The work is not finished yet. What is missing:\n${boundedFeedback(gapAnalysis)}`;
