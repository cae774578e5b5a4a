import type { RunTrace, TraceSpan } from "@tracon/core";
import { expect, it } from "vitest";
import { traceRows } from "./trace-rows.ts";

it("puts every span below the one it is part of", () => {
  const rows = traceRows(
    trace(
      span("r", "tracon.run"),
      span("a", "chat m", { parentId: "r" }),
      span("b", "chat m", { parentId: "r" }),
      span("t", "execute_tool t", { parentId: "a", status: "Error" }),
    ),
  );

  expect(rows.map(({ key, depth, kind, tone }) => [key, depth, kind, tone])).toEqual([
    ["r", 0, "run", "good"],
    ["a", 1, "model", "good"],
    ["t", 2, "tool", "failed"],
    ["b", 1, "model", "good"],
  ]);
});

it("keeps a span whose parent was left out", () => {
  expect(traceRows(trace(span("b", "chat m", { parentId: "gone" }))).map(({ key }) => key)).toEqual(
    ["b"],
  );
});

const span = (id: string, name: string, over: Partial<TraceSpan> = {}): TraceSpan => ({
  id,
  spanId: id,
  name,
  kind: "Internal",
  startedAt: "2026-12-01T10:00:00.000Z",
  endedAt: "2026-12-01T10:00:01.000Z",
  status: "Ok",
  attributes: {},
  ...over,
});

const trace = (...spans: TraceSpan[]): RunTrace => ({
  id: "run",
  traceId: "t",
  runId: "run",
  tenantId: "default",
  startedAt: "2026-12-01T10:00:00.000Z",
  spans,
});
