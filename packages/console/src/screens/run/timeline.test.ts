import type { PendingApproval, RunEvent, RunEventDraft } from "@tracon/core";
import { describe, expect, it } from "vitest";
import { percentAt, timeAxis } from "./time-axis.ts";
import { EMPTY_TIMELINE, foldEvents } from "./timeline.ts";
import { timelineRows } from "./timeline-rows.ts";

const START = Date.parse("2026-11-30T10:00:00.000Z");

describe("the fold", () => {
  it("is the same whether events come one by one or all at once", () => {
    const events = loopingRun();

    const atOnce = foldEvents(EMPTY_TIMELINE, events);
    const oneByOne = events.reduce((sofar, event) => foldEvents(sofar, [event]), EMPTY_TIMELINE);

    expect(oneByOne).toEqual(atOnce);
  });

  it("leaves the timeline before as it was", () => {
    const before = foldEvents(EMPTY_TIMELINE, loopingRun().slice(0, 3));
    const copy = structuredClone(before);

    foldEvents(before, loopingRun().slice(3));

    expect(before).toEqual(copy);
  });

  it("starts a model call when the run had nothing else to do, and corrects it at its end", () => {
    const [started, delta, completed] = journal(
      [0, runStarted],
      [400, { type: "MessageDelta", text: "Hel", payload: { iteration: 1, step: 0 } }],
      [900, completedCall({ durationMs: 850 })],
    );

    const open = foldEvents(EMPTY_TIMELINE, [started!, delta!]);
    const closed = foldEvents(open, [completed!]);

    expect(open.chapters[0]).toMatchObject({ text: "Hel", startedMs: START, endedMs: undefined });
    expect(closed.chapters[0]).toMatchObject({ startedMs: START + 50, endedMs: START + 900 });
  });

  it("tells calls with the same call id apart by their place", () => {
    const call = { iteration: 1, step: 0, callId: "same", toolName: "t" };

    const timeline = foldEvents(
      EMPTY_TIMELINE,
      journal(
        [0, runStarted],
        [1, { type: "ToolInvoking", payload: { ...call, position: 0 } }],
        [2, { type: "ToolInvoking", payload: { ...call, position: 1 } }],
        [9, { type: "ToolInvoked", payload: { ...call, position: 1, result: "b", durationMs: 7 } }],
      ),
    );

    expect(timeline.chapters).toMatchObject([
      { key: "1.0.0", endedMs: undefined },
      { key: "1.0.1", result: "b", endedMs: START + 9 },
    ]);
  });

  it("ends what was going on with the run", () => {
    const timeline = foldEvents(
      EMPTY_TIMELINE,
      journal(
        [0, runStarted],
        [5, { type: "MessageDelta", text: "x", payload: { iteration: 1, step: 0 } }],
        [50, { type: "RunCanceled", payload: { reason: "asked" } }],
      ),
    );

    expect(timeline.endedMs).toBe(START + 50);
    expect(timeline.chapters[0]).toMatchObject({ endedMs: START + 50 });
  });

  it("keeps what it does not draw as a moment with its words", () => {
    const primary = { provider: "a", model: "large" };
    const fallback = { provider: "b", model: "small" };

    const timeline = foldEvents(
      EMPTY_TIMELINE,
      journal(
        [0, runStarted],
        [3, { type: "ModelFallbackUsed", payload: { primary, fallback } }],
        [4, { type: "SessionWriteConflicted", payload: { sessionId: "s" } }],
      ),
    );

    expect(timeline.chapters).toMatchObject([
      { kind: "moment", title: "Fell back from large to small" },
      { kind: "moment", title: "Session write conflicted" },
    ]);
  });
});

describe("the rows", () => {
  it("nest tools below their model call, and calls below iterations when the run loops", () => {
    const rows = timelineRows(foldEvents(EMPTY_TIMELINE, loopingRun()), { status: "Completed" });

    expect(rows.map(({ depth, title }) => `${"  ".repeat(depth)}${title}`)).toEqual([
      "Run",
      "  Iteration 1",
      "    Model call 1",
      "      look_up",
      "    Model call 2",
      "    Continued by 'aiJudge'",
      "  Iteration 2",
      "    Model call 1",
      "    Finished: every criterion is satisfied",
    ]);
    expect(rows[0]).toMatchObject({ tokens: 45, tone: "good", endedMs: START + 1_000 });
    expect(rows[1]).toMatchObject({ tokens: 30, startedMs: START, endedMs: START + 500 });
  });

  it("have no iterations when the run does not loop", () => {
    const events = journal([0, runStarted], [9, completedCall({ durationMs: 9 })]);

    const rows = timelineRows(foldEvents(EMPTY_TIMELINE, events), { status: "Running" });

    expect(rows.map((row) => row.title)).toEqual(["Run", "Model call 1"]);
  });

  it("say that a running run waits for its model between two recorded things", () => {
    const events = journal(
      [0, runStarted],
      [9, completedCall({ durationMs: 9, toolCallCount: 1 })],
    );

    const titles = [1, 2].map((count) =>
      timelineRows(foldEvents(EMPTY_TIMELINE, events.slice(0, count)), { status: "Running" }).at(
        -1,
      ),
    );

    expect(titles).toMatchObject([
      { title: "Waiting for the model", startedMs: START },
      { title: "Waiting for the model", startedMs: START + 9 },
    ]);
  });

  it("show the model call that was never answered when the run ended meanwhile", () => {
    const error = { type: "timeout", message: "too slow" };
    const events = journal([0, runStarted], [70, { type: "RunFailed", payload: { error } }]);

    const rows = timelineRows(foldEvents(EMPTY_TIMELINE, events), { status: "Failed" });

    expect(rows[1]).toMatchObject({
      title: "Model call without an answer",
      startedMs: START,
      endedMs: START + 70,
    });
  });

  it("show tokens as not known when nothing was reported", () => {
    const events = journal(
      [0, runStarted],
      [9, completedCall({ durationMs: 9, usage: undefined })],
    );

    const [run] = timelineRows(foldEvents(EMPTY_TIMELINE, events), { status: "Running" });

    expect(run?.tokens).toBeUndefined();
  });

  it("are none before the run has started", () => {
    expect(timelineRows(EMPTY_TIMELINE, { status: "Running" })).toEqual([]);
  });
});

