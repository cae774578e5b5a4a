/** The judge of loops: what it is asked, who answers, and what the run learns of it. */

import {
  type ChatMessage,
  type JudgeBinding,
  judgeBindingSchema,
  type ModelDescriptor,
  type RunEventDraft,
  TraconError,
} from "@tracon/core";
import {
  manualClock,
  memoryLog,
  type ScriptedModel,
  type ScriptedStep,
  scriptedModel,
} from "@tracon/testing";
import { expect, it } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { aiJudge } from "../loop/criteria/ai-judge.ts";
import type { EvaluatedIteration } from "../loop/criterion.ts";
import type { CriterionHost } from "../loop/criterion-host.ts";
import { createProviderRegistry } from "../model/provider-registry.ts";
import { createRunScope } from "../scope/run-scope.ts";
import { lazyJudge } from "./judge.ts";
import { createRingHosts, type RingOptions } from "./ring-hosts.ts";

const DONE = '{"answered":true,"gapAnalysis":""}';
const MORE = '{"answered":false,"gapAnalysis":"Cite a source."}';
const judge = { provider: "test", model: "judge-1" };
const PNG = { $type: "data", uri: "data:image/png;base64,AA==", mediaType: "image/png" } as const;

it(
  "stops when the judge finds the work finished",
  covers("loop-criterion.judge-stops"),
  async () => {
    const { evaluate } = start([DONE]);

    expect(await evaluate()).toEqual({ decision: "stop", judge });
  },
);

it("goes on with what the judge finds missing", async () => {
  const { evaluate } = start([MORE]);

  expect(await evaluate()).toEqual({
    decision: "continue",
    feedback: "The work is not finished yet. What is missing:\nCite a source.",
    judge,
  });
});

it.each(['{"answered":false,"gapAnalysis":" "}', "VERDICT: MORE", "", "Well."])(
  "goes on with a fixed sentence when the judge says no more than %j",
  async (text) => {
    const { evaluate } = start([text]);

    expect(await evaluate()).toMatchObject({
      decision: "continue",
      feedback: expect.stringContaining("what is missing was not said"),
    });
  },
);

it("cuts what the judge finds missing", async () => {
  const text = JSON.stringify({ answered: false, gapAnalysis: "x".repeat(5_000) });
  const { evaluate } = start([text]);

  const { feedback } = (await evaluate()) as { feedback: string };

  expect(feedback).toMatch(/x{4000} \[…cut at 4,000 characters\]$/);
});

it(
  "shows the judge all parts of all initial messages, the latest answer's text and nothing else",
  covers("loop-criterion.judge-called-when-reached", "loop-criterion.judge-own-binding"),
  async () => {
    const { evaluate, model } = start([DONE]);

    await evaluate({
      initialMessages: [
        user({ $type: "text", text: "First." }),
        user(
          PNG,
          { $type: "document", name: "d.txt", text: "Paris." },
          { $type: "text", text: "Second." },
        ),
      ],
      lastResponse: {
        text: "A plan.\nThe answer.",
        lastMessage: "The answer.",
        messages: [user({ $type: "text", text: "hidden" })],
      },
      feedback: ["hidden"],
    });

    expect(model.calls).toHaveLength(1);
    const [system, asked, ...others] = model.calls[0]?.prompt ?? [];
    expect(others).toEqual([]);
    expect(system?.role).toBe("system");
    expect(asked).toMatchObject({
      role: "user",
      content: [
        { type: "text", text: "What the assistant was asked:" },
        { type: "text", text: "First." },
        { type: "file", mediaType: "image/png" },
        { type: "text", text: expect.stringContaining("Paris.") },
        { type: "text", text: "Second." },
        { type: "text", text: "The latest answer:\n\nA plan.\nThe answer." },
      ],
    });
    expect(JSON.stringify(model.calls)).not.toContain("hidden");
    expect(model.calls[0]).not.toHaveProperty("tools");
  },
);

