import { tool } from "@ai-sdk/provider-utils";
import type { AgentDefinitionRequest, LanguageModel, RunEvent } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";

const TENANT = "default";
const usage = (inputTokens: number, outputTokens: number) => ({
  usage: { inputTokens, outputTokens },
});

it(
  "runs the agent that a tool names, and gives its answer to the model that asked",
  covers(
    "callable-agent.child-invokers",
    "callable-agent.children-run-at-depth-plus-one",
    "callable-agent.child-has-own-run",
    "call-mode.one-tool-per-agent",
    "call-mode.tool-named-after-agent",
    "call-mode.one-call-runs-and-answers",
    "call-mode.no-background-tools",
    "call-mode.two-model-calls",
    "call-mode.child-run-linked",
    "call-mode.single-query-argument",
  ),
  async () => {
    const { run, calls, children } = await tree({
      root: [ask("helper", "How much?"), "It is 42."],
      helper: ["42"],
    });

    const { result, runId } = await run();

    expect(result).toMatchObject({ status: "Completed", output: "It is 42." });
    expect(resultsOf(calls("root")[1])).toEqual(["42"]);
    expect(await children(runId)).toMatchObject([
      {
        agentName: "helper",
        agentVersion: 1,
        status: "Completed",
        parentRunId: runId,
        rootRunId: runId,
        depth: 1,
      },
    ]);
  },
);

it("shows the agent nothing but the question, and the caller nothing but the answer", async () => {
  const { run, calls } = await tree({
    root: [ask("helper", "How much?"), "It is 42."],
    helper: [{ toolCalls: [{ name: "work" }] }, "42"],
  });

  await run({ message: "A secret question", sessionId: "s" });

  const asked = calls("helper")[0]?.prompt;
  expect(asked).toMatchObject([{ role: "user", content: [{ type: "text", text: "How much?" }] }]);
  expect(JSON.stringify(calls("root")[1]?.prompt)).not.toContain("work");
});

it(
  "tells of the child in the caller's journal, between the call and its result",
  covers(
    "callable-agent.started-event",
    "callable-agent.completed-event",
    "call-mode.child-events-on-caller",
    "call-mode.recorded-as-tool-call",
  ),
  async () => {
    const { run } = await tree({ root: [ask("helper"), "Done."], helper: ["42"] });

    const { events, runId } = await run();

    const told = events.filter(({ type }) => type.startsWith("Tool") || type.startsWith("Child"));
    expect(told.map(({ type }) => type)).toEqual([
      "ToolInvoking",
      "ChildRunStarted",
      "ChildRunCompleted",
      "ToolInvoked",
    ]);
    expect(told[2]?.payload).toMatchObject({
      agentName: "helper",
      agentVersion: 1,
      parentRunId: runId,
      status: "Completed",
    });
  },
);

it("tells the root of runs below its children, and each run of its own", async () => {
  const { run, children, events } = await tree({
    root: [ask("helper"), "Done."],
    helper: [ask("deep"), "helped"],
    deep: ["deepest"],
  });

  const root = await run();
  const [helper] = await children(root.runId);

  const startedAt = (all: readonly RunEvent[]) =>
    all.flatMap((it) => (it.type === "ChildRunStarted" ? [it.payload] : []));
  expect(startedAt(root.events)).toMatchObject([
    { agentName: "helper", parentRunId: root.runId },
    { agentName: "deep", parentRunId: helper?.id },
  ]);
  expect(startedAt(await events(helper?.id ?? ""))).toMatchObject([{ agentName: "deep" }]);
});

it.each<{ name: string; helper: readonly ScriptedStep[]; answer: string }>([
  { name: "an answer", helper: ["42"], answer: "42" },
  { name: "an answer without text", helper: [""], answer: "" },
  {
    name: "a provider that is down",
    helper: [{ throws: Object.assign(new Error("secret words"), { statusCode: 503 }) }],
    answer:
      "Agent 'helper' could not complete: model provider 'helper' could not be reached (HTTP 503).",
  },
  {
    name: "an answer that was broken off",
    helper: [{ text: "4", ends: "cut" }],
    answer:
      "Agent 'helper' could not complete: model provider 'helper' broke off the answer before it was finished.",
  },
])(
  "gives the caller exactly one result for $name",
  covers(
    "call-mode.failure-text",
    "call-mode.reason-names-provider-and-fault",
    "call-mode.failure-is-no-failed-tool-turn",
    "child-wait.provider-break-off-reported",
  ),
  async ({ helper, answer }) => {
    const { run, calls } = await tree({ root: [ask("helper"), "Done."], helper });

    const { result, events } = await run();

    expect(result.status).toBe("Completed");
    expect(resultsOf(calls("root")[1])).toEqual([answer]);
    expect(events.some(({ type }) => type === "ToolFailed" || type === "ChildRunTimedOut")).toBe(
      false,
    );
  },
);

