/** What every run of a tree used, wherever a provider says it, and what the tree comes to, on every store. */

import { memoryLog, storeMatrix } from "@tracon/testing";
import { createTracon, type Tracon, type TraconConfig } from "tracon";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AgentsHost, ask, startAgentsHost, until } from "../kit/agents-host.ts";
import {
  type ChunkedAnswer,
  type ChunkServer,
  calls,
  startChunkServer,
  stop,
  text,
  usage,
} from "../kit/chunk-server.ts";

const byTool = { callMode: "Tool" } as const;
const BARE = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
  harnessInstructions: "",
} as const;
const VERDICT = '{"approved":true,"feedback":""}';
const JUDGED = '{"answered":true,"gapAnalysis":""}';
const counting = (content: string): ChunkedAnswer =>
  Array.from({ length: 5 }, (_, index) => ({
    ...text(index === 0 ? content : ""),
    ...usage(10, index + 1),
  }));

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

describe.each(storeMatrix())("on $engine", ({ newUrl }) => {
  let storage: string;
  beforeAll(async () => {
    storage = await newUrl();
  });

  it.each([
    { where: "the first chunk", says: (it: string) => [{ ...text(it), ...usage(10, 5) }, stop] },
    {
      where: "a chunk in the middle",
      says: (it: string) => [text(it), { ...text(""), ...usage(10, 5) }, stop],
    },
    {
      where: "a last chunk without choices",
      says: (it: string) => [text(it), stop, { choices: [], ...usage(10, 5) }],
    },
    { where: "running totals of each chunk", says: (it: string) => [...counting(it), stop] },
  ])(
    "keeps what a called agent, a reviewer and a judge used that comes with $where",
    async ({ says }) => {
      const { tracon, server } = await chunked();
      server.queue("root", [
        ...calls("helper", { query: "Go on." }),
        { choices: [], ...usage(1, 1) },
      ]);
      server.queue("root", [text("Done."), stop, { choices: [], ...usage(2, 2) }]);
      server.queue("helper", says("42"));
      server.queue("judge", says(JUDGED));
      server.queue("reviewer", says(VERDICT));

      const { runId, status } = await tracon.run("root", { message: "Go." });

      const used = (await tracon.runs.tree(runId)).map(({ agentName, usage: it }) => [
        agentName,
        it?.inputTokens,
        it?.outputTokens,
      ]);
      const root = await tracon.runs.get(runId);
      expect(status).toBe("Completed");
      // The judge's tokens are those of the run that it judges.
      expect(used).toEqual([
        ["root", 3 + 10, 3 + 5],
        ["helper", 10, 5],
        ["reviewer", 10, 5],
      ]);
      expect(root.treeUsage).toMatchObject({ inputTokens: 33, outputTokens: 18 });
      expect(root.budget).toMatchObject({ usedTokens: 51, estimatedTokens: 0, reservedTokens: 0 });
    },
  );

  it("knows of no usage of a child that says none, and its tree counts an estimate", async () => {
    const { tracon, server } = await chunked();
    server.queue("root", [
      ...calls("helper", { query: "Go on." }),
      { choices: [], ...usage(1, 1) },
    ]);
    server.queue("root", [text("Done."), stop, { choices: [], ...usage(2, 2) }]);
    server.queue("helper", [text("42"), stop]);
    server.queue("judge", [text(JUDGED), stop]);
    server.queue("reviewer", [text(VERDICT), stop]);

    const { runId } = await tracon.run("root", { message: "Go." });

    const [root, helper, reviewer] = await tracon.runs.tree(runId);
    const { budget } = await tracon.runs.get(runId);
    expect([helper?.usage, reviewer?.usage]).toEqual([undefined, undefined]);
    expect(root?.usage).toMatchObject({ inputTokens: 3, outputTokens: 3 });
    expect(budget?.estimatedTokens).toBeGreaterThan(0);
    expect(budget?.usedTokens).toBe((budget?.estimatedTokens ?? 0) + 6);
  });

  it("books what a child had said before its provider broke off, as an estimate", async () => {
    const { tracon, server } = await chunked();
    server.queue("root", [
      ...calls("helper", { query: "Go on." }),
      { choices: [], ...usage(1, 1) },
    ]);
    server.queue("root", [text("Done."), stop, { choices: [], ...usage(2, 2) }]);
    server.queue("helper", [...Array.from({ length: 10 }, () => text("forty-two ")), "cut"]);
    server.queue("judge", [text(JUDGED), stop, { choices: [], ...usage(1, 1) }]);
    server.queue("reviewer", [text(VERDICT), stop, { choices: [], ...usage(1, 1) }]);

    const { runId, status } = await tracon.run("root", { message: "Go." });

    const [, helper] = await tracon.runs.tree(runId);
    const { budget } = await tracon.runs.get(runId);
    expect(status).toBe("Completed");
    expect(helper).toMatchObject({ status: "Failed" });
    expect(helper?.usage).toBeUndefined();
    // A hundred characters of answer, and what was asked.
    expect(budget?.estimatedTokens).toBeGreaterThan(20);
    expect(budget?.usedTokens).toBe((budget?.estimatedTokens ?? 0) + 10);
    expect(budget?.reservedTokens).toBe(0);
  });

  it("keeps what a called agent used whose answer is not the JSON that it has to be", async () => {
    const { tracon, server } = await chunked();
    server.queue("root", [...calls("json", { query: "Go on." }), { choices: [], ...usage(1, 1) }]);
    server.queue("root", [text("Done."), stop, { choices: [], ...usage(2, 2) }]);
    server.queue("json", [text("not json"), stop, { choices: [], ...usage(100, 20) }]);
    server.queue("judge", [text(JUDGED), stop, { choices: [], ...usage(1, 1) }]);
    server.queue("reviewer", [text(VERDICT), stop, { choices: [], ...usage(1, 1) }]);

    const { runId } = await tracon.run("root", { message: "Go." });

    const [, json] = await tracon.runs.tree(runId);
    const root = await tracon.runs.get(runId);
    expect(json).toMatchObject({
      status: "Failed",
      error: { type: "structured_response_invalid" },
      usage: { inputTokens: 100, outputTokens: 20 },
    });
    expect(root.treeUsage).toMatchObject({ totalTokens: 130 });
    expect(root.budget).toMatchObject({ usedTokens: 130 });
  });

  it("adds up every run of a tree once, also of those that failed, ran out of time or were given up", async () => {
    const said = (words: string, inputTokens: number) => ({
      text: words,
      usage: { inputTokens, outputTokens: 1 },
    });
    const asking = (name: string, inputTokens: number) => ({
      ...ask(name),
      usage: { inputTokens, outputTokens: 1 },
    });
    const late = Promise.withResolvers<void>();
    const { api, tree } = await scripted({
      scripts: {
        root: [
          ...[asking("helper", 10), asking("broken", 20), asking("slow", 30), asking("deaf", 40)],
          said("Done.", 50),
        ],
        helper: [asking("deep", 100), said("helped", 200)],
        deep: Array(3).fill(said("deep", 400)),
        broken: [asking("deep", 1_000), { throws: new Error("down") }],
        slow: [asking("deep", 2_000), { text: "w", ends: "hang" }],
        deaf: [
          async () => {
            await late.promise;
            return said("too late", 4_000);
          },
        ],
      },
    });

    const { runId, status } = await api.run("root");
    late.resolve();
    await until(async () => {
      const runs = await tree(runId);
      return runs.every((it) => it.status !== "Running") || undefined;
    });

    const runs = await tree(runId);
    const { body: root } = await api.json("GET", `/api/runs/${runId}`);
    const measured = runs.map(({ usage: it }) => it?.inputTokens ?? 0);
    const sum = measured.reduce((total, it) => total + it, 0);
    expect(status).toBe("Completed");
    // How far the slow one comes within its time is not for a test to say.
    expect(runs.map((it) => it.agentName).filter((it) => it !== "deep")).toEqual([
      ...["root", "helper", "broken", "slow", "deaf"],
    ]);
    expect(measured.slice(0, 5)).toEqual([150, 300, 400, 1_000, 400]);
    expect(root.treeUsage.inputTokens).toBe(sum);
    expect(root.budget.reservedTokens).toBe(0);
    expect(root.budget.usedTokens - root.budget.estimatedTokens).toBeGreaterThanOrEqual(sum);
    for (const { id } of runs) {
      const { body } = await api.json("GET", `/api/runs/${id}`);
      expect(body.treeUsage).toEqual(root.treeUsage);
    }
  });

  it("lets no tree spend more than it may, however many of its runs ask at once", async () => {
    const MAX_TOKENS = 9_000;
    const WORKERS = 12;
    const names = Array.from({ length: WORKERS }, (_, index) => `worker${index}`);
    const took = { inputTokens: 50, outputTokens: 1_450 };
    const { api, tree } = await scripted({
      agentGraph: { maxTotalTokens: MAX_TOKENS },
      scripts: {
        root: [{ toolCalls: names.map((name) => ask(name).toolCalls[0] ?? { name }) }, "Done."],
        workers: Array(WORKERS).fill({ text: "done", usage: took }),
      },
      agents: [
        {
          name: "root",
          model: {
            ...{ provider: "root", model: "m", maxOutputTokens: 100 },
            toolLoop: { allowConcurrentToolCalls: true },
          },
          callableAgents: names,
          subAgents: byTool,
        },
        ...names.map((name) => ({
          name,
          model: { provider: "workers", model: "m", maxOutputTokens: 1_500 },
        })),
      ],
    });

    const { runId } = await api.run("root");

    const workers = (await tree(runId)).slice(1);
    const { body: root } = await api.json("GET", `/api/runs/${runId}`);
    const refused = workers.filter(({ error }) => error?.type === "budget_exceeded");
    expect(workers).toHaveLength(WORKERS);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every((it) => it.usage === undefined)).toBe(true);
    expect(root.budget.usedTokens).toBeLessThanOrEqual(MAX_TOKENS);
    expect(root.budget.reservedTokens).toBe(0);
    expect((WORKERS - refused.length) * 1_500).toBeLessThanOrEqual(MAX_TOKENS);
  });

  async function chunked(): Promise<{ readonly tracon: Tracon; readonly server: ChunkServer }> {
    const server = await startChunkServer();
    const tracon = await createTracon(chunkedConfig(storage, server.baseURL), { env: {} });
    open.push(() => tracon.close({ graceMs: 0 }), server.close);
    return { tracon, server };
  }

  async function scripted(
    options: Omit<Parameters<typeof startAgentsHost>[0], "storage">,
  ): Promise<AgentsHost> {
    const callees = ["helper", "broken", "slow", "deaf"];
    const waits = { childDeadline: "800ms", waitTimeout: "900ms" } as const;
    const host = await startAgentsHost({
      agents: [
        { name: "root", callableAgents: callees, subAgents: { ...byTool, ...waits } },
        ...callees.map((name) => ({ name, callableAgents: ["deep"], subAgents: byTool })),
        { name: "deep" },
      ],
      ...options,
      storage,
    });
    open.push(host.host.close);
    return host;
  }
});

function chunkedConfig(storage: string, baseURL: string): TraconConfig {
  const model = (name: string) => ({ provider: "local", model: name });
  return {
    storage,
    log: memoryLog(),
    modelRetry: { maxRetries: 0 },
    providers: { local: { kind: "openai-compatible", baseURL } },
    judge: model("judge"),
    structuredResponse: { enabled: true },
    agents: [
      {
        name: "root",
        model: model("root"),
        callableAgents: ["helper", "json"],
        subAgents: byTool,
        harness: {
          ...BARE,
          loop: {
            criteria: [
              { kind: "aiJudge", judgeCriteria: ["Good."] },
              { kind: "agentReview", reviewerAgent: "reviewer" },
            ],
          },
        },
      },
      { name: "helper", model: model("helper") },
      { name: "json", model: { ...model("json"), responseFormat: { kind: "Json" } } },
      { name: "reviewer", model: model("reviewer") },
    ],
  };
}
