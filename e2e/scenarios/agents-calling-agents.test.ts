/** Agents that call each other over HTTP: what each of them sees, what ends a ring, what a tree may hold. */

import { agentDefinitionRequestSchema, contentHash } from "@tracon/core";
import { openStores } from "@tracon/store";
import { type ScriptedStep, storeMatrix } from "@tracon/testing";
import { tool } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentsHost,
  type AgentsHostOptions,
  ask,
  ofScript,
  resultsIn,
  type Scripted,
  startAgentsHost,
} from "../kit/agents-host.ts";
import { covers } from "../requirements/covers.ts";

const byTool = { callMode: "Tool" } as const;
const ROUNDS = 2;
const LEVELS = 3;
/** Asks as long as it is offered a tool. */
const delegates =
  (name: string): ScriptedStep =>
  ({ tools = [] }) =>
    tools.length > 0 ? ask(name) : "I give up.";
const many = (step: ScriptedStep): readonly ScriptedStep[] => Array(200).fill(step);
const REFUSED = '{"approved":false,"feedback":"More."}';
const BARE = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
  harnessInstructions: "",
} as const;

const open: AgentsHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix())("on $engine", ({ engine, newUrl }) => {
  let storage: string;
  let ledger: unknown[] = [];
  beforeEach(async () => {
    storage = await newUrl();
    ledger = [];
  });

  it.each(["Tool", "BackgroundTasks"] as const)(
    "keeps what a called agent says and does out of its caller's conversation (%s)",
    async (callMode) => {
      const asking =
        callMode === "Tool"
          ? [ask("helper", "Count.")]
          : [
              task("start_task", { agentName: "helper", input: "Count.", description: "the work" }),
              task("wait_for_first_completion", { taskIds: [1] }),
              task("get_task_results", { taskId: 1 }),
            ];
      const { api, models, tree } = await start({
        scripts: {
          root: [...asking, "Two of them.", "As I said."],
          helper: [
            { text: "Let me see.", toolCalls: [count(1)] },
            { text: "One so far.", toolCalls: [count(2)] },
            "There are two.",
          ],
        },
        agents: [
          { name: "root", callableAgents: ["helper"], subAgents: { callMode } },
          { name: "helper", toolNames: ["count"] },
        ],
      });

      const { runId } = await api.run("root", { sessionId: "s" });
      await api.run("root", { sessionId: "s", message: "Sure?" });

      const last = models.root?.calls.at(-1);
      const [, helper] = await tree(runId);
      const types = (events: readonly { readonly type: string }[]) =>
        events.filter(({ type }) => type === "ToolInvoked").length;
      expect(resultsIn(last).at(-1)).toBe("There are two.");
      for (const words of ["Let me see.", "One so far.", "counted"]) {
        expect(JSON.stringify(last?.prompt)).not.toContain(words);
      }
      expect(ledger).toEqual([1, 2]);
      expect(types(await api.recorded(helper?.id ?? ""))).toBe(2);
      expect(types(await api.recorded(runId))).toBe(asking.length);
    },
  );

  it.each([
    { way: "as a tool", agent: { callableAgents: ["helper"], subAgents: byTool } },
    { way: "as a task", agent: { callableAgents: ["helper"] } },
    { way: "as a reviewer", agent: reviewedBy("helper") },
  ])("lets a called agent wait for no approval, and says so ($way)", async ({ way, agent }) => {
    const isReview = way === "as a reviewer";
    const asking =
      way === "as a tool"
        ? [ask("helper")]
        : [
            task("start_task", { agentName: "helper", input: "Do it.", description: "does it" }),
            task("wait_for_first_completion", { taskIds: [1] }),
            task("get_task_results", { taskId: 1 }),
          ];
    const { api, models, tree } = await start({
      scripts: {
        root: isReview ? ["Draft."] : [...asking, "It could not."],
        helper: [{ toolCalls: [{ name: "gate", input: { x: 1 } }] }],
      },
      agents: [
        { name: "root", ...agent },
        { name: "helper", toolNames: ["gate"] },
      ],
    });
    const why = "tool 'gate' has to be approved, and a run that another agent began cannot wait";

    const result = await api.run("root");

    const [, helper] = await tree(result.runId);
    expect(result.status).toBe("Completed");
    expect(helper).toMatchObject({ status: "Failed", error: { type: "approval_unavailable" } });
    expect(ledger).toEqual([]);
    expect((await api.json("GET", "/api/approvals/pending")).body).toEqual([]);
    if (isReview) {
      const events = await api.recorded(result.runId);
      expect(events.find(({ type }) => type === "LoopIterationCompleted")?.payload).toMatchObject({
        failedCriterion: "agentReview",
      });
    } else expect(resultsIn(models.root?.calls.at(-1)).at(-1)).toContain(why);
  });

  it("starts no more children than a tree may hold, however many are asked for at once", async () => {
    const REPETITIONS = 50;
    const three = { toolCalls: ["a", "b", "c"].map((name) => ask(name).toolCalls[0]) };
    const { api, models, tree } = await start({
      agentGraph: { maxTotalRuns: 2 },
      scripts: {
        root: Array.from({ length: 2 * REPETITIONS }, (_, index) =>
          index % 2 === 0 ? (three as ScriptedStep) : "Done.",
        ),
        helper: many("helped"),
      },
      agents: [
        {
          name: "root",
          model: { provider: "root", model: "m", toolLoop: { allowConcurrentToolCalls: true } },
          callableAgents: ["a", "b", "c"],
          subAgents: byTool,
        },
        ...["a", "b", "c"].map((name) => ({ name, model: { provider: "helper", model: "m" } })),
      ],
    });

    for (let repetition = 1; repetition <= REPETITIONS; repetition++) {
      const { runId, status } = await api.run("root");

      const results = resultsIn(models.root?.calls.at(-1));
      expect(status).toBe("Completed");
      expect(results.filter((it) => it === "helped")).toHaveLength(2);
      expect(results.filter((it) => /could not complete: .*maxTotalRuns/.test(it))).toHaveLength(1);
      expect(await tree(runId)).toHaveLength(3);
    }
    expect(models.helper?.calls).toHaveLength(2 * REPETITIONS);
  });

  it("ends a ring of agents that no save could see at the depth of its tree", async () => {
    const other = ofScript(calling("b", ["a"]));
    const started = await start({
      scripts: { a: many(delegates("b")), b: many(delegates("a")) },
      agents: [calling("a", ["b"])],
      agentSources: [
        {
          name: "ring",
          priority: 50,
          list: async () => [other],
          find: async (_, name) => (name === "b" ? other : undefined),
        },
      ],
    });

    await expectRing(started, ["a", "b"]);
  });

  it.runIf(engine !== "memory").each([
    { way: "by name", entry: "b" },
    { way: "through a pinned version", entry: { name: "b", version: 1 } },
  ])(
    "ends a ring that is closed behind the back of every save, $way",
    {
      ...covers("pin.pinned-cycle-stopped-by-depth"),
    },
    async ({ entry }) => {
      const started = await start({
        scripts: { a: many(delegates("b")), b: many(delegates("a")) },
      });
      const { api } = started;
      await api.json("PUT", "/api/agents/a", ofScript(calling("a", [])));
      await api.json("PUT", "/api/agents/b", ofScript(calling("b", ["a"])));
      if (typeof entry !== "string") {
        await api.json("PUT", "/api/agents/b", ofScript(calling("b", [])));
      }

      const refused = await api.json("PUT", "/api/agents/a", ofScript(calling("a", [entry])));
      await writeBehindTheBack(calling("a", [entry]));

      expect(refused).toMatchObject({ status: 400, body: { findings: [{ code: "cycle" }] } });
      // The host that refused it still knows the version before; another one reads what is there.
      await expectRing(
        await start({ scripts: { a: many(delegates("b")), b: many(delegates("a")) } }),
        ["a", "b"],
      );
    },
  );

  it("ends agents that review each other at the depth of their tree", async () => {
    const { api, models, tree } = await start({
      scripts: { writer: many(REFUSED), critic: many(REFUSED) },
    });
    const writer = ofScript({ name: "writer", ...reviewedBy("critic", 2) });
    const critic = ofScript({ name: "critic", ...reviewedBy("writer", 2) });
    await api.json("POST", "/api/agents", ofScript({ name: "critic" }));
    await api.json("POST", "/api/agents", writer);

    const { body: report } = await api.json("POST", "/api/agents/validate", critic);
    const saved = await api.json("PUT", "/api/agents/critic", critic);
    const { runId, status, output } = await api.run("writer");

    const chain = await tree(runId);
    expect(report).toMatchObject({ valid: true });
    expect(codesOf(report.messages)).toContain("loop_reviewer_cycle");
    expect(saved.status).toBe(200);
    expect([status, output]).toEqual(["Completed", REFUSED]);
    expect(chain.map(({ agentName, depth }) => `${depth} ${agentName}`)).toEqual([
      "0 writer",
      "1 critic",
      "2 writer",
      "3 critic",
    ]);
    // Each asks one reviewer and goes on once; the deepest cannot ask and stops with its draft.
    const calls = (models.writer?.calls.length ?? 0) + (models.critic?.calls.length ?? 0);
    expect(calls).toBe(2 * LEVELS + 1);
  });

  async function start(options: Omit<AgentsHostOptions, "storage">): Promise<AgentsHost> {
    const execute = ({ x }: { x: number }) => {
      ledger.push(x);
      return `counted ${x}`;
    };
    const inputSchema = z.object({ x: z.number() });
    const host = await startAgentsHost({
      tools: {
        count: tool({ inputSchema, execute }),
        gate: { requiresApproval: true, tool: tool({ inputSchema, execute }) },
      },
      ...options,
      storage,
    });
    open.push(host);
    return host;
  }

  /** As a program would that shares the database and knows nothing of what a save checks. */
  async function writeBehindTheBack(agent: Scripted): Promise<void> {
    const { definitions, close } = await openStores(storage);
    const content = agentDefinitionRequestSchema.parse(ofScript(agent));
    const { outcome } = await definitions.append({
      tenantId: "default",
      content,
      contentHash: contentHash(content),
      condition: "any",
      savedAt: new Date().toISOString(),
    });
    await close();
    expect(outcome).toBe("saved");
  }
});

