import {
  isFinalStatus,
  type RunEvent,
  type RunEventDraft,
  type RunEventType,
  type RunFrame,
  type RunRecord,
  runEventFrames,
  runStatuses,
  terminalEventTypes,
} from "@tracon/core";
import { describe, expect, it } from "vitest";
import { createTraconClient } from "./client.ts";
import { isFinished, isTerminalEvent } from "./follow-events.ts";
import { framesOfEvent } from "./frames-of-event.ts";

const RUN_ID = "0198d3a0-0000-7000-8000-000000000001";

it("agrees with core on which events and statuses are final", () => {
  const types = Object.keys(runEventFrames) as RunEventType[];

  expect(types.filter(isTerminalEvent)).toEqual(types.filter((it) => terminalEventTypes.has(it)));
  expect(runStatuses.filter(isFinished)).toEqual(runStatuses.filter(isFinalStatus));
});

/** What the run waits for. */
const APPROVAL = {
  requestId: "r1",
  callId: "call-1",
  toolName: "refund",
  expiresAt: "2026-01-02T00:00:00.000Z",
};

describe("following a run's events", () => {
  it("yields each event once wherever the connection is cut, and continues behind the last", async () => {
    const journal = journalOf(completedRun());
    const whole = sse(journal).length;

    for (let cut = 0; cut < whole; cut += 1) {
      const server = fakeServer({ journal, cuts: [cut] });

      const events = await collect(server.client.runs.events(RUN_ID));

      expect(events, `cut after byte ${cut}`).toEqual(journal);
    }
  });

  it("resumes with the id of the last event it has seen", async () => {
    const journal = journalOf(completedRun());
    const server = fakeServer({ journal, cuts: [sse(journal.slice(0, 3)).length] });

    await collect(server.client.runs.events(RUN_ID));

    expect(server.resumedFrom).toEqual([null, "2"]);
  });

  it("starts behind the event it is told to", async () => {
    const server = fakeServer({ journal: journalOf(completedRun()) });

    const events = await collect(server.client.runs.events(RUN_ID, { after: 3 }));

    expect(events.map((event) => event.sequence)).toEqual([4, 5, 6, 7]);
  });

  it("ends without an event when it starts behind the last one", async () => {
    const server = fakeServer({ journal: journalOf(completedRun()) });

    const events = await collect(server.client.runs.events(RUN_ID, { after: 7 }));

    expect(events).toEqual([]);
    expect(server.waits).toEqual([]);
  });

  it("drops repeated events and asks again for missing ones", async () => {
    const journal = journalOf(completedRun());
    const at = (...sequences: number[]) => sequences.map((it) => journal[it]!);
    const server = fakeServer({
      journal,
      bodies: [at(0, 0, 1, 1, 3), at(1, 2, 3, 4), at(4, 5, 6, 7)],
    });

    const events = await collect(server.client.runs.events(RUN_ID));

    expect(events).toEqual(journal);
    expect(server.resumedFrom).toEqual([null, "1", "4"]);
  });

  it("gives up after its attempts without progress, each after a longer wait", async () => {
    const server = fakeServer({ journal: journalOf(completedRun()), failFirst: 100 });

    const following = collect(server.client.runs.events(RUN_ID));

    await expect(following).rejects.toMatchObject({ code: "connection_lost", status: 0 });
    expect(server.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it("counts its attempts anew after every event that arrives", async () => {
    const journal = journalOf(completedRun());
    const single = journal.map((event) => [event]);
    const server = fakeServer({ journal, bodies: single.slice(0, -1), reconnectAttempts: 1 });

    const events = await collect(server.client.runs.events(RUN_ID));

    expect(events).toEqual(journal);
    expect(new Set(server.waits)).toEqual(new Set([250]));
  });

  it("does not ask again when the server refuses", async () => {
    const server = fakeServer({ journal: [], refuse: { status: 404, code: "run_not_found" } });

    const following = collect(server.client.runs.events(RUN_ID));

    await expect(following).rejects.toMatchObject({ status: 404, code: "run_not_found" });
    expect(server.waits).toEqual([]);
  });

  it("rejects with the reason of its signal and waits no longer", async () => {
    const leave = new AbortController();
    const server = fakeServer({
      journal: journalOf(completedRun()),
      failFirst: 100,
      onWait: () => leave.abort(new Error("the page is gone")),
    });

    const following = collect(server.client.runs.events(RUN_ID, { signal: leave.signal }));

    await expect(following).rejects.toThrow("the page is gone");
    expect(server.waits).toEqual([250]);
  });
});

describe("streaming a run", () => {
  it("yields the same frames wherever the connection is cut behind the run frame", async () => {
    const journal = journalOf(completedRun());
    const direct = await collect(
      fakeServer({ journal }).client.stream("support", { message: "?" }),
    );
    const firstFrame = frameBytes(direct.slice(0, 1)).length;

    for (let cut = firstFrame; cut < frameBytes(direct).length; cut += 1) {
      const server = fakeServer({ journal, cuts: [cut] });

      const frames = await collect(server.client.stream("support", { message: "?" }));

      expect(frames, `cut after byte ${cut}`).toEqual(direct);
      expect(server.starts).toHaveLength(1);
    }
  });

  it("takes the output of a run whose end was lost from its journal", async () => {
    const journal = journalOf(completedRun());
    const server = fakeServer({ journal, frameCount: 3 });

    const frames = await collect(server.client.stream("support", { message: "?" }));

    expect(frames.at(-1)).toMatchObject({
      event: "done",
      id: 7,
      data: { runId: RUN_ID, status: "Completed", output: "Grüße, done.", iterations: 2 },
    });
  });

  it.each<[string, readonly RunEventDraft[], number | undefined]>([
    [
      "with a loop",
      [
        {
          type: "LoopIterationCompleted",
          payload: { iteration: 1, continued: false, criteria: [] },
        },
      ],
      1,
    ],
    ["without one", [], undefined],
  ])("counts the only iteration of a lost end of a run %s", async (_, decided, iterations) => {
    const answer: RunEventDraft = {
      type: "MessageCompleted",
      text: "Done.",
      payload: { iteration: 1, step: 0, finishReason: "stop", toolCallCount: 0, durationMs: 9 },
    };
    const ended: RunEventDraft = { type: "RunCompleted", payload: {} };
    const journal = journalOf([started(), answer, ...decided, ended]);
    const server = fakeServer({ journal, frameCount: 1 });

    const frames = await collect(server.client.stream("support", { message: "?" }));

    const last = frames.at(-1);
    expect(last?.event === "done" && last.data.iterations).toBe(iterations);
  });

  it("never starts a run twice when the connection is lost before the run frame", async () => {
    const server = fakeServer({ journal: journalOf(completedRun()), cuts: [4] });

    const streaming = collect(server.client.stream("support", { message: "?" }));

    await expect(streaming).rejects.toMatchObject({ code: "connection_lost" });
    expect(server.starts).toHaveLength(1);
  });

  it("ends with an error frame when the run failed behind the cut", async () => {
    const error = { type: "timeout", message: "the model did not answer in time" };
    const journal = journalOf([started(), { type: "RunFailed", payload: { error } }]);
    const server = fakeServer({ journal, frameCount: 1, record: { status: "Failed", error } });

    const frames = await collect(server.client.stream("support", { message: "?" }));

    expect(frames.at(-1)).toMatchObject({
      event: "error",
      data: { code: "timeout", detail: error.message, runId: RUN_ID },
    });
  });

  it("ends with an error frame that says why when the run was canceled behind the cut", async () => {
    const journal = journalOf([
      started(),
      { type: "RunCanceled", payload: { reason: "asked to stop" } },
    ]);
    const server = fakeServer({ journal, frameCount: 1, record: { status: "Canceled" } });

    const frames = await collect(server.client.stream("support", { message: "?" }));

    expect(frames.at(-1)).toMatchObject({
      event: "error",
      id: 1,
      data: { code: "canceled", detail: "asked to stop", runId: RUN_ID },
    });
  });

  it("ends with done when only the last of two frames of one event was lost", async () => {
    const journal = journalOf([
      started(),
      { type: "RunAwaitingInput", payload: { approvals: [APPROVAL] } },
    ]);
    const record = { status: "AwaitingApproval" } as const;
    const server = fakeServer({ journal, frameCount: 2, record });

    const frames = await collect(server.client.stream("support", { message: "?" }));

    expect(frames.map((frame) => frame.event)).toEqual(["run", "approvals", "done"]);
    expect(frames.at(-1)?.data).toMatchObject({ status: "AwaitingApproval" });
  });

  it("reads no journal when it is left early", async () => {
    const server = fakeServer({ journal: journalOf(completedRun()), cuts: [200] });

    for await (const frame of server.client.stream("support", { message: "?" })) {
      expect(frame.event).toBe("run");
      break;
    }

    expect(server.resumedFrom).toEqual([]);
  });

  it("asks the server to end the run with the connection", async () => {
    const server = fakeServer({ journal: journalOf(completedRun()) });

    await collect(server.client.stream("s", { message: "?" }, { abortOnDisconnect: true }));

    expect(server.starts).toEqual(["/tracon/api/agents/s/run?abortOnDisconnect=true"]);
  });

  it("ignores frames it does not know", async () => {
    const server = fakeServer({
      journal: journalOf(completedRun()),
      prefix: "event: new\ndata: {}\n\n",
    });

    const frames = await collect(server.client.stream("support", { message: "?" }));

    expect(frames[0]?.event).toBe("run");
  });
});

it("turns every recorded event type into frames of its own sequence", () => {
  const event = { runId: RUN_ID, sequence: 7, timestamp: "", text: "t", payload: {} };

  const frames = Object.keys(runEventFrames).flatMap((type) =>
    framesOfEvent({ ...event, type } as RunEvent),
  );

  expect(frames.every((frame) => frame.id === 7)).toBe(true);
  expect(new Set(frames.map((frame) => frame.event))).toEqual(
    new Set(["run", "update", "loop.iteration-completed", "custom"]),
  );
});

it("makes no frame of an event type it does not know", () => {
  const event = { runId: RUN_ID, sequence: 7, type: "FromTheFuture", timestamp: "", payload: {} };

  expect(framesOfEvent(event as unknown as RunEvent)).toEqual([]);
});

function started(): RunEventDraft {
  const payload = { agentName: "support", agentVersion: 3, isStreaming: true };
  return { type: "RunStarted", payload };
}

function completedRun(): readonly RunEventDraft[] {
  const call = { iteration: 1, step: 0, position: 0, callId: "c1", toolName: "look_up" };
  return [
    started(),
    { type: "ToolInvoking", payload: { ...call, arguments: '{"id":"Ü-1"}' } },
    { type: "ToolInvoked", payload: { ...call, result: "🛰", durationMs: 12 } },
    { type: "LoopIterationCompleted", payload: { iteration: 1, continued: true, criteria: [] } },
    { type: "MessageDelta", text: "Grüße, ", payload: { iteration: 2, step: 0 } },
    { type: "MessageDelta", text: "done.", payload: { iteration: 2, step: 0 } },
    {
      type: "MessageCompleted",
      text: "Grüße, done.",
      payload: {
        iteration: 2,
        step: 0,
        modelProvider: "demo",
        modelId: "support",
        finishReason: "stop",
        toolCallCount: 0,
        durationMs: 9,
      },
    },
    { type: "RunCompleted", payload: {} },
  ];
}

function journalOf(drafts: readonly RunEventDraft[]): readonly RunEvent[] {
  return drafts.map((draft, sequence) => ({
    runId: RUN_ID,
    sequence,
    timestamp: "2026-11-30T10:00:00.000Z",
    ...draft,
  })) as RunEvent[];
}

const utf8 = (text: string) => new TextEncoder().encode(text);

const sse = (events: readonly RunEvent[]): Uint8Array =>
  utf8(
    events
      .map(
        (it) =>
          `event: ${runEventFrames[it.type]}\nid: ${it.sequence}\ndata: ${JSON.stringify(it)}\n\n`,
      )
      .join(""),
  );

const frameBytes = (frames: readonly RunFrame[]): Uint8Array =>
  utf8(
    frames
      .map((it) => `event: ${it.event}\nid: ${it.id}\ndata: ${JSON.stringify(it.data)}\n\n`)
      .join(""),
  );

type Script = {
  readonly journal: readonly RunEvent[];
  /** Bytes after which the first answers break off. */
  readonly cuts?: readonly number[];
  /** What the first event streams hold instead of the rest of the journal. */
  readonly bodies?: readonly (readonly RunEvent[])[];
  /** Frames after which the run's own stream ends. */
  readonly frameCount?: number;
  readonly failFirst?: number;
  readonly refuse?: { readonly status: number; readonly code: string };
  readonly record?: Partial<RunRecord>;
  readonly reconnectAttempts?: number;
  readonly prefix?: string;
  readonly onWait?: () => void;
};

function fakeServer(script: Script) {
  const cuts = [...(script.cuts ?? [])];
  const bodies = [...(script.bodies ?? [])];
  const seen = {
    resumedFrom: [] as (string | null)[],
    waits: [] as number[],
    starts: [] as string[],
  };
  let failuresLeft = script.failFirst ?? 0;

  const answer = async (url: string, init: RequestInit): Promise<Response> => {
    if (failuresLeft > 0) {
      failuresLeft -= 1;
      throw new TypeError("fetch failed");
    }
    if (script.refuse !== undefined) return Response.json({ ...script.refuse }, script.refuse);
    const { pathname, search, searchParams } = new URL(url);
    if (pathname.endsWith("/run")) {
      seen.starts.push(pathname + search);
      const frames = framesOf(script).slice(0, script.frameCount);
      return eventStream(utf8(script.prefix ?? ""), frameBytes(frames), cuts.shift());
    }
    if (!pathname.endsWith("/events")) return Response.json(recordOf(script));

    const after = Number(searchParams.get("after") ?? -1);
    if (searchParams.has("take")) {
      return Response.json(script.journal.filter((it) => it.sequence > after));
    }
    const lastId = new Headers(init.headers).get("last-event-id");
    seen.resumedFrom.push(lastId);
    const rest = script.journal.filter((it) => it.sequence > Number(lastId ?? -1));
    return eventStream(utf8(""), sse(bodies.shift() ?? rest), cuts.shift());
  };

  const client = createTraconClient({
    baseUrl: "http://tracon.test/tracon",
    fetch: (url, init) => answer(String(url), init ?? {}),
    idleTimeoutMs: 45_000,
    ...(script.reconnectAttempts === undefined
      ? {}
      : { reconnectAttempts: script.reconnectAttempts }),
    delay: async (ms, signal) => {
      if (ms === 45_000) return new Promise(() => undefined);
      seen.waits.push(ms);
      script.onWait?.();
      signal.throwIfAborted();
    },
  });
  return { ...seen, client };
}

function framesOf(script: Script): readonly RunFrame[] {
  const record = recordOf(script);
  const data = {
    runId: RUN_ID,
    status: record.status,
    output: "Grüße, done.",
    agentName: "support",
    agentVersion: 3,
    iterations: 2,
  };
  const last = script.journal.length - 1;
  return [...script.journal.flatMap(framesOfEvent), { event: "done", id: last, data }];
}

function recordOf({ journal, record }: Script): RunRecord {
  return {
    id: RUN_ID,
    agentName: "support",
    agentVersion: 3,
    kind: "Agent",
    status: "Completed",
    startedAt: "2026-11-30T10:00:00.000Z",
    isStreaming: true,
    eventCount: journal.length,
    depth: 0,
    childRunCount: 0,
    ...record,
  };
}

function eventStream(prefix: Uint8Array, bytes: Uint8Array, cut: number | undefined): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (prefix.length > 0) controller.enqueue(prefix);
      controller.enqueue(bytes.subarray(0, cut));
    },
    pull(controller) {
      if (cut === undefined) controller.close();
      else controller.error(new TypeError("terminated"));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
