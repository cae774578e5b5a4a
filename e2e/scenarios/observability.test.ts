/** Runs as OpenTelemetry's own SDK, a trace's reader and an event sink see them; on every store. */

import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { type ScriptedStep, storeMatrix } from "@tracon/testing";
import { tool } from "ai";
import type { RunEvent, TraconConfig } from "tracon";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_ID = "b7ad6b7169203331";

const open: ScriptedHost[] = [];
let spans: () => readonly ReadableSpan[];
let measured: () => Promise<readonly Measured[]>;
beforeEach(() => ({ spans, measured } = registerSdk()));
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
  for (const api of [context, propagation, trace, metrics]) api.disable();
});

describe.each(storeMatrix())("on $engine", (store) => {
  it("goes on with the caller's trace through run, model and tool, and records its id", async () => {
    const { api } = await start([{ toolCalls: [{ name: "look" }] }, "Done."]);

    const response = await fetch(`${api.url}/api/agents/writer/run`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`,
      },
      body: JSON.stringify({ message: "Hi" }),
    });
    const { runId } = (await response.json()) as { runId: string };
    const { body: read } = await api.json("GET", `/api/runs/${runId}/trace`);

    expect(spans().map(({ name }) => name)).toEqual([
      "chat m",
      "query the database",
      "execute_tool look",
      "chat m",
      "tracon.run",
    ]);
    expect(new Set(spans().map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE_ID]));
    expect(spans().at(-1)?.parentSpanContext?.spanId).toBe(SPAN_ID);
    expect(read).toMatchObject({ id: runId, traceId: TRACE_ID });
    expect(read.spans.map(({ name }: { name: string }) => name)).toEqual([
      "tracon.run",
      "chat m",
      "execute_tool look",
      "chat m",
    ]);
  });

  it("measures runs, tokens and tools", async () => {
    const usage = { inputTokens: 30, outputTokens: 4 };
    const { api } = await start([
      { toolCalls: [{ name: "look" }], usage },
      { text: "Done.", usage },
    ]);

    await api.run("writer");

    const names = (await measured()).map(({ name, value }) => [name, value]);
    expect(names).toEqual(
      expect.arrayContaining([
        ["tracon.runs", 1],
        ["tracon.tokens", 60],
        ["tracon.tokens", 8],
        ["tracon.tool.invocations", 1],
      ]),
    );
    expect(names.map(([name]) => name)).toContain("tracon.run.duration");
  });

  it("tells a sink what is in the journal, and goes on without one that throws", async () => {
    const seen: RunEvent[] = [];
    const eventSinks: TraconConfig["eventSinks"] = [
      {
        name: "broken",
        onEvent() {
          throw new Error("no room");
        },
      },
      {
        name: "keeps",
        onEvent(event) {
          seen.push(event);
        },
      },
    ];
    const { api, log } = await start(["Done."], { eventSinks });

    const { runId, status } = await api.run("writer");

    expect(status).toBe("Completed");
    expect(seen).toEqual(await api.recorded(runId));
    expect(log.entries).toMatchObject([{ fields: { sink: "broken", runId } }]);
  });

  async function start(
    script: readonly ScriptedStep[],
    config: TraconConfig = {},
  ): Promise<ScriptedHost> {
    const host = await startScriptedHost(script, {
      storage: await store.newUrl(),
      agents: [{ name: "writer", model: { provider: "test", model: "m" }, toolNames: ["look"] }],
      tools: {
        look: tool({
          inputSchema: z.object({}),
          execute: () =>
            trace.getTracer("app").startActiveSpan("query the database", (span) => {
              span.end();
              return "seen";
            }),
        }),
      },
      ...config,
    });
    open.push(host);
    return host;
  }
});

type Measured = { readonly name: string; readonly value: unknown };

/** The SDK as an application sets it up, but for exporters that keep what they get. */
function registerSdk() {
  const exporter = new InMemorySpanExporter();
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return {
    spans: () => exporter.getFinishedSpans(),
    async measured(): Promise<readonly Measured[]> {
      await reader.forceFlush();
      return metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) =>
          scopeMetrics.flatMap((scope) =>
            scope.metrics.flatMap(({ descriptor, dataPoints }) =>
              dataPoints.map(({ value }) => ({ name: descriptor.name, value })),
            ),
          ),
        );
    },
  };
}
