/** Loops that fail the run instead of returning an unaccepted answer. */

import type { Requirement } from "./requirement.ts";

export const failRun: readonly Requirement[] = [
  {
    id: "fail-run.outcomes",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "`onExhausted` and `onCriterionError` each take `ReturnLastResponse` or `FailRun`.",
    status: "built",
  },
  {
    id: "fail-run.default-succeeds",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "By default a run that runs out of iterations completes with its last response.",
    status: "built",
  },
  {
    id: "fail-run.default-workflow-passes-on",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "By default the next node of a workflow receives the last response although no criterion accepted it.",
    status: "planned",
  },
  {
    id: "fail-run.exhausted-fails-run",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "With `onExhausted: FailRun` the run fails when the ceiling is reached and a criterion still objects.",
    status: "built",
  },
  {
    id: "fail-run.exhausted-error",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "A run failed by its ceiling has the error type `loop_unsatisfied` and the error class `LoopUnsatisfied`.",
    status: "built",
  },
  {
    id: "fail-run.criterion-error-fails-run",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "With `onCriterionError: FailRun` the run fails when a criterion throws.",
    status: "built",
  },
  {
    id: "fail-run.criterion-error-kept",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "A run that a throwing criterion failed has that criterion's error; an unreachable judge shows as a provider error.",
    status: "built",
  },
  {
    id: "fail-run.values-are-names",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "In JSON the outcomes are written by name.",
    status: "built",
  },
  {
    id: "fail-run.unknown-name-400",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "An unknown outcome is refused with `400` when the definition is saved.",
    status: "built",
  },
  {
    id: "fail-run.last-iteration-evaluated",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "With `onExhausted: FailRun` the turn at the ceiling is evaluated.",
    status: "built",
  },
  {
    id: "fail-run.satisfied-at-ceiling-completes",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "With `onExhausted: FailRun` a run whose turn at the ceiling meets every criterion completes.",
    status: "built",
  },
  {
    id: "fail-run.turns-stay-max-iterations",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "With `onExhausted: FailRun` the agent takes at most `maxIterations` turns.",
    status: "built",
  },
  {
    id: "fail-run.one-more-evaluation",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "Evaluating the turn at the ceiling costs one evaluation more, and with an `aiJudge` one judge call more.",
    status: "built",
  },
  {
    id: "fail-run.single-turn-evaluated",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "With `onExhausted: FailRun` and `maxIterations` 1 the single turn is evaluated.",
    status: "built",
  },
  {
    id: "fail-run.events-match-turns",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "With `onExhausted: FailRun` there is one event for every turn.",
    status: "built",
  },
  {
    id: "fail-run.last-event-flags",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "The last event of a run failed by its ceiling carries `ceilingReached` and `failsRun`.",
    status: "built",
  },
  {
    id: "fail-run.criterion-error-event-flags",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "Under `onCriterionError: FailRun` the event of a throwing criterion has `failedCriterion` and `failsRun`.",
    status: "built",
  },
  {
    id: "fail-run.stream-text-before-error",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "A streaming client receives the text of the last turn and then the `error` frame, and the run ends as `Failed`.",
    status: "built",
  },
  {
    id: "fail-run.usage-kept",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "A failed loop run keeps the tokens and cost of every turn it took.",
    status: "built",
  },
  {
    id: "fail-run.usage-counts-in-quota",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "Quotas and cost reports count the work of a failed loop run.",
    status: "built",
  },
  {
    id: "fail-run.workflow-stops",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "A workflow whose agent fails this way fails and does not run the next node.",
    status: "planned",
  },
  {
    id: "fail-run.workflow-runs-share-error",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "The run of the agent and the run of the workflow both carry `loop_unsatisfied` and `LoopUnsatisfied`.",
    status: "planned",
  },
  {
    id: "fail-run.code-caller-throws",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "A run started from code throws an error with the code `loop_unsatisfied`, carrying `agentName`, `iterations` and `unsatisfiedCriterion`.",
    status: "built",
  },
  {
    id: "fail-run.error-message-no-model-text",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "The message of the thrown error never repeats what the model wrote.",
    status: "built",
  },
  {
    id: "fail-run.error-type-constant",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence: "The error type `loop_unsatisfied` is available to code as a named constant.",
    status: "built",
  },
  {
    id: "fail-run.cancelled-ends-canceled",
    document: "000",
    section: "Fail the run when the loop is not satisfied",
    sentence:
      "Cancelling the run is never an error of a criterion: the run ends as `Canceled` in both modes.",
    status: "built",
  },
  {
    id: "fail-run.default-single-turn-not-evaluated",
    document: "001",
    section: "OnExhausted",
    sentence: "By default the single turn of a loop with `maxIterations` 1 is not evaluated.",
    status: "built",
  },
  {
    id: "fail-run.default-event-names-failed-criterion",
    document: "001",
    section: "OnCriterionError",
    sentence: "By default the event of a throwing criterion names it in `failedCriterion`.",
    status: "built",
  },
  {
    id: "fail-run.outcomes-independent",
    document: "001",
    section: "Examples",
    sentence:
      "The two outcomes are set independently, so a loop can fail when exhausted and keep its draft when a criterion throws.",
    status: "built",
  },
];
