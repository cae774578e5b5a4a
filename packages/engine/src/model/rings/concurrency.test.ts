import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";

const LIMIT = { maxConcurrentCallsPerProvider: 2 };

it("calls a provider no more often at a time than allowed, in the order of the runs", async () => {
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<string>());
  const begun: number[] = [];
  const steps = gates.map(
    ({ promise }, index): ScriptedStep =>
      () => {
        begun.push(index);
        return promise;
      },
  );
  const { runs, settled } = await engine(steps, 4);
  await settled();

  const first = [...begun];
  gates[0]?.resolve("one");
  await runs[0]?.result;
  await settled();
  const second = [...begun];
  for (const gate of gates) gate.resolve("rest");
  const results = await Promise.all(runs.map(({ result }) => result));

  expect(first).toEqual([0, 1]);
  expect(second).toEqual([0, 1, 2]);
  expect(results.map(({ output }) => output)).toEqual(["one", "rest", "rest", "rest"]);
});

it.each<[string, ScriptedStep]>([
  ["an answer that broke off", { text: "Par", ends: "cut" }],
  ["a call that was refused", { throws: new Error("no") }],
  ["an answer that ended with an error", { ends: { errorPart: new Error("no") } }],
])("gives a place back after %s", async (_, step) => {
  const { runs } = await engine([step, step, "third"], 3);

  const results = await Promise.all(runs.map(({ result }) => result));

  expect(results.at(-1)?.output).toBe("third");
});

it("lets a run that waits be cancelled, and whoever waits behind it takes its turn", async () => {
  const gate = Promise.withResolvers<string>();
  const {
    runs,
    settled,
    engine: started,
  } = await engine([() => gate.promise, () => gate.promise, "last"], 4);
  await settled();

  await started.runs.cancel("default", runs[2]?.runId ?? "");
  const canceled = await runs[2]?.result;
  gate.resolve("done");
  const last = await runs[3]?.result;

  expect(canceled?.status).toBe("Canceled");
  expect(last?.output).toBe("last");
});

it("does not let a call that ignores its cancelled run keep its place", async () => {
  const never = Promise.withResolvers<string>();
  const {
    runs,
    settled,
    engine: started,
  } = await engine([() => never.promise, () => never.promise, "third"], 3);
  await settled();

  await started.runs.cancel("default", runs[0]?.runId ?? "");

  expect((await runs[2]?.result)?.output).toBe("third");
  await started.runs.cancel("default", runs[1]?.runId ?? "");
});

async function engine(script: readonly ScriptedStep[], count: number) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const { engine } = await startTestEngine({ stores, model, modelConcurrency: LIMIT });
  const runs = [];
  for (let index = 0; index < count; index++) {
    runs.push(await engine.runs.start("default", "agent", { message: "Go." }));
  }
  /** Every run has reached its model call or the wait for it once all starts are on disk. */
  const settled = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { runs, settled, engine };
}
