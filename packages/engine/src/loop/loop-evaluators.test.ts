/** Stop criteria that an application wrote, and the factories they come from. */

import { TraconError } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  memoryLog,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { createRunScope } from "../scope/run-scope.ts";
import type { EvaluatedIteration } from "./criterion.ts";
import type { LoopContext } from "./loop-evaluator.ts";
import { createLoopEvaluators, type LoopEvaluatorRegistrations } from "./loop-evaluators.ts";

const STOP = { decision: "stop" } as const;
const TENANT = "default";
const PATH = "harness.loop.criteria[0].kind";

it.each<[unknown, object]>([
  [STOP, STOP],
  [Promise.resolve(STOP), STOP],
  [{ decision: "continue" }, { decision: "continue" }],
  [
    { decision: "continue", feedback: "Cite." },
    { decision: "continue", feedback: "Cite." },
  ],
  [{ decision: "continue", feedback: " \n" }, { decision: "continue" }],
  [{ decision: "continue", feedback: null }, { decision: "continue" }],
  [
    { decision: "continue", messages: ["a", ""] },
    { decision: "continue", messages: ["a", ""] },
  ],
])(
  "takes %j as a decision",
  covers("code-criterion.decides-stop-or-continue"),
  async (answer, decision) => {
    expect(await evaluate(() => answer as never)).toEqual(decision);
  },
);

it.each<[unknown]>([
  [undefined],
  [null],
  [true],
  ["stop"],
  [{}],
  [{ decision: "Stop" }],
  [{ decision: "fail" }],
  [{ decision: "continue", feedback: 5 }],
  [{ decision: "continue", messages: "go on" }],
  [{ decision: "continue", messages: [1] }],
])("takes %j for no decision", async (answer) => {
  const error = await evaluate(() => answer as never).catch((it: unknown) => it);

  expect(error).toMatchObject({
    code: "criterion_failed",
    message: expect.stringContaining("'mine' answered neither"),
  });
});

it("passes on what a criterion throws, as it is", async () => {
  const fault = new TypeError("mine");

  await expect(evaluate(() => Promise.reject(fault))).rejects.toBe(fault);
  await expect(
    evaluate(() => {
      throw fault;
    }),
  ).rejects.toBe(fault);
});

it("does not wait for a criterion once the run is canceled", async () => {
  const run = new AbortController();

  const evaluation = evaluate(() => new Promise(() => undefined), { signal: run.signal });
  run.abort(new Error("canceled by the caller"));

  await expect(evaluation).rejects.toThrow("canceled by the caller");
});

it(
  "tells a criterion what it may know, and gives it none of the engine's own",
  covers(
    "code-criterion.evaluation-has-no-services",
    "code-criterion.reads-last-response",
    "code-criterion.last-message-and-whole-text",
  ),
  async () => {
    let told: LoopContext | undefined;
    const read = (context: LoopContext) => {
      told = context;
      return STOP;
    };

    await evaluate(read);

    expect(Object.keys(told ?? {}).sort()).toEqual([
      "agentName",
      "callAgent",
      "feedback",
      "initialMessages",
      "iteration",
      "lastResponse",
      "properties",
      "runId",
      "sessionId",
      "signal",
      "tenantId",
    ]);
    expect(told).toMatchObject({
      tenantId: "tenant",
      lastResponse: { text: "A plan.\nThe draft.", lastMessage: "The draft." },
    });
  },
);

it("keeps the object a criterion is, so that it can use its own members", async () => {
  class Counting {
    count = 0;
    evaluate() {
      this.count++;
      return STOP;
    }
  }
  const counting = new Counting();

  await evaluateOf({ mine: counting });

  expect(counting.count).toBe(1);
});

it(
  "runs a factory with the first compilation that names its kind, once, for all agents and tenants",
  covers(
    "code-criterion.factory-not-at-startup",
    "code-criterion.factory-runs-once",
    "code-criterion.factory-result-shared",
    "code-criterion.factory-gets-services",
    "code-criterion.factory-can-use-catalog",
    "code-criterion.tenant-not-in-factory",
    "code-criterion.registered-under-kind",
    "code-criterion.singletons-only",
    "loop-validation.code-kind-known-before-factory",
    "loop-criteria-list.runs-no-factory",
  ),
  async () => {
    const given: unknown[] = [];
    const { engine } = await start(
      {
        mine: {
          description: "Mine.",
          create(services) {
            given.push(services);
            return { evaluate: () => STOP };
          },
        },
      },
      { agents: [looping("in-code", "mine")] },
    );

    engine.loopCriteria();
    await engine.agents.create(TENANT, { name: "plain", model: MODEL });
    const beforeItIsNamed = given.length;
    await engine.agents.create(TENANT, looping("one", "mine"));
    await engine.agents.create("other", looping("two", "mine"));
    await engine.agents.validate("third", looping("three", "mine"));

    expect(beforeItIsNamed).toBe(0);
    expect(given).toEqual([engine]);
  },
);

