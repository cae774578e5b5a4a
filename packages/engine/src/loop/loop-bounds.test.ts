/** The ceiling of a loop holds whatever its agent says, its criteria do or its store refuses. */

import type { Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startLoopEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import type { LoopEvaluation } from "./loop-evaluator.ts";

const MORE: LoopEvaluation = { decision: "continue", feedback: "More." };
const CEILING = 4;
const drafts: readonly ScriptedStep[] = Array(2 * CEILING).fill("Draft.");

it.each([1, 2, 3, 4])(
  "counts its turns although nothing can be recorded from commit %i on",
  async (from) => {
    const opened = await openStores("memory:");
    let commits = 0;
    const commit: Stores["journal"]["commit"] = (batch) =>
      ++commits >= from ? Promise.reject(new Error("disk full")) : opened.journal.commit(batch);

    const { result, model, frames, runId } = await looped({
      stores: { ...opened, journal: { commit } },
      script: drafts,
    });

    const shown = frames.filter(({ event }) => event === "loop.iteration-completed");
    expect(result).toMatchObject({ status: "Completed", iterations: CEILING });
    expect(model.calls).toHaveLength(CEILING);
    // A frame shows what was recorded; without a record there is none.
    const recorded = await opened.runs.events("default", runId, { after: -1, take: 100 });
    const decided = recorded.filter(({ json }) => json.includes("LoopIterationCompleted"));
    expect(shown).toHaveLength(decided.length);
  },
);

it.each([
  ["no word", Array(2 * CEILING).fill({ text: "" })],
  ["reasoning only", Array(2 * CEILING).fill({ reasoning: "Hm." })],
])("goes on behind an iteration of %s, up to its ceiling", async (_, script) => {
  const { result, model } = await looped({ stores: await openStores("memory:"), script });

  expect(result).toMatchObject({ status: "Completed", output: "", iterations: CEILING });
  expect(model.calls).toHaveLength(CEILING);
});

it("counts its turns itself, whatever a criterion does to what it is told", async () => {
  const { result, model } = await looped({
    stores: await openStores("memory:"),
    script: drafts,
    decide(context) {
      const told = context as unknown as Record<string, unknown>;
      told.iteration = 0;
      told.initialMessages = [];
      context.properties.clear();
      return MORE;
    },
  });

  expect(result).toMatchObject({ status: "Completed", iterations: CEILING });
  expect(model.calls).toHaveLength(CEILING);
});

it("asks one criterion more than once in a loop that names it often, and stops at the first that goes on", async () => {
  const asked: number[] = [];
  const stores = await openStores("memory:");
  const model = scriptedModel(drafts);
  const { engine, run } = await startLoopEngine({
    stores,
    model,
    criteria: {
      mine({ iteration }) {
        asked.push(iteration);
        return asked.length % 3 === 0 ? MORE : { decision: "stop" };
      },
    },
    behind: Array(255).fill({ kind: "mine" }),
    loop: { maxIterations: CEILING },
  });
  onTestFinished(async () => {
    await engine.close({ graceMs: 0 });
    await stores.close();
  });

  const { result } = await run("Write.");

  expect(result).toMatchObject({ status: "Completed", iterations: CEILING });
  expect(asked).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
});

type Parts = {
  readonly stores: Stores;
  readonly script: readonly ScriptedStep[];
  readonly decide?: Parameters<typeof startLoopEngine>[0]["criteria"][string];
};

async function looped({ stores, script, decide = () => MORE }: Parts) {
  const model = scriptedModel(script);
  const { engine, run } = await startLoopEngine({
    stores,
    model,
    criteria: { mine: decide },
    loop: { maxIterations: CEILING },
  });
  onTestFinished(async () => {
    await engine.close({ graceMs: 0 });
    await stores.close();
  });
  const { result, frames, runId } = await run("Write.", { isStreaming: true });
  return { result, frames, model, runId };
}
