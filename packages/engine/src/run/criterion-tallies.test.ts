import type { CriterionTally, RunEventDraft, RunEventPayload } from "@tracon/core";
import { expect, it } from "vitest";
import { CriterionTallies } from "./criterion-tallies.ts";

type Iteration = RunEventPayload<"LoopIterationCompleted">;

it("counts what each criterion decided, by its place in the list", () => {
  const tallies = tallied(
    iteration({ continued: true }, ["completionMarker", "continue"]),
    iteration({ continued: true }, ["completionMarker", "stop"], ["aiJudge", "continue"]),
    iteration({ continued: false }, ["completionMarker", "stop"], ["aiJudge", "stop"]),
  );

  expect(tallies).toEqual([
    tally({ kind: "completionMarker", position: 0, continued: 1, stopped: 2, decisive: 1 }),
    tally({ kind: "aiJudge", position: 1, continued: 1, stopped: 1, decisive: 1 }),
  ]);
});

it("counts two criteria of one kind apart", () => {
  const tallies = tallied(
    iteration({ continued: true }, ["aiJudge", "stop"], ["aiJudge", "continue"]),
  );

  expect(tallies.map(({ position, decisive }) => [position, decisive])).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

it.each<[string, Partial<Iteration>, Iteration["criteria"][number]["decision"], number]>([
  ["asks for another iteration", { continued: true }, "continue", 1],
  ["asks for the one at the ceiling", { continued: true, ceilingReached: true }, "continue", 1],
  ["makes the run fail at the ceiling", { ceilingReached: true, failsRun: true }, "continue", 1],
  ["asks for an iteration that there is not", {}, "continue", 0],
  ["is satisfied", {}, "stop", 0],
  ["fails and ends the loop", {}, "failed", 1],
  ["fails and makes the run fail", { failsRun: true }, "failed", 1],
])("says whether a criterion that %s changed the outcome", (_, over, decision, decisive) => {
  const [tallied0] = tallied(iteration(over, ["completionMarker", decision]));

  expect(tallied0?.decisive).toBe(decisive);
});

it("adds up the tokens and the cost of judge calls, each currency on its own", () => {
  const [, judge] = tallied(
    judged({ usage: { inputTokens: 10, outputTokens: 2 }, cost: cost(0.5, "USD") }),
    iteration({ continued: true }, ["completionMarker", "stop"], ["aiJudge", "continue"]),
    judged({ usage: { inputTokens: 20 }, cost: cost(2, "EUR") }),
    judged({ usage: { inputTokens: 1, outputTokens: 1 }, cost: cost(0.25, "USD") }),
  );

  expect(judge).toMatchObject({
    kind: "aiJudge",
    judgeCalls: 3,
    usage: { inputTokens: 31, outputTokens: 3 },
    costs: [
      { currency: "EUR", totalCost: 2 },
      { currency: "USD", totalCost: 0.75 },
    ],
    unpricedCalls: 0,
  });
});

it("counts a judge call without a known cost, and measures nothing as absent", () => {
  const [judge] = tallied(judged({}), judged({ cost: { source: "Unknown" } }));

  expect(judge).toEqual(tally({ kind: "aiJudge", position: 1, judgeCalls: 2, unpricedCalls: 2 }));
});

it("counts the runs of a reviewer, whatever it said", () => {
  const reviewer = { agent: "editor", version: 2, runId: "r" };
  const event = (decision: "stop" | "failed"): RunEventDraft => ({
    type: "LoopIterationCompleted",
    payload: {
      iteration: 1,
      continued: false,
      criteria: [{ kind: "agentReview", decision, reviewer }],
    },
  });

  const [review] = tallied(event("failed"), event("stop"));

  expect(review).toMatchObject({ reviewerRuns: 2, failed: 1, stopped: 1 });
});

it("takes no other event of an application or an extension for a judge call", () => {
  const other = (customType: string, data?: unknown): RunEventDraft => ({
    type: "Custom",
    payload: { customType, data },
  });

  const tallies = tallied(
    other("app.judged", { criterion: 0 }),
    other("tracon.loop.judge-called"),
    other("tracon.loop.judge-called", { criterion: "0" }),
    other("tracon.loop.judge-called", { criterion: -1 }),
  );

  expect(tallies).toEqual([]);
});

function tallied(...events: readonly RunEventDraft[]): readonly CriterionTally[] {
  const tallies = new CriterionTallies();
  for (const event of events) tallies.add(event);
  return tallies.all();
}

const tally = (over: Partial<CriterionTally>): CriterionTally => ({
  kind: "",
  position: 0,
  continued: 0,
  stopped: 0,
  failed: 0,
  decisive: 0,
  reviewerRuns: 0,
  judgeCalls: 0,
  costs: [],
  unpricedCalls: 0,
  ...over,
});

const iteration = (
  over: Partial<Iteration>,
  ...criteria: readonly (readonly [string, Iteration["criteria"][number]["decision"]])[]
): RunEventDraft => ({
  type: "LoopIterationCompleted",
  payload: {
    iteration: 1,
    continued: false,
    criteria: criteria.map(([kind, decision]) => ({ kind, decision })),
    ...over,
  },
});

const cost = (totalCost: number, currency: string) => ({ totalCost, currency, source: "Catalog" });

const judged = (call: object): RunEventDraft => ({
  type: "Custom",
  payload: {
    customType: "tracon.loop.judge-called",
    data: { iteration: 1, criterion: 1, provider: "p", model: "m", durationMs: 5, ...call },
  },
});