it(
  "fails the compilation with the type of what a factory threw, and calls it again with the next one",
  covers(
    "code-criterion.throwing-factory-not-cached",
    "code-criterion.throwing-factory-fails-compile",
    "code-criterion.throwing-factory-message-log-only",
    "loop-validation.failing-factory-compilation-error",
  ),
  async () => {
    let calls = 0;
    const { engine, log } = await start({
      mine: {
        create() {
          if (++calls < 3) throw new RangeError("secret of the factory");
          return { evaluate: () => STOP };
        },
      },
    });
    const definition = looping("agent-of-mine", "mine");

    const report = await engine.agents.validate(TENANT, definition);
    const refused = await engine.agents.create(TENANT, definition).catch((it: unknown) => it);
    const saved = await engine.agents.create(TENANT, definition);

    const message = "the factory of loop criterion 'mine' failed with RangeError";
    expect(report.messages).toEqual([
      { code: "compilation_error", path: PATH, message, severity: "Error" },
    ]);
    expect(refused).toMatchObject({ code: "definition_invalid" });
    expect(JSON.stringify([report, refused])).not.toContain("secret");
    expect(JSON.stringify(log.entries)).toContain("secret of the factory");
    expect(saved.warnings).toEqual([]);
    expect(calls).toBe(3);
  },
);

it.each<[() => unknown]>([
  [() => undefined],
  [() => null],
  [() => ({})],
  [() => Promise.resolve({ evaluate: () => STOP })],
  [() => Promise.reject(new Error("late"))],
])("refuses the factory %s, which gives no criterion", async (create) => {
  const { engine } = await start({ mine: { create: create as never } });

  const { messages } = await engine.agents.validate(TENANT, looping("a", "mine"));

  expect(messages).toMatchObject([{ code: "compilation_error", path: PATH }]);
});

it.each([
  ["aiJudge", ["aiJudge"]],
  ["AIJUDGE", ["AIJUDGE"]],
  ["twice", ["twice", "Twice"]],
])(
  "refuses to start with the kind %s, before any factory runs",
  covers("code-criterion.duplicate-kind-refused", "code-criterion.built-in-kind-refused"),
  async (_, kinds) => {
    let calls = 0;
    const create = () => {
      calls++;
      return { evaluate: () => STOP };
    };

    const started = start(Object.fromEntries(kinds.map((kind) => [kind, { create }])));

    await expect(started).rejects.toMatchObject({
      code: "configuration_invalid",
      details: {
        findings: [{ code: "duplicate_name", path: `loopEvaluators.${kinds.at(-1)}` }],
      },
    });
    expect(calls).toBe(0);
  },
);

it(
  "lists the built-in kinds first, then the registered ones, with the members each reads",
  covers(
    "loop-criteria-list.built-in-first",
    "loop-criteria-list.descriptions",
    "loop-criteria-list.judge-model",
    "code-criterion.description-shown-in-console",
  ),
  async () => {
    const evaluator = { evaluate: () => STOP };
    const { engine } = await start(
      { zeta: { ...evaluator, description: "Last, first." }, alpha: evaluator },
      { judge: { provider: "test", model: "judge", temperature: 0 } },
    );

    const { criteria, judge } = engine.loopCriteria();

    expect(criteria.map(({ kind, isBuiltIn, fields }) => [kind, isBuiltIn, fields])).toEqual([
      ["completionMarker", true, ["marker"]],
      ["todoCompletion", true, ["modes"]],
      ["aiJudge", true, ["judgeCriteria", "judgeInstructions"]],
      ["backgroundTaskCompletion", true, []],
      ["agentReview", true, ["reviewerAgent", "reviewerAgentVersion"]],
      ["zeta", false, []],
      ["alpha", false, []],
    ]);
    expect(criteria.slice(0, 5).every(({ description }) => description?.endsWith("."))).toBe(true);
    expect(criteria.slice(5).map(({ description }) => description)).toEqual([
      "Last, first.",
      undefined,
    ]);
    expect(judge).toEqual({ provider: "test", model: "judge" });
  },
);

it("names no judge when there is none", covers("loop-criteria-list.judge-null"), async () => {
  const { engine } = await start({});

  expect(engine.loopCriteria().judge).toBeNull();
});

const MODEL = { provider: "test", model: "m" };

const looping = (name: string, kind: string) => ({
  name,
  model: MODEL,
  harness: {
    disableCompaction: true,
    disableTodoProvider: true,
    disableAgentModeProvider: true,
    loop: { criteria: [{ kind }] },
  },
});

async function start(
  loopEvaluators: NonNullable<TestEngineOptions["loopEvaluators"]>,
  options: Pick<TestEngineOptions, "agents" | "judge"> = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel([]);
  return startTestEngine({ stores, model, loopEvaluators, ...options });
}

type Evaluate = (context: LoopContext) => unknown;

const evaluate = (own: Evaluate, members: Partial<EvaluatedIteration> = {}) =>
  evaluateOf({ mine: { evaluate: own as never } }, members);

function evaluateOf(
  registrations: LoopEvaluatorRegistrations,
  members: Partial<EvaluatedIteration> = {},
) {
  const options = { log: memoryLog(), services: () => undefined };
  const criterion = createLoopEvaluators(registrations, options).criterion("mine");
  if (typeof criterion !== "object") throw new Error("there is no criterion");
  const nothing = () => undefined;
  return criterion.evaluate({
    agentName: "agent",
    tenantId: "tenant",
    runId: "run",
    iteration: 1,
    initialMessages: [],
    lastResponse: { text: "A plan.\nThe draft.", lastMessage: "The draft.", messages: [] },
    feedback: [],
    properties: new Map(),
    signal: new AbortController().signal,
    callAgent: () => Promise.reject(new TraconError("internal", "calls no agent")),
    scope: createRunScope({
      startChild: () => Promise.reject(new Error("starts no child")),
      describeOutcome: () => "",
    }),
    journal: {
      emit: nothing,
      textDelta: nothing,
      reasoningDelta: nothing,
      committed: async () => undefined,
    },
    clock: manualClock(),
    log: memoryLog(),
    ...members,
  });
}
