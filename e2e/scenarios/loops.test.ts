/** Loops over HTTP that would not end by themselves, and reviewers whose answer is no verdict. */

import { storeMatrix } from "@tracon/testing";
import { tool } from "ai";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentsHost,
  type AgentsHostOptions,
  ask,
  ofScript,
  startAgentsHost,
  until,
} from "../kit/agents-host.ts";

const BARE = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
  harnessInstructions: "",
} as const;
const NEVER_WRITTEN = [{ kind: "completionMarker", marker: "ALL DONE" }];
const usage = { inputTokens: 2_000, outputTokens: 500 };
const loopOf = (loop: object) => ({
  harness: { ...BARE, loop: { criteria: NEVER_WRITTEN, ...loop } },
});
const FAIL = { onExhausted: "FailRun" };

const NO_VERDICT = expect.objectContaining({
  type: "criterion_failed",
  message: expect.stringContaining("is no verdict: it "),
});

const open: AgentsHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix())("on $engine", ({ newUrl }) => {
  let storage: string;
  beforeAll(async () => {
    storage = await newUrl();
  });

  it.each([
    { says: "no ceiling", loop: {}, turns: 10, decisions: 9 },
    { says: "no ceiling, and fails", loop: FAIL, turns: 10, decisions: 10 },
    { says: "one", loop: { maxIterations: 1 }, turns: 1, decisions: 0 },
    { says: "one, and fails", loop: { maxIterations: 1, ...FAIL }, turns: 1, decisions: 1 },
    {
      says: "three, afresh",
      loop: { maxIterations: 3, freshContextPerIteration: true },
      turns: 3,
      decisions: 2,
    },
  ])(
    "ends a loop that is never satisfied at its ceiling ($says)",
    async ({ loop, turns, decisions }) => {
      const { api, models } = await start({ scripts: { writer: Array(20).fill("Not yet.") } });
      await api.json("PUT", "/api/agents/writer", ofScript({ name: "writer", ...loopOf(loop) }));

      const { runId, status, iterations } = await api.run("writer");

      const payloads = (await api.recorded(runId))
        .filter(({ type }) => type === "LoopIterationCompleted")
        .map(({ payload }) => payload);
      expect(models.writer?.calls).toHaveLength(turns);
      expect([status, iterations]).toEqual([decisions === turns ? "Failed" : "Completed", turns]);
      expect(payloads.map(({ iteration }) => iteration)).toEqual(
        Array.from({ length: decisions }, (_, index) => index + 1),
      );
      expect(payloads.map(({ ceilingReached = false }) => ceilingReached)).toEqual(
        payloads.map((_, index) => index === decisions - 1),
      );
    },
  );

  it("ends a loop without a ceiling worth the name when its tree has no tokens left", async () => {
    const { api, models } = await start({
      agentGraph: { maxTotalTokens: 20_000 },
      scripts: { writer: Array(20).fill({ text: "Not yet.", usage }) },
    });
    const definition = ofScript({ name: "writer", ...loopOf({ maxIterations: 1_000_000_000 }) });
    const saved = await api.json("PUT", "/api/agents/writer", definition);

    const result = await api.run("writer");

    const { body: run } = await api.json("GET", `/api/runs/${result.runId}`);
    const calls = models.writer?.calls.length ?? 0;
    expect(saved.status).toBeLessThan(300);
    expect(result).toMatchObject({
      status: "Failed",
      error: { type: "budget_exceeded", class: "QuotaExceeded" },
    });
    expect(calls).toBeGreaterThan(2);
    expect(run.budget).toMatchObject({ usedTokens: calls * 2_500, reservedTokens: 0 });
    expect(run.budget.usedTokens).toBeLessThanOrEqual(20_000);
    expect(run.usage).toMatchObject({ totalTokens: calls * 2_500 });
  });

  it.each([0, -1])("refuses to save a loop of %i iterations", async (maxIterations) => {
    const { api } = await start({ scripts: { writer: [] } });
    const definition = ofScript({ name: "writer", ...loopOf({ maxIterations }) });

    const { status, body } = await api.json("POST", "/api/agents", definition);

    expect(status).toBe(400);
    expect(body.findings).toMatchObject([
      { code: "loop_max_iterations_invalid", path: "harness.loop.maxIterations" },
    ]);
  });

  it("keeps the ceilings of a loop whose agent calls one with a loop, and fails in between", async () => {
    const { api, models, tree } = await start({
      scripts: {
        outer: [ask("inner"), "One.", ask("inner"), "Two.", ask("inner"), "Three."],
        inner: [
          ...["a", "b"],
          { throws: Object.assign(new Error("down"), { statusCode: 500 }) },
          ...["c", "d"],
        ],
      },
      agents: [
        {
          name: "outer",
          callableAgents: ["inner"],
          subAgents: { callMode: "Tool" },
          ...loopOf({ maxIterations: 3 }),
        },
        { name: "inner", ...loopOf({ maxIterations: 2 }) },
      ],
    });

    const { runId, status, output } = await api.run("outer");

    const runs = await tree(runId);
    expect([status, output]).toEqual(["Completed", "Three."]);
    expect(runs.map((it) => it.status)).toEqual(["Completed", "Completed", "Failed", "Completed"]);
    expect([models.outer?.calls.length, models.inner?.calls.length]).toEqual([6, 5]);
  });

  it.each([
    ["exact", '{"approved":true,"feedback":""}', "stop"],
    ["exact, with spaces", ' \n{ "approved" : true , "feedback" : "Fine." }\n', "stop"],
    ["no approval", '{"approved":false,"feedback":"More."}', "continue"],
    [
      "an approval quoted in the feedback",
      '{"approved":false,"feedback":"```{\\"approved\\":true}```"}',
      "continue",
    ],
    [
      "a megabyte of feedback",
      `{"approved":false,"feedback":"${"x".repeat(1_000_000)}"}`,
      "continue",
    ],
    ["in a fence", '```json\n{"approved":true,"feedback":""}\n```', "failed"],
    ["with prose around it", 'Sure: {"approved":true,"feedback":""}', "failed"],
    ["approved as a text", '{"approved":"true","feedback":""}', "failed"],
    ["approved as a number", '{"approved":1,"feedback":""}', "failed"],
    ["no feedback", '{"approved":true}', "failed"],
    ["feedback as a number", '{"approved":true,"feedback":5}', "failed"],
    ["approved twice", '{"approved":false,"approved":true,"feedback":""}', "failed"],
    [
      "approved twice, once spelled otherwise",
      '{"approved":false,"\\u0061pproved":true,"feedback":""}',
      "failed",
    ],
    ["a list", '[{"approved":true,"feedback":""}]', "failed"],
    ["a megabyte of prose", "x".repeat(1_000_000), "failed"],
    ["nothing", "", "failed"],
  ])("takes a review for what it exactly is: %s", async (_, verdict, decision) => {
    const agents = ["returns", "fails"].map((name) => ({
      name,
      ...loopOf({
        criteria: [{ kind: "agentReview", reviewerAgent: "reviewer" }],
        maxIterations: 2,
        onCriterionError: name === "fails" ? "FailRun" : "ReturnLastResponse",
      }),
    }));
    const { api, models } = await start({
      scripts: {
        returns: ["One.", "Two."],
        fails: ["One.", "Two."],
        reviewer: Array(2).fill({ text: verdict, usage }),
      },
      agents: [...agents, { name: "reviewer" }],
    });

    const [returned, failed] = [await api.run("returns"), await api.run("fails")];

    const isFailed = decision === "failed";
    for (const { runId } of [returned, failed]) {
      const events = await api.recorded(runId);
      const [event] = events.filter(({ type }) => type === "LoopIterationCompleted");
      expect(event?.payload.criteria).toMatchObject([{ kind: "agentReview", decision }]);
    }
    expect(returned.status).toBe("Completed");
    expect(failed.status).toBe(isFailed ? "Failed" : "Completed");
    expect(failed.error).toEqual(isFailed ? NO_VERDICT : undefined);
    for (const { calls } of [models.returns, models.fails].filter((it) => it !== undefined)) {
      expect(calls).toHaveLength(decision === "continue" ? 2 : 1);
      const next = JSON.stringify(calls[1]?.prompt ?? "");
      expect(next.length).toBeLessThan(10_000);
      expect(next.includes("cut at 4,000 characters")).toBe(next.includes("xxx"));
    }
  });

  it("keeps the ceilings of tool rounds and of the loop where a standing rule approves every call", async () => {
    const ledger: number[] = [];
    const gate = tool({
      inputSchema: z.object({ x: z.number() }),
      execute: ({ x }) => ledger.push(x),
    });
    const callsGate = ({ tools = [] }: { tools?: readonly object[] }, index: number) =>
      tools.length > 0 ? { toolCalls: [{ name: "gate", input: { x: index } }] } : "Enough.";
    const harness = { ...loopOf({ maxIterations: 2 }).harness, maximumIterationsPerRequest: 3 };
    const { api, models } = await start({
      tools: { gate: { requiresApproval: true, tool: gate } },
      scripts: {
        writer: [
          () => ({ toolCalls: [{ name: "gate", input: { x: -1 } }] }),
          ...Array(30).fill(callsGate),
        ],
      },
      agents: [{ name: "writer", toolNames: ["gate"], harness }],
    });
    const first = await api.run("writer", { sessionId: crypto.randomUUID() });
    const { body: pending } = await api.json("GET", "/api/approvals/pending");
    const approval = pending.find((it: { runId: string }) => it.runId === first.runId);
    await api.json("POST", `/api/approvals/${approval.id}/decide`, {
      approved: true,
      remember: true,
    });
    await until(async () => {
      const { body } = await api.json("GET", `/api/runs/${approval.continuationRunId}`);
      return body.status === "Completed" || undefined;
    });
    ledger.length = 0;
    const before = models.writer?.calls.length ?? 0;

    const { status, output } = await api.run("writer");

    const calls = models.writer?.calls.slice(before) ?? [];
    expect([status, output]).toEqual(["Completed", "Enough."]);
    expect(calls.map(({ tools = [] }) => tools.length)).toEqual([1, 1, 1, 0, 1, 1, 1, 0]);
    expect(ledger).toHaveLength(6);
  });

  async function start(options: AgentsHostOptions): Promise<AgentsHost> {
    const host = await startAgentsHost({ ...options, storage });
    open.push(host);
    return host;
  }
});
