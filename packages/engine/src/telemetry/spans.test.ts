/** Spans of runs and tools, with OpenTelemetry's own SDK on the other side. */

import { tool } from "@ai-sdk/provider-utils";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startTestEngine } from "@tracon/testing";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import type { EngineOptions } from "../create-engine.ts";

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
});
afterEach(() => {
  context.disable();
  propagation.disable();
  trace.disable();
});

it("puts model calls and tool calls below the run, and the application's spans below its tool", async () => {
  const { spans, engine } = await start([calling("look"), "Done."]);

  const { result } = await engine.run();

  expect(result.status).toBe("Completed");
  expect(spans.tree()).toEqual({
    name: "tracon.run",
    below: [
      { name: "chat test-model", below: [] },
      { name: "execute_tool look", below: [{ name: "query the database", below: [] }] },
      { name: "chat test-model", below: [] },
    ],
  });
});

it("describes the run with what only spans may hold", async () => {
  const { spans, engine } = await start(["Done."]);

  const { runId } = await engine.run();

  const root = spans.named("tracon.run");
  expect(root).toMatchObject({ kind: SpanKind.INTERNAL, status: { code: SpanStatusCode.UNSET } });
  expect(root.attributes).toEqual({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "agent",
    "gen_ai.provider.name": "test",
    "gen_ai.response.model": "test-model",
    "tracon.agent.name": "agent",
    "tracon.agent.version": 1,
    "tracon.run.id": runId,
    "tracon.run.depth": 0,
    "tracon.run.status": "Completed",
    "tracon.run.streaming": false,
    "tracon.tenant.id": "default",
  });
});

it("describes a tool call, without its arguments and its result", async () => {
  const { spans, engine } = await start([calling("look"), "Done."]);

  const { runId } = await engine.run();

  const { kind, attributes } = spans.named("execute_tool look");
  expect(kind).toBe(SpanKind.INTERNAL);
  expect(attributes).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "look",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.description": "Looks it up.",
    "gen_ai.tool.call.id": "call-1-1",
    "tracon.run.id": runId,
    "tracon.tenant.id": "default",
  });
});

it("holds arguments and result of a tool call when the installation asks for them", async () => {
  const observability = { recordSensitiveData: true };
  const { spans, engine } = await start([calling("look"), "Done."], { observability });

  await engine.run();

  expect(spans.named("execute_tool look").attributes).toMatchObject({
    "gen_ai.tool.call.arguments": '{"id":7}',
    "gen_ai.tool.call.result": "secret 7",
  });
});

it("marks a tool that failed by its kind only, and goes on", async () => {
  const { spans, engine } = await start([calling("fail"), "Done."]);

  const { result } = await engine.run();

  const { status, attributes } = spans.named("execute_tool fail");
  expect(result.status).toBe("Completed");
  expect(status).toEqual({ code: SpanStatusCode.ERROR });
  expect(attributes["error.type"]).toBe("Failed");
  expect(JSON.stringify(attributes)).not.toContain("password");
});

it("marks a run that failed with the type and the words of its record", async () => {
  const { spans, engine } = await start([{ finishReason: "content-filter" }]);

  const { result } = await engine.run();

  const { status, attributes } = spans.named("tracon.run");
  expect(status).toEqual({ code: SpanStatusCode.ERROR, message: result.error?.message });
  expect(attributes).toMatchObject({
    "error.type": "content_filtered",
    "tracon.run.status": "Failed",
  });
});

it("is part of the trace that is active where the run is started, and records its id", async () => {
  const { spans, engine } = await start(["Done."]);
  const caller = trace.getTracer("app").startSpan("handle order");

  const { events } = await context.with(trace.setSpan(context.active(), caller), () =>
    engine.run(),
  );

  const { traceId, spanId } = caller.spanContext();
  expect(spans.named("tracon.run").parentSpanContext).toMatchObject({ traceId, spanId });
  expect(events[0]?.payload).toMatchObject({ traceId });
});

it("is part of the trace that the request's headers name when nothing is active", async () => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const { spans, engine } = await start(["Done."]);
  const headers = new Headers({ traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` });

  const { events } = await engine.run("Go.", {
    readHeader: (name) => headers.get(name) ?? undefined,
  });

  expect(spans.named("tracon.run").parentSpanContext).toMatchObject({ spanId: "b".repeat(16) });
  expect(events[0]?.payload).toMatchObject({ traceId: "a".repeat(32) });
});

it("begins no trace below a run that was not sampled", async () => {
  const { spans, engine } = await start([calling("look"), "Done."], {}, new AlwaysOffSampler());

  const { events } = await engine.run();

  expect(spans.all()).toEqual([]);
  expect(events[0]?.payload).toMatchObject({ traceId: spans.traceIds[0] });
});

it("records no trace id when nobody traces", async () => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const engine = await startTestEngine({ stores, model: scriptedModel(["Done."]) });

  const { events } = await engine.run();

  expect(events[0]?.payload).not.toHaveProperty("traceId");
});

it("commits in no run's context: a commit is of many runs", async () => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const { provider } = recordSpans();
  const inRuns: unknown[] = [];
  const journal = {
    commit(batch: Parameters<typeof stores.journal.commit>[0]) {
      inRuns.push(trace.getSpan(context.active()));
      return stores.journal.commit(batch);
    },
  };
  const engine = await startTestEngine({
    stores: { ...stores, journal },
    model: scriptedModel(["Done."]),
    tracerProvider: provider,
  });

  await engine.run();

  expect(inRuns.length).toBeGreaterThan(0);
  expect(inRuns.every((span) => span === undefined)).toBe(true);
});

const calling = (name: string): ScriptedStep => ({ toolCalls: [{ name, input: { id: 7 } }] });

type Tree = { readonly name: string; readonly below: readonly Tree[] };

function recordSpans(sampler?: Sampler) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(sampler === undefined ? {} : { sampler }),
  });
  trace.setGlobalTracerProvider(provider);
  const all = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
  const named = (name: string): ReadableSpan => {
    const found = all().find((span) => span.name === name);
    if (found === undefined) throw new Error(`there is no span ${name}`);
    return found;
  };
  const below = (parent: ReadableSpan): Tree => ({
    name: parent.name,
    below: all()
      .filter((it) => it.parentSpanContext?.spanId === parent.spanContext().spanId)
      .map(below),
  });
  return { provider, all, named, tree: () => below(named("tracon.run")) };
}

async function start(
  script: readonly ScriptedStep[],
  options: Pick<EngineOptions, "observability"> = {},
  sampler?: Sampler,
) {
  const spans = recordSpans(sampler);
  const traceIds: string[] = [];
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const engine = await startTestEngine({
    stores,
    model,
    ...options,
    tools: {
      look: tool({
        description: "Looks it up.",
        inputSchema: z.object({ id: z.number() }),
        async execute({ id }) {
          await Promise.resolve();
          traceIds.push(trace.getSpan(context.active())?.spanContext().traceId ?? "none");
          trace.getTracer("app").startActiveSpan("query the database", (span) => span.end());
          return `secret ${id}`;
        },
      }),
      fail: tool({
        inputSchema: z.object({ id: z.number() }),
        execute(): string {
          throw new Error("the password is wrong");
        },
      }),
    },
  });
  return { engine, spans: { ...spans, traceIds } };
}