describe("the time axis", () => {
  it.each([
    [0, [0, 2, 4, 6, 8]],
    [100, [0, 20, 40, 60, 80]],
    [7_300, [0, 2_000, 4_000, 6_000]],
    [2_550, [0, 500, 1_000, 1_500, 2_000]],
    [61_000, [0, 20_000, 40_000]],
  ])("of %d ms has round ticks with room for their labels", (spanMs, ticks) => {
    expect(timeAxis(START, START + spanMs).tickOffsetsMs).toEqual(ticks);
  });

  it("places moments between its ends and nothing outside", () => {
    const axis = timeAxis(START, START + 200);

    expect([-5, 0, 50, 200, 900].map((ms) => percentAt(axis, START + ms))).toEqual([
      0, 0, 25, 100, 100,
    ]);
  });
});

describe("what a run stopped for", () => {
  const request = { requestId: "a1", callId: "c", toolName: "refund", expiresAt: "" };
  const stopped = () =>
    foldEvents(
      EMPTY_TIMELINE,
      journal(
        [0, runStarted],
        [100, completedCall({ toolCallCount: 1 })],
        [110, { type: "RunAwaitingInput", payload: { approvals: [request] } }],
      ),
    );

  it("waits at its end until somebody has decided", () => {
    const rows = timelineRows(stopped(), { status: "AwaitingApproval" });

    expect(rows.at(-1)).toMatchObject({
      title: "refund: waits for a decision",
      tone: "waiting",
      startedMs: START + 110,
    });
  });

  it("holds the call it stopped for, and not another one of the same id", () => {
    const call = { iteration: 1, step: 0, callId: "c", toolName: "refund" };
    const { chapters } = foldEvents(
      EMPTY_TIMELINE,
      journal(
        [0, runStarted],
        [1, { type: "ToolInvoking", payload: { ...call, position: 0 } }],
        [2, { type: "ToolInvoking", payload: { ...call, position: 1 } }],
        [3, { type: "ToolInvoked", payload: { ...call, position: 0, result: "r", durationMs: 2 } }],
        [4, { type: "RunAwaitingInput", payload: { approvals: [request] } }],
      ),
    );

    expect(chapters).toMatchObject([{ isHeld: false }, { isHeld: true }, { kind: "approval" }]);
  });

  it("is a fact once it is decided, at the moment of the decision", () => {
    const approval = {
      status: "Approved",
      decidedBy: "mira",
      createdAt: new Date(START + 110).toISOString(),
      decidedAt: new Date(START + 120_110).toISOString(),
    } as PendingApproval;

    const rows = timelineRows(
      stopped(),
      { status: "AwaitingApproval" },
      { approvals: new Map([["a1", approval]]) },
    );

    expect(rows.at(-1)).toMatchObject({
      title: "refund: approved by mira after 2 min 00 s",
      tone: "good",
      startedMs: START + 120_110,
    });
  });
});

const runStarted: RunEventDraft = {
  type: "RunStarted",
  payload: { agentName: "a", isStreaming: true },
};

function completedCall(
  over: Partial<Extract<RunEventDraft, { readonly type: "MessageCompleted" }>["payload"]> = {},
): RunEventDraft {
  return {
    type: "MessageCompleted",
    payload: {
      iteration: 1,
      step: 0,
      modelProvider: "p",
      modelId: "m",
      finishReason: "stop",
      toolCallCount: 0,
      durationMs: 100,
      usage: { inputTokens: 10, outputTokens: 5 },
      ...over,
    },
  };
}

function loopingRun(): readonly RunEvent[] {
  const call = { iteration: 1, step: 0, position: 0, callId: "c", toolName: "look_up" };
  return journal(
    [0, runStarted],
    [100, completedCall({ toolCallCount: 1 })],
    [101, { type: "ToolInvoking", payload: { ...call, arguments: "{}" } }],
    [200, { type: "ToolInvoked", payload: { ...call, result: "r", durationMs: 99 } }],
    [300, { type: "MessageDelta", text: "a", payload: { iteration: 1, step: 1 } }],
    [500, completedCall({ step: 1 })],
    [510, decision({ iteration: 1, continued: true, continuedBy: "aiJudge", criteria: [] })],
    [900, completedCall({ iteration: 2 })],
    [910, decision({ iteration: 2, continued: false, criteria: [] })],
    [1_000, { type: "RunCompleted", payload: {} }],
  );
}

const decision = (
  payload: Extract<RunEventDraft, { readonly type: "LoopIterationCompleted" }>["payload"],
): RunEventDraft => ({ type: "LoopIterationCompleted", payload });

function journal(...drafts: (readonly [offsetMs: number, draft: RunEventDraft])[]): RunEvent[] {
  return drafts.map(([offsetMs, draft], sequence) => ({
    runId: "r",
    sequence,
    timestamp: new Date(START + offsetMs).toISOString(),
    ...draft,
  })) as RunEvent[];
}
