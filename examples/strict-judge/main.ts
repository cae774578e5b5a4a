/** A judge that is never satisfied fails the run, so that nobody takes its last draft for an answer. */

import assert from "node:assert/strict";
import { createTracon, defineConfig, type RunResult, TraconError } from "tracon";

const VERDICT = { answered: false, gapAnalysis: "The draft names no price." };

const tracon = await createTracon(
  defineConfig({
    storage: "memory:",
    providers: {
      demo: {
        kind: "scripted",
        models: {
          writer: [{ text: "A lamp that finds its way." }],
          judge: [{ text: JSON.stringify(VERDICT) }],
        },
      },
    },
    judge: { provider: "demo", model: "judge" },
    agents: [
      {
        name: "copywriter",
        model: { provider: "demo", model: "writer" },
        harness: {
          loop: {
            criteria: [{ kind: "aiJudge", judgeCriteria: ["The text names the price."] }],
            maxIterations: 2,
            onExhausted: "FailRun",
          },
        },
      },
    ],
    // The run fails as it is meant to: what a log would say of it is printed below.
    log: { info: () => undefined, warn: () => undefined, error: console.error },
  }),
);

const error = await tracon.run("copywriter", { message: "Praise the lamp." }).catch((it) => it);
assert(TraconError.is(error, "loop_unsatisfied"));
const { unsatisfiedCriterion, result } = error.details.extensions as {
  unsatisfiedCriterion: string;
  result: RunResult;
};
console.log(`The run was refused with ${error.code}: ${error.message}.`);
console.log(`The draft that '${unsatisfiedCriterion}' did not accept: ${result.output}`);

const run = await tracon.runs.get(result.runId);
console.log(`\nOn record: ${run.status}, ${run.error?.class}, ${run.usage?.totalTokens} tokens`);

const [judged] = await tracon.statistics.criteria({ agentName: "copywriter" });
console.log("\nWhat the judge decided and took:", judged);
await tracon.close();

assert.equal(result.iterations, 2);
assert.equal(run.status, "Failed");
assert.equal(run.error?.class, "LoopUnsatisfied");
assert.ok((run.usage?.totalTokens ?? 0) > 0, "a failed run keeps its usage");
assert.equal(judged?.judgeCalls, 2, "under FailRun the turn at the ceiling is judged too");
