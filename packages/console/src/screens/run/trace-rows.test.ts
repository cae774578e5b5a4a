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
    "run",
  );

  expect(rows.map(({ key, depth, kind, tone }) => [key, depth, kind, tone])).toEqual([
    ["r", 0, "run", "good"],
    ["a", 1, "model", "good"],
    ["t", 2, "tool", "failed"],
    ["b", 1, "model", "good"],
  ]);
});

it("keeps a span whose parent was left out", () => {
  const rows = traceRows(trace(span("b", "chat m", { parentId: "gone" })), "run");

  expect(rows.map(({ key }) => key)).toEqual(["b"]);
});

it("shows of the trace of a tree what a run below the root did", () => {
  const rows = traceRows(
    trace(
      span("r", "tracon.run", { attributes: { "tracon.run.id": "run" } }),
      span("t", "execute_tool ask", { parentId: "r" }),
      span("c", "tracon.run", { parentId: "t", attributes: { "tracon.run.id": "child" } }),
      span("m", "chat m", { parentId: "c" }),
      span("b", "chat m", { parentId: "r" }),
    ),
    "child",
  );

  expect(rows.map(({ key, depth }) => [key, depth])).toEqual([
    ["c", 0],
    ["m", 1],
  ]);
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
