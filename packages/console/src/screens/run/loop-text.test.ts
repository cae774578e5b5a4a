import type { RunEventPayload } from "@tracon/core";
import { describe, expect, it } from "vitest";
import type { Chapter } from "./chapter.ts";
import { decisionText, loopSummary } from "./loop-text.ts";
import type { Timeline } from "./timeline.ts";

type Evaluation = RunEventPayload<"LoopIterationCompleted">;

const reviewed = {
  kind: "agentReview",
  decision: "continue",
  reviewer: { agent: "draft-reviewer", version: 3, runId: "r" },
} as const;
const judged = {
  kind: "aiJudge",
  decision: "continue",
  judge: { provider: "openai", model: "gpt-5.4-mini" },
} as const;

describe("a decision", () => {
  it.each<[string, Partial<Evaluation>]>([
    [
      "Continued by 'agentReview' (reviewer draft-reviewer v3)",
      { continued: true, continuedBy: "agentReview", criteria: [reviewed] },
    ],
    [
      "Continued by 'aiJudge' (judge openai / gpt-5.4-mini)",
      { continued: true, continuedBy: "aiJudge", criteria: [judged] },
    ],
    [
      "Continued by 'hasCitations'",
      {
        continued: true,
        continuedBy: "hasCitations",
        criteria: [{ kind: "hasCitations", decision: "continue" }],
      },
    ],
    [
      "Continued by 'completionMarker'; the ceiling is reached, so the next iteration is the last and is not judged",
      {
        continued: true,
        continuedBy: "completionMarker",
        ceilingReached: true,
        criteria: [{ kind: "completionMarker", decision: "continue" }],
      },
    ],
    [
      "Not accepted by 'agentReview' (reviewer draft-reviewer v3) at the ceiling: the run fails",
      {
        continued: true,
        continuedBy: "agentReview",
        ceilingReached: true,
        failsRun: true,
        criteria: [reviewed],
      },
    ],
    [
      "Criterion 'aiJudge' (judge openai / gpt-5.4-mini) failed: the loop ends here",
      { failedCriterion: "aiJudge", criteria: [{ ...judged, decision: "failed" }] },
    ],
    [
      "Criterion 'agentReview' failed: the run fails",
      {
        failedCriterion: "agentReview",
        failsRun: true,
        criteria: [{ kind: "agentReview", decision: "failed" }],
      },
    ],
    ["Finished: every criterion is satisfied", { continued: false }],
  ])("reads %j", (text, over) => {
    expect(decisionText(evaluation(over))).toBe(text);
  });

  it("names the last of two reviewers of one kind, who decided", () => {
    const approving = { ...reviewed, decision: "stop", reviewer: { agent: "first", runId: "q" } };
    const criteria = [approving, reviewed] as Evaluation["criteria"];

    const text = decisionText(
      evaluation({ continued: true, continuedBy: "agentReview", criteria }),
    );

    expect(text).toBe("Continued by 'agentReview' (reviewer draft-reviewer v3)");
  });
});

describe("the loop as a whole", () => {
  it.each<[string | undefined, readonly Partial<Evaluation>[], number]>([
    [undefined, [], 1],
    ["1 iteration, every criterion satisfied", [{}], 1],
    ["2 iterations, every criterion satisfied", [{ continued: true }, { iteration: 2 }], 2],
    ["2 iterations, ended by the ceiling", [{ continued: true, ceilingReached: true }], 2],
    [
      "1 iteration, not accepted at the ceiling",
      [{ continued: true, ceilingReached: true, failsRun: true }],
      1,
    ],
    ["1 iteration, 'aiJudge' failed", [{ failedCriterion: "aiJudge" }], 1],
    [
      "1 iteration, 'aiJudge' failed and fails the run",
      [{ failedCriterion: "aiJudge", failsRun: true }],
      1,
    ],
    ["2 iterations, broken off", [{ continued: true }], 2],
  ])("reads %j", (text, decisions, turns) => {
    expect(loopSummary(timeline(decisions, turns, 9))).toBe(text);
  });

  it("says no end while it goes on", () => {
    expect(loopSummary(timeline([{ continued: true }], 2, undefined))).toBe("2 iterations");
  });
});

const evaluation = (over: Partial<Evaluation>): Evaluation => ({
  iteration: 1,
  continued: false,
  criteria: [],
  ...over,
});

const timeline = (
  decisions: readonly Partial<Evaluation>[],
  turns: number,
  endedMs: number | undefined,
): Timeline => ({
  startedMs: 0,
  endedMs,
  idleSinceMs: 0,
  chapters: [
    ...Array.from({ length: turns }, (_, index) => modelCall(index + 1)),
    ...decisions.map(
      (it, index): Chapter => ({
        kind: "decision",
        key: `d${index}`,
        atMs: 0,
        payload: evaluation(it),
      }),
    ),
  ],
});

const modelCall = (iteration: number): Chapter => ({
  kind: "model",
  key: `${iteration}.0`,
  iteration,
  step: 0,
  startedMs: 0,
  endedMs: 0,
  text: "",
  reasoning: "",
  completed: undefined,
});