it(
  "gives the judge the criteria as a list",
  covers("loop-criterion.judge-scores-against-criteria"),
  async () => {
    const { evaluate, model } = start([DONE], {
      judgeCriteria: ["Cites a source", " ", "Costs $1"],
    });

    await evaluate();

    expect(systemOf(model)).toContain("\n- Cites a source\n- Costs $1\n");
  },
);

it.each([
  ["Be strict about {criteria}.", "Be strict about - Cites a source.", true],
  ["{criteria} and again {criteria}", "- Cites a source and again - Cites a source", true],
  ["Be strict.", "Be strict.", false],
])(
  "gives the judge the instructions %j of the definition beside its own",
  covers("loop-criterion.judge-instructions-optional"),
  async (judgeInstructions, shown, hasCriteria) => {
    const { evaluate, model } = start([DONE], { judgeInstructions });

    await evaluate();

    const system = systemOf(model);
    expect(system).toContain(shown);
    expect(system).toContain("You judge whether the work");
    expect(system.includes("Cites a source")).toBe(hasCriteria);
  },
);

it.each<[string, readonly ModelDescriptor[], boolean]>([
  ["nobody listed", [], true],
  ["is listed with it", [{ ...judge, supportsTools: true, supportsStructuredOutput: true }], true],
  [
    "is listed without it",
    [{ ...judge, supportsTools: true, supportsStructuredOutput: false }],
    false,
  ],
])("asks a judge that %s for its shape, or not", async (_, models, isAsked) => {
  const { evaluate, model } = start([DONE], { models });

  await evaluate();

  const format = model.calls[0]?.responseFormat;
  if (isAsked) {
    expect(format).toMatchObject({
      type: "json",
      schema: { required: ["answered", "gapAnalysis"] },
    });
  } else expect(format).toBeUndefined();
});

it("uses the settings of the judge's binding", async () => {
  const { evaluate, model } = start([DONE], { binding: { temperature: 0, maxOutputTokens: 50 } });

  await evaluate();

  expect(model.calls[0]).toMatchObject({ temperature: 0, maxOutputTokens: 50 });
});

it("tells the run what each call took, and nothing of what the judge says", async () => {
  const usage = { inputTokens: 10, outputTokens: 5 };
  const { evaluate, events, deltas } = start([{ text: MORE, usage, reasoning: "secret" }], {
    index: 3,
  });

  await evaluate({ iteration: 2 });

  expect(events).toEqual([
    {
      type: "Custom",
      payload: {
        customType: "tracon.loop.judge-called",
        data: {
          iteration: 2,
          criterion: 3,
          ...judge,
          usage: { ...usage, totalTokens: 15 },
          durationMs: 0,
        },
      },
    },
  ]);
  expect(deltas).toEqual([]);
});

it("asks the fallback when the judge cannot be reached, and names who really answered", async () => {
  const fallback = { provider: "spare", model: "judge-2" };
  const { evaluate, events } = start([unreachable], {
    spare: [DONE],
    binding: { fallbacks: [fallback] },
  });

  expect(await evaluate()).toEqual({ decision: "stop", judge: fallback });
  expect(events).toMatchObject([
    { type: "ModelFallbackUsed", payload: { primary: judge, fallback } },
    { type: "Custom", payload: { data: fallback } },
  ]);
});

it("counts an answer that broke off as a call of which nobody knows what it took", async () => {
  const broken: ScriptedStep = {
    text: ["{", '"ans'],
    ends: { streamError: Object.assign(new Error("gone"), { code: "ECONNRESET" }) },
  };
  const fallback = { provider: "spare", model: "judge-2" };
  const { evaluate, events } = start([broken], {
    spare: [DONE],
    binding: { fallbacks: [fallback] },
  });

  await evaluate();

  expect(events).toMatchObject([
    { type: "Custom", payload: { data: { ...judge, durationMs: 0 } } },
    { type: "ModelFallbackUsed" },
    { type: "Custom", payload: { data: fallback } },
  ]);
  expect(JSON.stringify(events[0])).not.toContain("usage");
});

