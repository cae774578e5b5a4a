/** Runs below a run, calls of a judge and warnings, from their events to their rows. */

import type { RunEvent, RunEventDraft, RunRecord } from "@tracon/core";
import { describe, expect, it } from "vitest";
import { EMPTY_TIMELINE, foldEvents } from "./timeline.ts";
import { timelineRows } from "./timeline-rows.ts";
import { treeRuns } from "./tree/run-tree.ts";

const START = Date.parse("2026-12-01T10:00:00.000Z");

const runStarted: RunEventDraft = {
  type: "RunStarted",
  payload: { agentName: "a", isStreaming: true },
};

describe("runs below", () => {
  it("stand where they were called, each below its caller, with their own tokens", () => {
    const events = journal(
      [0, runStarted],
      [10, answered({ toolCallCount: 1 })],
      [11, { type: "ToolInvoking", payload: { ...call, arguments: "{}" } }],
      [12, started("c1")],
      [13, started("c2")],
      [14, started("g1", { parentRunId: "c1", agentName: "deep", agentVersion: 3 })],
      [20, ended("g1", { parentRunId: "c1" })],
      [30, ended("c1")],
      [31, { type: "ToolInvoked", payload: { ...call, result: "r", durationMs: 20 } }],
      [40, answered({ step: 1 })],
    );
    const usage = { inputTokens: 5, outputTokens: 2 };
    const tree = treeRuns([record({ id: "g1", usage })], events);

    const rows = timelineRows(foldEvents(EMPTY_TIMELINE, events), { status: "Running" }, { tree });

    expect(rows.map(({ depth, title }) => `${"  ".repeat(depth)}${title}`)).toEqual([
      "Run",
      "  Model call 1",
      "    ask",
      "    helper",
      "      deep v3",
      "    helper",
      "  Model call 2",
    ]);
    expect(rows[3]).toMatchObject({
      tone: "good",
      endedMs: START + 30,
      child: { runId: "c1", status: "Completed" },
    });
    expect(rows[4]).toMatchObject({ tokens: 7 });
    expect(rows[5]).toMatchObject({ tone: "running", endedMs: undefined });
  });

  it("of a reviewer stand beside the answer, in the iteration they judge", () => {
    const rows = timelineRows(
      foldEvents(
        EMPTY_TIMELINE,
        journal(
          [0, runStarted],
          [10, answered()],
          [11, started("c1", { agentName: "reviewer" })],
          [20, ended("c1")],
          [21, continued(1)],
          [30, answered({ iteration: 2 })],
          [31, started("c2", { agentName: "reviewer" })],
        ),
      ),
      { status: "Running" },
    );

    expect(rows.map(({ depth, title }) => `${"  ".repeat(depth)}${title}`)).toEqual([
      "Run",
      "  Iteration 1",
      "    Model call 1",
      "    reviewer",
      "    Continued by 'agentReview'",
      "  Iteration 2",
      "    Model call 1",
      "    reviewer",
    ]);
  });

  it.each([
    [false, "past its deadline: asked to stop"],
    [true, "past the hard cutoff: its result is discarded"],
  ])("name the layer that ended the wait: hard cutoff %s", (hardCutoff, note) => {
    const [, , row] = timelineRows(
      foldEvents(
        EMPTY_TIMELINE,
        journal(
          [0, runStarted],
          [10, answered({ toolCallCount: 1 })],
          [11, started("c1")],
          [50, { type: "ChildRunTimedOut", payload: { childRunId: "c1", hardCutoff } }],
        ),
      ),
      { status: "Running" },
    );

    expect(row).toMatchObject({ title: "helper", note, tone: "failed", endedMs: START + 50 });
  });

  it("do not hide that the model is asked next while a task goes on in the background", () => {
    const rows = timelineRows(
      foldEvents(
        EMPTY_TIMELINE,
        journal(
          [0, runStarted],
          [10, answered({ toolCallCount: 1 })],
          [11, { type: "ToolInvoking", payload: { ...call, arguments: "{}" } }],
          [12, started("c1")],
          [13, { type: "ToolInvoked", payload: { ...call, result: "1", durationMs: 2 } }],
        ),
      ),
      { status: "Running" },
    );

    expect(rows.at(-1)).toMatchObject({ title: "Waiting for the model", startedMs: START + 13 });
  });
});