it(
  "refuses a call that names no question, before there is a run",
  covers("call-mode.empty-query-fails-before-start"),
  async () => {
    const { run, calls, children } = await tree({
      root: [ask("helper", " "), "Done."],
      helper: [],
    });

    const { runId } = await run();

    expect(resultsOf(calls("root")[1])).toEqual(["Error: Function failed."]);
    expect(await children(runId)).toEqual([]);
  },
);

it(
  "refuses a child beyond the depth of the tree, and the caller goes on",
  covers(
    "callable-agent.depth-checked",
    "callable-agent.refused-call-readable",
    "callable-agent.runtime-depth-counter",
    "call-mode.depth-limit-applies",
    "call-mode.refusal-is-tool-result",
  ),
  async () => {
    const { run, calls, children } = await tree(
      {
        root: [ask("helper"), "Done."],
        helper: [ask("deep"), "helped all the same"],
        deep: [],
      },
      { agentGraph: { maxDepth: 1 } },
    );

    const { result, runId } = await run();

    expect(result.output).toBe("Done.");
    const [refusal] = resultsOf(calls("helper")[1]);
    expect(refusal).toMatch(/^Agent 'deep' could not complete: .*maxDepth/);
    expect(await children(runId, { rootRunId: runId })).toHaveLength(1);
  },
);

it(
  "starts as many children as the tree has room for, also when they are asked for at once",
  covers(
    "callable-agent.budget-checked",
    "call-mode.tree-budget-applies",
    "call-mode.two-agents-concurrent-when-on",
  ),
  async () => {
    for (let repetition = 0; repetition < 20; repetition++) {
      const { run, calls, children } = await tree(
        {
          root: [{ toolCalls: [call("helper"), call("helper"), call("deep")] }, "Done."],
          helper: ["one", "two"],
          deep: ["three"],
        },
        {
          agentGraph: { maxTotalRuns: 2 },
          root: { model: { ...modelOf("root"), toolLoop: { allowConcurrentToolCalls: true } } },
        },
        { isLoose: true },
      );

      const { runId } = await run();

      const results = resultsOf(calls("root")[1]);
      expect(results.filter((it) => it.includes("could not complete"))).toHaveLength(1);
      expect(await children(runId)).toHaveLength(2);
    }
  },
);

it.each([
  { tool: "gate", why: "tool 'gate' has to be approved" },
  { tool: "ask_client", why: "tool 'ask_client' is answered by the client" },
])(
  "fails a child whose call nobody can answer, and runs nothing",
  covers(
    "callable-agent.child-cannot-ask-approval",
    "call-mode.child-approval-refused",
    "call-mode.child-tools-keep-chain",
  ),
  async ({ tool: name, why }) => {
    const { run, calls, children, ledger, engine } = await tree({
      root: [ask("helper"), "Sorry."],
      helper: [{ toolCalls: [{ name, input: { x: 1 } }] }],
    });

    const { result, runId } = await run();

    expect(result).toMatchObject({ status: "Completed", output: "Sorry." });
    expect(resultsOf(calls("root")[1])).toEqual([
      `Agent 'helper' could not complete: ${why}, and a run that another agent began cannot wait for that.`,
    ]);
    expect(await children(runId)).toMatchObject([
      { status: "Failed", error: { type: "approval_unavailable" } },
    ]);
    expect(ledger).toEqual([]);
    expect(await engine.approvals.pending(TENANT, { take: 10 })).toEqual([]);
  },
);

it(
  "counts the tokens of the whole tree in one budget",
  covers("callable-agent.shared-budget"),
  async () => {
    const { run, engine } = await tree({
      root: [
        { ...ask("helper"), ...usage(10, 1) },
        { text: "Done.", ...usage(10, 1) },
      ],
      helper: [
        { ...ask("deep"), ...usage(20, 2) },
        { text: "helped", ...usage(20, 2) },
      ],
      deep: [{ text: "deepest", ...usage(40, 4) }],
    });

    const { runId } = await run();

    const record = await engine.runs.get(TENANT, runId);
    expect(record.budget).toMatchObject({
      usedTokens: 22 + 44 + 44,
      reservedTokens: 0,
      childRuns: 2,
    });
    expect(record.usage).toMatchObject({ inputTokens: 20, outputTokens: 2 });
  },
);

it("ends the run whose next call the tree has no tokens for, and the caller reads why", async () => {
  const { run, calls } = await tree(
    {
      root: [
        { ...ask("helper"), ...usage(10, 1) },
        { text: "Done.", ...usage(10, 1) },
      ],
      helper: [
        { toolCalls: [{ name: "work" }], ...usage(30_000, 2) },
        { text: "helped", ...usage(20, 2) },
      ],
    },
    { agentGraph: { maxTotalTokens: 31_000 } },
    { isLoose: true },
  );

  const { result } = await run();

  expect(resultsOf(calls("root")[1])[0] ?? result.error?.message).toMatch(/maxTotalTokens/);
});

