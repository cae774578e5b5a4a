import type { RunEventDraft, RunRecord, RunTrace, TraceSpan } from "@tracon/core";
import { expect, it } from "vitest";
import { eventJson, eventPrefix } from "./event-json.ts";
import { traceOfTree } from "./tree-trace.ts";

const AT = "2026-01-01T00:00:00.000Z";
const [ROOT, CHILD, GRANDCHILD, REVIEWER] = ["a1", "b2", "c3", "d4"] as const;

it("shows the runs of a tree below what called them", async () => {
  const trace = await traced({
    [ROOT]: [
      tool("invoking", "ask_helper"),
      child("started", CHILD),
      child("completed", CHILD),
      tool("invoked", "ask_helper"),
      // A root is told of everything below it, and only its own children are its spans.
      child("started", GRANDCHILD),
      child("started", REVIEWER),
      child("completed", REVIEWER),
    ],
    [CHILD]: [answer("m-child"), child("started", GRANDCHILD)],
    [GRANDCHILD]: [answer("m-grandchild")],
  });

  expect(outline(trace.spans)).toEqual([
    "tracon.run a1",
    "  execute_tool ask_helper",
    "    tracon.run b2",
    "      chat m-child",
    "      tracon.run c3",
    "        chat m-grandchild",
    "  tracon.run d4",
  ]);
  expect(new Set(trace.spans.map(({ id }) => id)).size).toBe(trace.spans.length);
});

it("has the trace id, the times and the id of the root", async () => {
  const otel = "f".repeat(32);
  const begun = (traceId?: string): RunEventDraft => ({
    type: "RunStarted",
    payload: {
      agentName: "a",
      isStreaming: false,
      ...(traceId === undefined ? {} : { traceId }),
    },
  });

  const trace = await traced({ [ROOT]: [begun(otel)], [CHILD]: [begun("e".repeat(32))] });

  expect(trace).toMatchObject({ id: ROOT, runId: ROOT, traceId: otel, startedAt: AT, endedAt: AT });
  expect((await traced({ [ROOT]: [begun()] })).traceId).toBe(ROOT);
});

it("says of a child what its own record says", async () => {
  const { spans } = await traced({
    [ROOT]: [child("started", CHILD), child("completed", CHILD)],
  });

  expect(runSpan(spans, CHILD)).toMatchObject({
    status: "Ok",
    endedAt: AT,
    attributes: {
      "tracon.run.parent_id": ROOT,
      "tracon.run.depth": "1",
      "tracon.run.status": "Completed",
    },
  });
});

it("keeps the id of a child's span when its record comes after what its caller recorded", async () => {
  const journals = { [ROOT]: [child("started", CHILD)] };

  const before = await traced(journals, [record(ROOT)]);
  const after = await traced(journals);

  expect(runSpan(after.spans, CHILD).id).toBe(runSpan(before.spans, CHILD).id);
  expect(after.spans[0]).toEqual(before.spans[0]);
});

it("puts a child below its caller when several tools were running, or nothing was recorded", async () => {
  const { spans } = await traced({
    [ROOT]: [
      tool("invoking", "one"),
      tool("invoking", "two", 1),
      child("started", REVIEWER),
      tool("invoked", "one"),
      tool("invoked", "two", 1),
    ],
  });

  expect(outline(spans)).toEqual([
    "tracon.run a1",
    "  execute_tool one",
    "  execute_tool two",
    "  tracon.run d4",
    "  tracon.run b2",
    "    tracon.run c3",
  ]);
});

it("leaves out the later spans of a tree that is too large, and says how many", async () => {
  const answers = (count: number) => Array.from({ length: count }, (_, step) => answer("m", step));

  const trace = await traced({
    [ROOT]: [child("started", CHILD), child("started", REVIEWER), ...answers(1_000)],
    [CHILD]: answers(990),
    [REVIEWER]: answers(50),
  });

  expect(trace.spans).toHaveLength(2_000);
  expect(trace.spans.length + (trace.omittedSpans ?? 0)).toBe(4 + 1_000 + 990 + 50);
});

type Journals = Readonly<Record<string, readonly RunEventDraft[]>>;

const traced = (journals: Journals, tree = wholeTree()): Promise<RunTrace> =>
  traceOfTree("default", tree, async function* (runId) {
    yield (journals[runId] ?? []).map((event, sequence) => ({
      sequence,
      json: eventJson(eventPrefix(runId), sequence, AT, event),
    }));
  });

const wholeTree = (): readonly [RunRecord, ...RunRecord[]] => [
  record(ROOT),
  record(CHILD, ROOT),
  record(GRANDCHILD, CHILD),
  record(REVIEWER, ROOT),
];

const record = (id: string, parentRunId?: string): RunRecord => ({
  id,
  agentName: "agent",
  kind: "Agent",
  status: "Completed",
  startedAt: AT,
  completedAt: AT,
  isStreaming: false,
  eventCount: 0,
  depth: parentRunId === undefined ? 0 : 1,
  childRunCount: 0,
  ...(parentRunId === undefined ? {} : { parentRunId, rootRunId: ROOT }),
});

const place = { iteration: 1, step: 0 };

const tool = (what: "invoking" | "invoked", toolName: string, position = 0): RunEventDraft => {
  const call = { ...place, position, callId: "c", toolName };
  return what === "invoking"
    ? { type: "ToolInvoking", payload: call }
    : { type: "ToolInvoked", payload: { ...call, durationMs: 1 } };
};

const child = (what: "started" | "completed", childRunId: string): RunEventDraft => {
  const parentRunId = childRunId === GRANDCHILD ? CHILD : ROOT;
  const payload = { childRunId, agentName: "agent", parentRunId };
  return what === "started"
    ? { type: "ChildRunStarted", payload }
    : { type: "ChildRunCompleted", payload: { ...payload, status: "Completed" } };
};

const answer = (modelId: string, step = 0): RunEventDraft => ({
  type: "MessageCompleted",
  text: "a",
  payload: { ...place, step, modelId, finishReason: "stop", toolCallCount: 0, durationMs: 0 },
});

function runSpan(spans: readonly TraceSpan[], runId: string): TraceSpan {
  const span = spans.find(({ attributes }) => attributes["tracon.run.id"] === runId);
  if (span === undefined) throw new Error(`there is no span of run '${runId}'`);
  return span;
}

/** The spans as lines, each indented below the one that it is part of. */
function outline(spans: readonly TraceSpan[], parentId?: string, indent = ""): readonly string[] {
  return spans
    .filter((span) => span.parentId === parentId)
    .flatMap(({ id, name, attributes }) => {
      const run = attributes["tracon.run.id"];
      const line = `${indent}${name}${run === undefined ? "" : ` ${run}`}`;
      return [line, ...outline(spans, id, `${indent}  `)];
    });
}
