/** The budget of a run tree as a caller of the HTTP API sees it, on every store. */

import {
  memoryLog,
  type ScriptedModelTurn,
  scriptedModel,
  startTestHost,
  storeMatrix,
} from "@tracon/testing";
import { tool } from "ai";
import { createTracon, type TraconConfig } from "tracon";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { allFrames, dataOf } from "../kit/sse.ts";
import { tracon } from "../kit/tracon-api.ts";

const USAGE = { inputTokens: 3_000, outputTokens: 1_000 };
const asking: ScriptedModelTurn = { toolCalls: [{ name: "look" }], usage: USAGE };
const answer: ScriptedModelTurn = { text: "Done.", usage: USAGE };

describe.each(storeMatrix())("on $engine", ({ newUrl }) => {
  it("shows what a run used, set aside for nothing once it has ended", async () => {
    const { api } = await start([asking, answer], { maxTotalCost: 1 });

    const result = await api.run("agent");
    const { body: run } = await api.json("GET", `/api/runs/${result.runId}`);
    const { body: listed } = await api.json("GET", "/api/runs");

    expect(result.status).toBe("Completed");
    expect(run.budget).toEqual({
      rootRunId: result.runId,
      usedTokens: 8_000,
      estimatedTokens: 0,
      reservedTokens: 0,
      maxTokens: 200_000,
      usedCost: 0.026,
      reservedCost: 0,
      maxCost: 1,
      currency: "USD",
      childRuns: 0,
      maxChildRuns: 25,
      toolCalls: 0,
    });
    expect(listed[0].budget).toBeUndefined();
  });

  it("ends a run that its tree has no room for in both forms of the answer, and asks the model nothing more", async () => {
    const script = [asking, asking, asking, asking];
    const { api, model } = await start(script, { maxTotalTokens: 10_000 });

    const result = await api.run("agent");
    const frames = await allFrames(await api.stream("agent"));

    expect(model.calls).toHaveLength(4);
    expect(result).toMatchObject({
      status: "Failed",
      error: { type: "budget_exceeded", class: "QuotaExceeded" },
      usage: { totalTokens: 8_000 },
    });
    expect(dataOf(frames.at(-1))).toMatchObject({ code: "budget_exceeded", status: 422 });
    expect(dataOf(frames.at(-1)).detail).toContain("agentGraph.maxTotalTokens");
  });

  async function start(
    script: readonly ScriptedModelTurn[],
    agentGraph: NonNullable<TraconConfig["agentGraph"]>,
  ) {
    const model = scriptedModel(script);
    const storage = await newUrl();
    const host = await startTestHost(() =>
      createTracon(
        {
          storage,
          log: memoryLog(),
          agentGraph,
          providers: { demo: { languageModel: () => model } },
          models: [
            { provider: "demo", model: "m", price: { inputPerMillion: 1, outputPerMillion: 10 } },
          ],
          tools: { look: tool({ inputSchema: z.object({}), execute: () => "seen" }) },
          agents: [{ name: "agent", model: { provider: "demo", model: "m" }, toolNames: ["look"] }],
        },
        { env: {} },
      ),
    );
    onTestFinished(() => host.close());
    return { api: tracon(host.url), model };
  }
});