it("cancels everything below a run that is canceled", async () => {
  const { start, engine, children } = await tree({
    root: [ask("helper")],
    helper: [ask("deep")],
    deep: [{ text: "deep ", ends: "hang" }],
  });
  const { runId, result } = await start();
  const deep = await until(async () =>
    (await children(runId, { rootRunId: runId })).find(({ agentName }) => agentName === "deep"),
  );

  await engine.runs.cancel(TENANT, runId);

  expect(await result).toMatchObject({ status: "Canceled" });
  expect(await engine.runs.get(TENANT, deep.id)).toMatchObject({ status: "Canceled" });
  expect((await children(runId)).map(({ status }) => status)).toEqual(["Canceled"]);
});

it("goes on above a child that is canceled by itself", async () => {
  const { start, engine, children, calls } = await tree({
    root: [ask("helper"), "Without it, then."],
    helper: [{ text: "slow ", ends: "hang" }],
  });
  const { runId, result } = await start();
  const child = await until(async () => (await children(runId))[0]);

  await engine.runs.cancel(TENANT, child.id);

  expect(await result).toMatchObject({ status: "Completed", output: "Without it, then." });
  expect(resultsOf(calls("root")[1])).toEqual([
    "Agent 'helper' could not complete: its run was canceled.",
  ]);
});

it("says which parameter an agent is missing, and runs nothing of it", async () => {
  const { run, calls, children } = await tree(
    { root: [ask("helper"), "Done."], helper: [] },
    { helper: { instructions: "For {{customer}}.", parameters: [customer] } },
  );

  const { runId } = await run();

  expect(resultsOf(calls("root")[1])).toEqual([
    "Agent 'helper' could not complete: the run was not started (parameters.customer: is required and has no default).",
  ]);
  expect(await children(runId)).toEqual([]);
});

const customer = { name: "customer", kind: "Text" as const, required: true };
const modelOf = (name: string) => ({ provider: name, model: `${name}-model` });
const call = (name: string, query = "How much?") => ({ name, input: { query } });
const ask = (name: string, query?: string) => ({ toolCalls: [call(name, query)] });

type Scripts = Readonly<Record<"root" | "helper", readonly ScriptedStep[]>> & {
  readonly deep?: readonly ScriptedStep[];
};
type Members = Partial<Record<"root" | "helper" | "deep", Partial<AgentDefinitionRequest>>>;

/** An engine whose agents call each other from left to right, each with a script of its own. */
async function tree(
  { root, ...scripts }: Scripts,
  { agentGraph, ...members }: Members & Pick<TestEngineOptions, "agentGraph"> = {},
  { isLoose = false } = {},
) {
  const stores = await openStores("memory:");
  const ledger: unknown[] = [];
  const models = new Map(
    Object.entries({ root, ...scripts }).map(([name, script]) => [name, scriptedModel(script)]),
  );
  const names = Object.keys(scripts) as ("helper" | "deep")[];
  const below = (index: number) => ({
    callableAgents: names.slice(index).map((name) => ({ name })),
    subAgents: { callMode: "Tool" as const },
  });
  const inputSchema = z.object({ x: z.number().optional() });
  const { engine, run, events } = await startTestEngine({
    stores,
    model: models.get("root") as LanguageModel,
    providers: Object.fromEntries(models) as Record<string, LanguageModel>,
    agent: { model: modelOf("root"), toolNames: [], ...below(0), ...members.root },
    agents: names.map((name, index) => ({
      name,
      model: modelOf(name),
      toolNames: ["work", "gate", "ask_client"],
      ...below(index + 1),
      ...members[name],
    })),
    tools: {
      work: tool({ description: "Works.", inputSchema, execute: () => "worked" }),
      gate: {
        requiresApproval: true,
        tool: tool({ description: "Waits.", inputSchema, execute: (it) => void ledger.push(it) }),
      },
      ask_client: tool({ description: "Asks.", inputSchema }),
    },
    ...(agentGraph === undefined ? {} : { agentGraph }),
  });
  onTestFinished(async () => {
    await engine.close({ graceMs: 0 });
    await stores.close();
    if (!isLoose) for (const model of models.values()) model.assertDone();
  });
  return {
    engine,
    run,
    events,
    ledger,
    calls: (name: string) => models.get(name)?.calls ?? [],
    start: () => engine.runs.start(TENANT, "agent", { message: "Go." }),
    children: async (runId: string, filter: object = { parentRunId: runId }) =>
      (await engine.runs.list(TENANT, filter, { skip: 0, take: 50 })).filter(
        ({ id }) => id !== runId,
      ),
  };
}

/** What the tool results of a model call's prompt say. */
function resultsOf(asked: { prompt: unknown } | undefined): readonly string[] {
  type Part = { type: string; output?: { value: unknown } };
  const messages = (asked?.prompt ?? []) as { role: string; content: readonly Part[] }[];
  return messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content.map(({ output }) => String(output?.value)));
}

/** Asks again until there is an answer. */
async function until<Value>(find: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
