import { APICallError } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
import type { RunEventDraft, RunRecord, RunTrace, TraceSpan } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  memoryMeter,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { eventJson, eventPrefix } from "./event-json.ts";
import { traceOfTree } from "./tree-trace.ts";

const RUN_ID = "01993c1e-7d2b-7a54-9c0e-5d1f0a6b7c8d";
const AT_MS = Date.parse("2026-01-01T00:00:00.000Z");

it("shows the run, its model calls and its tool calls, with their times", async () => {
  const { run, clock } = await start([
    () => {
      clock.advance(100);
      return { toolCalls: [{ name: "look" }], usage: { inputTokens: 7, outputTokens: 3 } };
    },
    () => {
      clock.advance(200);
      return "Done.";
    },
  ]);

  const { runId, trace } = await run();

  expect(trace).toMatchObject({
    id: runId,
    runId,
    traceId: runId.replaceAll("-", ""),
    tenantId: "default",
    startedAt: at(0),
    endedAt: at(350),
  });
  expect(trace.spans.map(inShort)).toEqual([
    ["tracon.run", "Internal", "Ok", at(0), at(350)],
    ["chat test-model", "Client", "Ok", at(0), at(100)],
    ["execute_tool look", "Internal", "Ok", at(100), at(150)],
    ["chat test-model", "Client", "Ok", at(150), at(350)],
  ]);
  expect(trace.spans[0]?.attributes).toMatchObject({
    "tracon.agent.name": "agent",
    "tracon.run.id": runId,
    "tracon.run.status": "Completed",
  });
  expect(trace.spans[1]?.attributes).toMatchObject({
    "gen_ai.request.model": "test-model",
    "gen_ai.usage.input_tokens": "7",
    "gen_ai.response.finish_reasons": "tool-calls",
  });
  expect(trace.spans[2]?.attributes).toMatchObject({ "gen_ai.tool.name": "look" });
});

it("gives spans ids that are theirs with every read, below the root", async () => {
  const { run, engine } = await start([{ toolCalls: [{ name: "look" }] }, "Done."]);

  const { runId, trace } = await run();
  const again = await engine.engine.runs.trace("default", runId);

  const [root, ...others] = trace.spans;
  expect(again).toEqual(trace);
  expect(new Set(trace.spans.map(({ id }) => id)).size).toBe(4);
  expect(trace.spans.every(({ id, spanId }) => /^[0-9a-f]{16}$/.test(id) && id === spanId)).toBe(
    true,
  );
  expect(others.every(({ parentId }) => parentId === root?.id)).toBe(true);
  expect(root).not.toHaveProperty("parentId");
});