it.each<[string, ScriptedStep, string]>([
  [
    "cannot be reached",
    { throws: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) },
    "provider_unavailable",
  ],
  ["is too slow", { throws: new DOMException("slow", "TimeoutError") }, "timeout"],
  ["refuses the call", { throws: new Error("no") }, "provider_error"],
  ["is cut off", { text: "{", ends: "cut" }, "provider_error"],
  ["asks for a tool", { toolCalls: [{ name: "rm" }] }, "tool_limit_reached"],
])("fails with the judge's own error when the judge %s", async (_, step, code) => {
  const { evaluate, deltas } = start([step]);

  const outcome = await evaluate();

  expect(outcome).toMatchObject({ decision: "failed", judge, error: { code } });
  expect(deltas).toEqual([]);
});

it("is canceled with the run, which is no failure of the judge", async () => {
  const run = new AbortController();
  const { evaluate } = start([{ text: DONE, ends: "hang" }]);

  const outcome = evaluate({ signal: run.signal });
  run.abort(new Error("canceled by the caller"));

  await expect(outcome).rejects.toThrow("canceled by the caller");
});

it("lets a budget refuse the judge", async () => {
  const refuse = () => Promise.reject(new TraconError("budget_exceeded", "no tokens are left"));
  const budget = { forCalls: { reserve: refuse }, reserveToolCalls: async () => undefined };
  const { evaluate, events } = start([]);

  expect(await evaluate({ budget })).toMatchObject({
    decision: "failed",
    error: { code: "budget_exceeded" },
  });
  expect(events).toEqual([]);
});

it("reads an answer that is no JSON, also where answers of agents are checked", async () => {
  const structuredResponse = { enabled: true, maxRepairAttempts: 1 };
  const { evaluate, model } = start(["VERDICT: DONE"], { rings: { structuredResponse } });

  expect(await evaluate()).toMatchObject({ decision: "stop" });
  model.assertDone();
});

it("lets content guards read the judge's answer, and not again what they have seen", async () => {
  const seen: string[] = [];
  const guard = {
    async inspect({ text, source }: { readonly text: string; readonly source: string }) {
      seen.push(source);
      return text.includes("Cite")
        ? ({ decision: "Block", rule: "no-cites" } as const)
        : ({ decision: "Allow" } as const);
    },
  };
  const { evaluate, events } = start([MORE], { rings: { contentGuards: { house: guard } } });

  expect(await evaluate()).toMatchObject({
    decision: "failed",
    error: { code: "content_blocked" },
  });
  expect(new Set(seen)).toEqual(new Set(["ModelOutput"]));
  expect(events.map(({ type }) => type)).toEqual(["ContentBlocked", "Custom"]);
});

it("builds the judge once, and tries again only while it cannot be built", () => {
  let bound = 0;
  const languageModel = () => {
    if (++bound === 1) throw new Error("not yet");
    return scriptedModel([]);
  };
  const { state } = contextOf({ languageModel });

  const states = [state(), state(), state()];

  expect(states.map(({ kind }) => kind)).toEqual(["unavailable", "ready", "ready"]);
  expect(states[2]).toBe(states[1]);
  expect(bound).toBe(2);
});

it(
  "says why the judge cannot be built, all at once",
  covers("loop-validation.judge-provider-unregistered"),
  () => {
    const binding = {
      provider: "nowhere",
      responseCache: { enabled: true, lifetime: "1m" },
      fallbacks: [{ provider: "gone", model: "m" }],
    };
    const { host } = contextOf({ binding });

    const findings = aiJudge.findings(criterion({}), "c", host);

    expect(findings).toMatchObject([{ code: "loop_judge_unavailable", path: "c.kind" }]);
    expect(findings[0]?.message).toMatch(
      /judge\.provider: .*'nowhere'.*judge\.fallbacks\[0\]\.provider: .*'gone'.*judge\.responseCache: /,
    );
  },
);

