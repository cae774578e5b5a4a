import { openStores } from "@tracon/store";
import {
  manualClock,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";

const unreachable: ScriptedStep = { throws: Object.assign(new Error("no"), { status: 503 }) };
const times = (count: number, step: ScriptedStep) => Array.from({ length: count }, () => step);

it("spares a provider after five faults in a row and says when to come back", async () => {
  const { statuses, model, run } = await engine(times(5, unreachable));

  await statuses(5);
  const { result } = await run();

  expect(result.error).toMatchObject({
    type: "provider_unavailable",
    class: "ProviderUnavailable",
    message: expect.stringMatching(/circuit of model provider 'test' is open.*retry after 30 s/),
  });
  model.assertDone();
});

it("begins to count anew after an answer", async () => {
  const { statuses, model } = await engine([
    ...times(4, unreachable),
    "fine",
    ...times(4, unreachable),
    "fine",
  ]);

  expect(await statuses(10)).toHaveLength(10);
  model.assertDone();
});

it.each<[string, ScriptedStep]>([
  ["a refused request", { throws: Object.assign(new Error("no"), { status: 400 }) }],
  ["a refused key", { throws: Object.assign(new Error("no"), { status: 401 }) }],
  ["a withheld answer", { finishReason: "content-filter" }],
])("does not count %s", async (_, step) => {
  const { statuses, model, run } = await engine([...times(6, step), "fine"]);

  await statuses(6);

  expect((await run()).result.output).toBe("fine");
  model.assertDone();
});

it("does not count content that a guard blocked", async () => {
  const guard = {
    inspect: ({ source }: { source: string }) =>
      source === "ModelOutput"
        ? ({ decision: "Block", rule: "r" } as const)
        : ({ decision: "Allow" } as const),
  };
  const { statuses, model } = await engine(times(6, "bad"), { contentGuards: { guard } });

  await statuses(6);

  model.assertDone();
});

it("does not count runs that were cancelled", async () => {
  const hanging: ScriptedStep = { text: "Par", ends: "hang" };
  const options = { circuitBreaker: { failureThreshold: 1 } };
  const { engine: started, run, model } = await engine([hanging, "fine"], options);
  const streaming = { isStreaming: true };
  const handle = await started.runs.start("default", "agent", { message: "Go." }, streaming);
  for await (const batch of handle.frames()) {
    const isAnswering = batch.some(({ event }) => event === "update");
    if (isAnswering) await started.runs.cancel("default", handle.runId);
  }

  const { result } = await run();

  expect(result.output).toBe("fine");
  model.assertDone();
});

it("lets one run probe the provider when the break is over, and closes when it succeeds", async () => {
  const gate = Promise.withResolvers<string>();
  const script = [...times(5, unreachable), () => gate.promise, "fine"];
  const { statuses, engine: started, run, clock } = await engine(script);
  await statuses(5);
  clock.advance(30_000);

  const probe = await started.runs.start("default", "agent", { message: "Go." });
  const meanwhile = await run();
  gate.resolve("back");
  const probed = await probe.result;
  const after = await run();

  expect(meanwhile.result.error?.message).toContain("retry after 1 s");
  expect(probed.output).toBe("back");
  expect(after.result.output).toBe("fine");
});

it("opens again for the whole break when the probe fails", async () => {
  const { statuses, run, clock, model } = await engine(times(6, unreachable));
  await statuses(5);
  clock.advance(30_000);
  await run();
  clock.advance(29_999);

  const { result } = await run();

  expect(result.error?.message).toContain("retry after 1 s");
  model.assertDone();
});

it("lets the next run probe when the probe was neither fault nor success", async () => {
  const refused: ScriptedStep = { throws: Object.assign(new Error("no"), { status: 400 }) };
  const { statuses, run, clock } = await engine([...times(5, unreachable), refused, "fine"]);
  await statuses(5);
  clock.advance(30_000);
  await run();

  expect((await run()).result.output).toBe("fine");
});

it("ignores the outcome of a turn that began before the circuit opened", async () => {
  const gate = Promise.withResolvers<string>();
  const script = [() => gate.promise, ...times(5, unreachable)];
  const { engine: started, statuses, run } = await engine(script);
  const slow = await started.runs.start("default", "agent", { message: "Go." });
  await statuses(5);
  gate.resolve("late");
  await slow.result;

  const { result } = await run();

  expect(result.error?.message).toContain("circuit");
});

it("keeps providers apart, and goes on with a fallback while a circuit is open", async () => {
  const spare = scriptedModel(times(6, "Spared."));
  const { statuses, run, model } = await engine(times(5, unreachable), {
    providers: { spare },
    agent: {
      model: {
        provider: "test",
        model: "test-model",
        fallbacks: [{ provider: "spare", model: "spare-model" }],
      },
    },
  });

  await statuses(5);
  const { result } = await run();

  expect(result.output).toBe("Spared.");
  model.assertDone();
  spare.assertDone();
});

it("asks every time when it is off", async () => {
  const { statuses, model } = await engine(times(7, unreachable), {
    circuitBreaker: { enabled: false },
  });

  await statuses(7);

  model.assertDone();
});

async function engine(script: readonly ScriptedStep[], options: Partial<TestEngineOptions> = {}) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const clock = manualClock();
  const model = scriptedModel(script);
  const started = await startTestEngine({ stores, model, clock, ...options });
  const statuses = async (count: number) => {
    const seen: string[] = [];
    for (let index = 0; index < count; index++) seen.push((await started.run()).result.status);
    return seen;
  };
  return { ...started, model, clock, statuses };
}