const count = (x: number) => ({ name: "count", input: { x } });
const task = (name: string, input: object) => ({
  toolCalls: [{ name: `background_agents_${name}`, input }],
});
const codesOf = (findings: readonly { readonly code: string }[]) =>
  findings.map(({ code }) => code);

const calling = (
  name: string,
  callableAgents: NonNullable<Scripted["callableAgents"]>,
): Scripted => ({
  name,
  callableAgents,
  subAgents: byTool,
  harness: { ...BARE, maximumIterationsPerRequest: ROUNDS },
});

function reviewedBy(reviewerAgent: string, maxIterations = 3) {
  return {
    harness: {
      ...BARE,
      loop: { criteria: [{ kind: "agentReview", reviewerAgent }], maxIterations },
    },
  };
}

/** Every run asks in each of its rounds, so the tree is complete: as many runs and calls as that, no more. */
async function expectRing({ api, models, tree }: AgentsHost, [first = "", second = ""]: string[]) {
  const { runId, status, output } = await api.run(first);

  const runs = await tree(runId);
  const expected = Array.from({ length: LEVELS + 1 }, (_, depth) => ROUNDS ** depth);
  const total = expected.reduce((sum, it) => sum + it, 0);
  expect([status, output]).toEqual(["Completed", "I give up."]);
  expect(expected.map((_, depth) => runs.filter((it) => it.depth === depth).length)).toEqual(
    expected,
  );
  expect(runs.every((it) => it.status === "Completed")).toBe(true);
  const calls = [first, second].flatMap((name) => models[name]?.calls ?? []);
  expect(calls).toHaveLength(total * (ROUNDS + 1));
  const refusals = calls
    .filter(({ tools = [] }) => tools.length === 0)
    .flatMap(resultsIn)
    .filter((it) => it.includes("agentGraph.maxDepth"));
  expect(refusals).toHaveLength(ROUNDS ** LEVELS * ROUNDS);
}