it("warns of instructions that leave the criteria out", () => {
  const { host } = contextOf({});
  const findingsOf = (judgeInstructions: string) =>
    aiJudge.findings(criterion({ judgeInstructions }), "c", host);

  expect(findingsOf("Be strict.")).toMatchObject([
    { code: "loop_judge_criteria_unused", path: "c.judgeInstructions", severity: "Warning" },
  ]);
  expect(findingsOf("Be strict: {criteria}")).toEqual([]);
  expect(findingsOf(" ")).toEqual([]);
});

const unreachable: ScriptedStep = {
  throws: Object.assign(new Error("no"), { code: "ECONNREFUSED" }),
};

const user = (...contents: ChatMessage["contents"]): ChatMessage => ({ role: "user", contents });

const systemOf = ({ calls }: ScriptedModel): string => String(calls[0]?.prompt[0]?.content);

type Criterion = Parameters<typeof aiJudge.create>[0];

const criterion = (members: Partial<Criterion>): Criterion => ({
  kind: "aiJudge",
  judgeCriteria: ["Cites a source"],
  modes: [],
  ...members,
});

type ContextOptions = {
  readonly binding?: Partial<JudgeBinding>;
  readonly index?: number;
  readonly models?: readonly ModelDescriptor[];
  readonly rings?: RingOptions;
  readonly languageModel?: () => ScriptedModel;
  /** Script of the provider `spare`. */
  readonly spare?: readonly ScriptedStep[];
};

function contextOf({
  binding,
  index = 0,
  models = [],
  rings,
  spare = [],
  ...given
}: ContextOptions) {
  const { languageModel = () => scriptedModel([]) } = given;
  const spareModel = scriptedModel(spare);
  const providers = createProviderRegistry(
    [
      { name: "test", kind: "custom", optionsKey: "test", languageModel },
      { name: "spare", kind: "custom", optionsKey: "spare", languageModel: () => spareModel },
    ],
    models,
  );
  const system = { clock: manualClock(), random: () => 0, sleep: () => Promise.resolve() };
  const hosts = createRingHosts({ modelRetry: { maxRetries: 0 }, ...rings }, system);
  const state = lazyJudge(judgeBindingSchema.parse({ ...judge, ...binding }), {
    providers,
    ...hosts,
  });
  const host: CriterionHost = {
    index,
    agentName: "agent",
    hasTodoList: true,
    hasModes: true,
    hasBackgroundTasks: true,
    judge: state,
    reviewer: undefined,
  };
  return { state, host };
}

function start(script: readonly ScriptedStep[], given: ContextOptions & Partial<Criterion> = {}) {
  const model = scriptedModel(script);
  const { host } = contextOf({ languageModel: () => model, ...given });
  const { judgeCriteria, judgeInstructions } = given;
  const built = aiJudge.create(
    criterion({
      ...(judgeCriteria === undefined ? {} : { judgeCriteria }),
      ...(judgeInstructions === undefined ? {} : { judgeInstructions }),
    }),
    host,
  );
  const events: RunEventDraft[] = [];
  const deltas: string[] = [];
  const evaluate = (members: Partial<EvaluatedIteration> = {}) =>
    built.evaluate({
      agentName: "agent",
      tenantId: "default",
      runId: "run",
      iteration: 1,
      initialMessages: [user({ $type: "text", text: "Go." })],
      lastResponse: { text: "Gone.", lastMessage: "Gone.", messages: [] },
      feedback: [],
      properties: new Map(),
      signal: new AbortController().signal,
      callAgent: () => Promise.reject(new TraconError("internal", "calls no agent")),
      scope: createRunScope({
        startChild: () => Promise.reject(new Error("starts no child")),
        describeOutcome: () => "",
      }),
      journal: {
        emit: (event) => events.push(event),
        textDelta: (_, delta) => deltas.push(delta),
        reasoningDelta: (_, delta) => deltas.push(delta),
        committed: async () => undefined,
      },
      clock: manualClock(),
      log: memoryLog(),
      ...members,
    });
  return { evaluate, events, deltas, model };
}
