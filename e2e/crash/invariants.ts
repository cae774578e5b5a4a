/**
 * What must hold on disk after a crash, whatever the moment. Shares no code with the product; each
 * function answers with sentences about what is wrong.
 */

import type { Snapshot, StoredRun } from "./stored-runs.ts";

/** What the outside knows of the time before the kill. */
export type Evidence = {
  /** Runs that were there before, which what a database server finishes late may belong to. */
  readonly known: ReadonlySet<string>;
  /** Frames of `…/events` by run and sequence: the bytes of their data. */
  readonly seen: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** Sequences that frames of native streams carried, by run. */
  readonly nativeIds: ReadonlyMap<string, ReadonlySet<number>>;
  /** Runs whose end a client was told, with their status. */
  readonly ended: ReadonlyMap<string, string>;
  /** Tool bodies that ran. */
  readonly ledger: readonly LedgerLine[];
  /** Versions of the agent `saved` that were acknowledged. */
  readonly savedVersions: readonly number[];
};
export type LedgerLine = { readonly token: string; readonly n: string };

type Event = {
  readonly runId: string;
  readonly sequence: number;
  readonly type: string;
  readonly text?: string;
  readonly payload: {
    readonly iteration?: number;
    readonly step?: number;
    readonly position?: number;
    readonly arguments?: string;
    readonly childRunId?: string;
    readonly status?: string;
    readonly criteria?: readonly { readonly reviewer?: { readonly runId: string } }[];
  };
};

/** The status of a run that ended by the event. */
const STATUS_BY_TERMINAL: Readonly<Record<string, string>> = {
  RunCompleted: "Completed",
  RunFailed: "Failed",
  RunCanceled: "Canceled",
  RunAwaitingInput: "AwaitingInput",
};

export function violations(snapshot: Snapshot, evidence: Evidence): readonly string[] {
  const runs = new Map(snapshot.runs.map((run) => [run.id, { run, lines: linesOf(run) }]));
  const events = new Map(
    [...runs].map(([id, { lines }]) => [id, lines.map((line) => JSON.parse(line) as Event)]),
  );
  return [
    ...snapshot.runs.flatMap((run) => sequenceFaults(run, events.get(run.id) ?? [])),
    ...snapshot.runs.flatMap((run) => endFaults(run, events.get(run.id) ?? [])),
    ...snapshot.runs.flatMap((run) => callFaults(run, events.get(run.id) ?? [])),
    ...snapshot.runs.flatMap((run) =>
      childFaults(run, events.get(run.id) ?? [], { runs, known: evidence.known }),
    ),
    ...countFaults(snapshot),
    ...lostEvents(evidence, (runId) => runs.get(runId)?.lines ?? []),
    ...lostEnds(evidence, snapshot),
    ...unannouncedEffects(evidence, [...events.values()].flat()),
    ...lostVersions(evidence, snapshot),
  ];
}

const linesOf = (run: StoredRun): readonly string[] =>
  run.chunks.flatMap(({ lines }) => lines.split("\n"));

/** Gapless from 0, in chunks that say what they hold, counted by the row. */
function sequenceFaults(run: StoredRun, events: readonly Event[]): string[] {
  const faults: string[] = [];
  let next = 0;
  for (const { first, last, lines } of run.chunks) {
    if (first !== next) faults.push(`${run.id}: a chunk begins at ${first}, not at ${next}`);
    if (lines.split("\n").length !== last - first + 1) {
      faults.push(`${run.id}: the chunk at ${first} does not hold what it says`);
    }
    next = last + 1;
  }
  for (const [index, { sequence, runId }] of events.entries()) {
    if (sequence !== index || runId !== run.id) {
      faults.push(`${run.id}: the event at ${index} says ${sequence} of ${runId}`);
    }
  }
  if (run.eventCount !== events.length) {
    faults.push(`${run.id}: the row counts ${run.eventCount} events of ${events.length}`);
  }
  if (events[0] !== undefined && events[0].type !== "RunStarted") {
    faults.push(`${run.id}: begins with ${events[0].type}`);
  }
  return faults;
}

/** At most one terminal event, nothing behind it, and the row says the same. */
function endFaults(run: StoredRun, events: readonly Event[]): string[] {
  const terminal = events.filter(({ type }) => type in STATUS_BY_TERMINAL);
  const last = terminal[0];
  if (terminal.length > 1) return [`${run.id}: has ${terminal.length} terminal events`];
  if (last !== undefined && last.sequence !== events.length - 1) {
    return [`${run.id}: has events behind its end`];
  }
  const expected = last === undefined ? "Running" : STATUS_BY_TERMINAL[last.type];
  if (last?.type === "RunFailed") return [`${run.id}: failed: ${JSON.stringify(last.payload)}`];
  return run.status === expected ? [] : [`${run.id}: is ${run.status}, not ${expected}`];
}