it("is there while the run is going on", async () => {
  const { engine, model } = await start([{ text: "Par", ends: "hang" }]);

  const handle = await engine.engine.runs.start("default", "agent", { message: "Go." });
  while (model.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const trace = await engine.engine.runs.trace("default", handle.runId);
  await engine.engine.runs.cancel("default", handle.runId);
  await handle.result;

  expect(trace).not.toHaveProperty("endedAt");
  expect(trace.spans[0]).toMatchObject({ name: "tracon.run", status: "Unset" });
});

it("shows a model call that nobody answered, and the error it ended the run with", async () => {
  const { run } = await start([{ toolCalls: [{ name: "look" }] }, { throws: refused() }]);

  const { trace } = await run();

  expect(trace.spans.map(({ name, status }) => [name, status])).toEqual([
    ["tracon.run", "Error"],
    ["chat test-model", "Ok"],
    ["execute_tool look", "Ok"],
    ["chat test-model", "Error"],
  ]);
  expect(trace.spans[0]?.attributes["error.type"]).toBe("rate_limited");
  expect(trace.spans[3]?.attributes["error.type"]).toBe("rate_limited");
});

it("shows the call of the model that a fallback took over from", async () => {
  const { run } = await start([{ throws: refused() }], {
    providers: { other: scriptedModel(["Done."]) },
    agent: {
      model: {
        provider: "test",
        model: "test-model",
        fallbacks: [{ provider: "other", model: "other-model" }],
      },
    },
  });

  const { trace } = await run();

  expect(trace.spans.slice(1).map(({ name, status }) => [name, status])).toEqual([
    ["chat test-model", "Error"],
    ["chat other-model", "Ok"],
  ]);
});

it("shows a tool that failed by its kind", async () => {
  const { run } = await start([{ toolCalls: [{ name: "nobody has it" }] }, "Done."]);

  const { trace } = await run();

  expect(trace.spans[2]).toMatchObject({
    name: "execute_tool nobody has it",
    status: "Error",
    attributes: { "error.type": "UnknownTool" },
  });
});

it("shows no tool call that an earlier attempt of the turn had answered", async () => {
  const call = { iteration: 1, step: 1, position: 0, callId: "c", toolName: "look" };

  const { spans } = await folded([
    { type: "ToolInvoking", payload: call },
    { type: "ToolInvoking", payload: { ...call, position: 1 } },
    { type: "ToolInvoked", payload: { ...call, durationMs: 0, fromLedger: true } },
    { type: "ToolInvoked", payload: { ...call, position: 1, durationMs: 0 } },
  ]);

  expect(spans.slice(1)).toMatchObject([{ name: "execute_tool look", status: "Ok" }]);
});

it("shows no model call for an answer from the cache", async () => {
  const { spans } = await folded([answer({ fromCache: true })]);

  expect(spans).toHaveLength(1);
});

it("shows child runs", async () => {
  const child = { childRunId: "c-1", agentName: "helper", agentVersion: 2, parentRunId: RUN_ID };

  const { spans } = await folded([
    { type: "ChildRunStarted", payload: child },
    { type: "ChildRunCompleted", payload: { ...child, status: "Failed" } },
  ]);

  expect(spans[1]).toMatchObject({
    name: "tracon.run",
    status: "Error",
    attributes: { "tracon.run.id": "c-1", "tracon.agent.name": "helper" },
  });
});

it("is part of the OpenTelemetry trace that the run was part of", async () => {
  const { traceId } = await folded([
    {
      type: "RunStarted",
      payload: { agentName: "a", isStreaming: false, traceId: "f".repeat(32) },
    },
  ]);

  expect(traceId).toBe("f".repeat(32));
});

it("says how many spans were left out when there are too many", async () => {
  const trace = await folded(Array.from({ length: 2_500 }, (_, step) => answer({ step })));

  expect(trace.spans).toHaveLength(2_000);
  expect(trace.omittedSpans).toBe(501);
});

it("knows no run of another tenant", async () => {
  const { run, engine } = await start(["Done."]);
  const { runId } = await run();

  await expect(engine.engine.runs.trace("other", runId)).rejects.toMatchObject({
    code: "run_not_found",
  });
});

const at = (ms: number): string => new Date(AT_MS + ms).toISOString();

const inShort = ({ name, kind, status, startedAt, endedAt }: TraceSpan) => [
  name,
  kind,
  status,
  startedAt,
  endedAt,
];

const answer = (over: { readonly step?: number; readonly fromCache?: boolean }): RunEventDraft => ({
  type: "MessageCompleted",
  text: "a",
  payload: {
    iteration: 1,
    step: 0,
    finishReason: "stop",
    toolCallCount: 0,
    durationMs: 1,
    ...over,
  },
});

function folded(events: readonly RunEventDraft[]): Promise<RunTrace> {
  const record: RunRecord = {
    id: RUN_ID,
    agentName: "agent",
    kind: "Agent",
    status: "Running",
    startedAt: at(0),
    isStreaming: false,
    eventCount: 0,
    depth: 0,
    childRunCount: 0,
  };
  return traceOfTree("default", [record], async function* () {
    yield events.map((event, sequence) => ({
      sequence,
      json: eventJson(eventPrefix(RUN_ID), sequence, at(sequence), event),
    }));
  });
}

function refused() {
  const fault = { message: "no", url: "https://api.example", requestBodyValues: {} };
  return new APICallError({ ...fault, statusCode: 429 });
}

async function start(script: readonly ScriptedStep[], options: Partial<TestEngineOptions> = {}) {
  const clock = manualClock();
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const engine = await startTestEngine({
    stores,
    model,
    clock,
    meterProvider: memoryMeter(),
    tools: {
      look: tool({
        inputSchema: z.object({}),
        execute() {
          clock.advance(50);
          return "seen";
        },
      }),
    },
    ...options,
  });
  const run = async () => {
    const { runId } = await engine.run();
    return { runId, trace: await engine.engine.runs.trace("default", runId) };
  };
  return { engine, model, clock, run };
}
