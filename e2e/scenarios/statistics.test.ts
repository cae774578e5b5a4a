/** Counts, tokens and cost as callers of the HTTP API see them; on every store. */

import { storeMatrix } from "@tracon/testing";
import type { TraconConfig } from "tracon";
import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";

const model = { provider: "test", model: "m" };
const turn = { text: "Hello.", usage: { inputTokens: 1_000, outputTokens: 100 } };
const prices = [{ ...model, inputPerMillion: 1, outputPerMillion: 10 }];
const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix())("on $engine", (store) => {
  it("counts what was run, in every view of it", async () => {
    const { api } = await start([turn, turn, { throws: new Error("no") }], { prices });
    await api.run("writer");
    await api.run("critic");
    const failed = await api.run("writer");

    const { body: stats } = await api.json("GET", "/api/stats");
    const { body: ofWriter } = await api.json("GET", "/api/stats?agentName=writer");
    const { body: series } = await api.json("GET", "/api/stats/timeseries");
    const { body: errors } = await api.json("GET", "/api/stats/errors");

    expect(stats).toMatchObject({
      totalRuns: 3,
      completedRuns: 2,
      failedRuns: 1,
      runningRuns: 0,
      totalTokens: 2_200,
      totalCost: 0.004,
      currency: "USD",
      runsWithUnknownPricing: 0,
      byAgent: [
        { agentName: "writer", totalRuns: 2, failedRuns: 1 },
        { agentName: "critic", totalRuns: 1, failedRuns: 0 },
      ],
      byModel: [{ modelId: "m", totalRuns: 2, totalCost: 0.004 }],
    });
    expect(ofWriter).toMatchObject({ totalRuns: 2, totalTokens: 1_100 });
    expect(series).toHaveLength(24);
    const runs = series.map((point: { readonly runs: number }) => point.runs);
    expect(runs.reduce((sum: number, it: number) => sum + it)).toBe(3);
    expect(errors).toMatchObject([
      { totalRuns: 1, topClusters: [{ count: 1, sampleRunId: failed.runId }] },
    ]);
  });

  it("prices runs later, without touching their journals", async () => {
    const url = await store.newUrl();
    if (store.engine === "memory") return;
    const before = await start([turn], { storage: url });
    const { runId, cost } = await before.api.run("writer");
    const events = await before.api.recorded(runId);
    await before.host.close();
    open.splice(0);
    const { api } = await start([], { storage: url, prices });

    const { body: unknown } = await api.json("GET", "/api/stats");
    const { status, body: recalculated } = await api.json("POST", "/api/stats/recalculate-costs");

    expect(cost).toEqual({ source: "Unknown" });
    expect(unknown).toMatchObject({ runsWithUnknownPricing: 1, costs: [] });
    expect([status, recalculated]).toMatchObject([200, { runsConsidered: 1, runsUpdated: 1 }]);
    const { body: record } = await api.json("GET", `/api/runs/${runId}`);
    expect(record.cost).toMatchObject({ totalCost: 0.002, pricedAt: expect.any(String) });
    expect(await api.recorded(runId)).toEqual(events);
    const { body: stats } = await api.json("GET", "/api/stats");
    expect(stats).toMatchObject({ totalCost: 0.002, runsWithUnknownPricing: 0 });
  });

  it("refuses a prompt that leaves no room, with its size, and records nothing", async () => {
    const { api, calls } = await start([turn], {
      preflight: { enabled: true },
      models: [{ ...model, contextWindowTokens: 100 }],
    });
    const message = "x".repeat(400);

    const { status, body } = await api.json("POST", "/api/agents/writer/run", { message });

    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: "context_window_exceeded",
      promptTokens: 100,
      allowedPromptTokens: 80,
      contextWindowTokens: 100,
    });
    expect(calls).toEqual([]);
    expect((await api.json("GET", "/api/runs")).body).toEqual([]);
  });

  it("reads back what a run was asked, recorded as its first event", async () => {
    const { api } = await start([turn], {});
    const { runId } = await api.run("writer", { message: "Where is it?" });

    const { body: input } = await api.json("GET", `/api/runs/${runId}/input`);

    const { body: record } = await api.json("GET", `/api/runs/${runId}`);
    expect(input).toEqual({
      runId,
      createdAt: record.startedAt,
      messages: [{ role: "user", contents: [{ $type: "text", text: "Where is it?" }] }],
    });
  });

  async function start(
    script: Parameters<typeof startScriptedHost>[0],
    config: TraconConfig,
  ): Promise<ScriptedHost> {
    const host = await startScriptedHost(script, {
      storage: config.storage ?? (await store.newUrl()),
      agents: [
        { name: "writer", model },
        { name: "critic", model },
      ],
      modelRetry: { maxRetries: 0 },
      ...config,
    });
    open.push(host);
    return host;
  }
});