describe("a loop", () => {
  it("shows its judge with model, time and tokens, which are the run's", () => {
    const usage = { inputTokens: 40, outputTokens: 2 };
    const data = {
      iteration: 1,
      criterion: 0,
      provider: "openai",
      model: "gpt-5.4-mini",
      usage,
      durationMs: 8,
    };
    const rows = timelineRows(
      foldEvents(
        EMPTY_TIMELINE,
        journal(
          [0, runStarted],
          [10, answered()],
          [20, custom("tracon.loop.judge-called", data)],
          [21, continued(1)],
        ),
      ),
      { status: "Running" },
    );

    expect(rows[3]).toMatchObject({
      title: "Judge",
      note: "openai / gpt-5.4-mini",
      startedMs: START + 12,
      endedMs: START + 20,
      tokens: 42,
    });
    expect(rows[1]).toMatchObject({ title: "Iteration 1", tokens: 57 });
  });

  it("says of the iteration at the ceiling that nobody judged it, and of the others who did", () => {
    const rows = timelineRows(
      foldEvents(
        EMPTY_TIMELINE,
        journal(
          [0, runStarted],
          [10, answered()],
          [11, continued(1, { ceilingReached: true })],
          [20, answered({ iteration: 2 })],
          [21, { type: "RunCompleted", payload: {} }],
        ),
      ),
      { status: "Completed" },
    );

    const iterations = rows.filter(({ kind }) => kind === "iteration");
    expect(iterations.map(({ note }) => note)).toEqual([
      "Continued by 'agentReview'; the ceiling is reached, so the next iteration is the last and is not judged",
      "the last one, not judged: the ceiling is reached",
    ]);
  });

  it("expects no further model call once its ceiling fails the run", () => {
    const rows = timelineRows(
      foldEvents(
        EMPTY_TIMELINE,
        journal(
          [0, runStarted],
          [10, answered()],
          [11, continued(1, { ceilingReached: true, failsRun: true })],
        ),
      ),
      { status: "Running" },
    );

    expect(rows.at(-1)).toMatchObject({ kind: "decision", tone: "failed" });
    expect(rows[1]).toMatchObject({ title: "Iteration 1", tone: "failed" });
  });
});

describe("a run that gets nowhere", () => {
  it("is warned of in the words of the record", () => {
    const data = { kind: "RepeatedCall", repeats: 3, action: "Note", iteration: 1 };
    const text = "'look_up' gave the same result for the same call 3 more times";

    const { chapters } = foldEvents(
      EMPTY_TIMELINE,
      journal([0, runStarted], [5, custom("tracon.progress", data, text)]),
    );
    const [, row] = timelineRows({ ...EMPTY_TIMELINE, startedMs: START, chapters }, RUNNING);

    expect(row).toMatchObject({ kind: "warning", tone: "waiting", title: text });
  });

  it("stays a plain event when what is recorded of it cannot be read", () => {
    const { chapters } = foldEvents(
      EMPTY_TIMELINE,
      journal([0, runStarted], [5, custom("tracon.progress", { kind: 7 })]),
    );

    expect(chapters).toMatchObject([{ kind: "moment", title: "tracon.progress" }]);
  });
});

const RUNNING = { status: "Running" } as const;
const call = { iteration: 1, step: 0, position: 0, callId: "c", toolName: "ask" };

const child = { agentName: "helper", parentRunId: "r" };

const started = (
  childRunId: string,
  over: { parentRunId?: string; agentName?: string; agentVersion?: number } = {},
): RunEventDraft => ({ type: "ChildRunStarted", payload: { ...child, childRunId, ...over } });

const ended = (childRunId: string, over: { parentRunId?: string } = {}): RunEventDraft => ({
  type: "ChildRunCompleted",
  payload: { ...child, childRunId, status: "Completed", ...over },
});

const custom = (customType: string, data: unknown, text?: string): RunEventDraft => ({
  type: "Custom",
  ...(text === undefined ? {} : { text }),
  payload: { customType, data },
});

const continued = (
  iteration: number,
  over: Partial<Extract<RunEventDraft, { type: "LoopIterationCompleted" }>["payload"]> = {},
): RunEventDraft => ({
  type: "LoopIterationCompleted",
  payload: {
    iteration,
    continued: true,
    continuedBy: "agentReview",
    criteria: [{ kind: "agentReview", decision: "continue" }],
    ...over,
  },
});

const answered = (
  over: Partial<Extract<RunEventDraft, { type: "MessageCompleted" }>["payload"]> = {},
): RunEventDraft => ({
  type: "MessageCompleted",
  payload: {
    iteration: 1,
    step: 0,
    modelId: "m",
    finishReason: "stop",
    toolCallCount: 0,
    durationMs: 5,
    usage: { inputTokens: 10, outputTokens: 5 },
    ...over,
  },
});

const record = (over: Partial<RunRecord>): RunRecord => ({
  id: "c",
  agentName: "helper",
  kind: "Agent",
  status: "Running",
  startedAt: new Date(START).toISOString(),
  isStreaming: true,
  eventCount: 0,
  depth: 1,
  childRunCount: 0,
  ...over,
});

function journal(...drafts: (readonly [offsetMs: number, draft: RunEventDraft])[]): RunEvent[] {
  return drafts.map(([offsetMs, draft], sequence) => ({
    runId: "r",
    sequence,
    timestamp: new Date(START + offsetMs).toISOString(),
    ...draft,
  })) as RunEvent[];
}