/** Every outcome has its intent before it, and no call has two. */
function callFaults(run: StoredRun, events: readonly Event[]): string[] {
  const intents: string[] = [];
  const outcomes: string[] = [];
  const faults: string[] = [];
  for (const { type, payload } of events) {
    const place = `${payload.iteration}/${payload.step}/${payload.position}`;
    if (type === "ToolInvoking") intents.push(place);
    if (type !== "ToolInvoked" && type !== "ToolFailed") continue;
    if (!intents.includes(place)) faults.push(`${run.id}: the call ${place} was not announced`);
    outcomes.push(place);
  }
  return [
    ...faults,
    ...repeated(intents).map((place) => `${run.id}: the call ${place} is announced twice`),
    ...repeated(outcomes).map((place) => `${run.id}: the call ${place} ended twice`),
  ];
}

/** Whatever a run says of one below it, that one says of itself. */
function childFaults(
  run: StoredRun,
  events: readonly Event[],
  {
    runs,
    known,
  }: {
    readonly runs: ReadonlyMap<string, { readonly run: StoredRun }>;
    readonly known: Evidence["known"];
  },
): string[] {
  const faults: string[] = [];
  const { parentRunId } = run;
  if (parentRunId !== undefined && !runs.has(parentRunId) && !known.has(parentRunId)) {
    faults.push(`${run.id}: its parent ${parentRunId} is not there`);
  }
  for (const { type, payload } of events) {
    const named = [
      ...(payload.childRunId === undefined ? [] : [payload.childRunId]),
      ...(payload.criteria ?? []).flatMap(({ reviewer }) => (reviewer ? [reviewer.runId] : [])),
    ];
    const unknown = named.filter((id) => !runs.has(id));
    faults.push(...unknown.map((id) => `${run.id}: ${type} names ${id}, which is not there`));
    if (type !== "ChildRunCompleted") continue;
    const status = runs.get(payload.childRunId ?? "")?.run.status;
    if (status !== payload.status) {
      faults.push(`${run.id}: says ${payload.childRunId} is ${payload.status}, it is ${status}`);
    }
  }
  return faults;
}

/** A run is counted with its end, once. */
const countFaults = ({ endedRuns, countedRuns }: Snapshot): string[] =>
  endedRuns === countedRuns ? [] : [`${endedRuns} runs have ended, ${countedRuns} are counted`];

const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);

/** Whatever a client saw is there, byte for byte. */
function lostEvents(
  { seen, nativeIds }: Evidence,
  linesOfRun: (runId: string) => readonly string[],
): string[] {
  const faults: string[] = [];
  for (const [runId, frames] of seen) {
    const lines = linesOfRun(runId);
    for (const [sequence, data] of frames) {
      if (lines[sequence] !== data) faults.push(`${runId}: event ${sequence} was seen as ${data}`);
    }
  }
  for (const [runId, ids] of nativeIds) {
    const lines = linesOfRun(runId);
    for (const id of ids) {
      if (lines[id] === undefined) faults.push(`${runId}: a client saw frame ${id}`);
    }
  }
  return faults;
}

function lostEnds({ ended }: Evidence, { runs }: Snapshot): string[] {
  return [...ended].flatMap(([runId, status]) => {
    const stored = runs.find(({ id }) => id === runId)?.status;
    return stored === status ? [] : [`${runId}: a client was told ${status}, it is ${stored}`];
  });
}

/** No body ran before its intent was on disk, and none ran twice. */
function unannouncedEffects({ ledger }: Evidence, events: readonly Event[]): string[] {
  const announced = new Set(
    events.flatMap(({ type, payload }) =>
      type === "ToolInvoking" ? [keyOf(JSON.parse(payload.arguments ?? "{}") as LedgerLine)] : [],
    ),
  );
  const keys = ledger.map(keyOf);
  return [
    ...keys.filter((key) => !announced.has(key)).map((key) => `${key} ran without an intent`),
    ...repeated(keys).map((key) => `${key} ran twice`),
  ];
}

const keyOf = ({ token, n }: LedgerLine): string => `${token}#${n}`;

function lostVersions({ savedVersions }: Evidence, { versions }: Snapshot): string[] {
  const gaps = versions.filter((version, index) => version !== index + 1);
  const lost = savedVersions.filter((version) => !versions.includes(version));
  return [
    ...gaps.map((version) => `version ${version} does not continue the numbering`),
    ...lost.map((version) => `the saved version ${version} is gone`),
  ];
}
