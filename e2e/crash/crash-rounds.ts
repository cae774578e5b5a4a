/** One round: load on a fresh process, kill it at a random moment, look at what is left. */

import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../kit/random.ts";
import { dataOf, sseFrames } from "../kit/sse.ts";
import { type Api, tracon } from "../kit/tracon-api.ts";
import type { LeftBehind } from "./after-crashes.ts";
import type { ProcessSource } from "./crash-processes.ts";
import { type Evidence, type LedgerLine, violations } from "./invariants.ts";
import type { StoredRun, StoreReader } from "./stored-runs.ts";

/** Agents whose runs are streamed in a round, each with the session that some of them are in. */
const STREAMED = [
  { agent: "in-order" },
  { agent: "together" },
  { agent: "caller" },
  { agent: "tasker", session: "tasks" },
  { agent: "looped", session: "drafts" },
] as const;
/** What of the runs in sessions is looked at after all kills: the sessions of so many last rounds. */
const SESSIONS_LOOKED_AT = 2;
/** Frames that all streams of a round bring together, about. */
const FRAMES = 300;
/** How long a process may live on after the frame it is to die at. */
const LONGEST_REST_MS = 6;

export type CrashTrial = {
  readonly processes: ProcessSource;
  readonly reader: StoreReader;
  readonly storage: string;
  readonly ledger: string;
  readonly random: Random;
};

/** What a series of rounds came upon. */
export type CrashTally = {
  readonly violations: readonly string[];
  /** Runs found on disk: all, ended, and cut off in the middle. */
  readonly runs: number;
  readonly ended: number;
  readonly cutOff: number;
  /** Of those, runs that another one began, and runs that had begun another one. */
  readonly childrenCutOff: number;
  readonly callersCutOff: number;
  /** Iterations of loops that were decided. */
  readonly iterations: number;
  readonly eventsSeen: number;
  readonly toolBodies: number;
  /** Calls whose intent is on disk and whose outcome nobody knows. */
  readonly openCalls: number;
  readonly versionsSaved: number;
  /** What is to be looked at once the product runs again. */
  readonly left: LeftBehind;
};

export async function crashRounds(trial: CrashTrial, rounds: number): Promise<CrashTally> {
  const tally = {
    violations: [] as string[],
    runs: 0,
    ended: 0,
    cutOff: 0,
    childrenCutOff: 0,
    callersCutOff: 0,
    iterations: 0,
    eventsSeen: 0,
    toolBodies: 0,
    openCalls: 0,
    versionsSaved: 0,
  };
  const all: Omit<StoredRun, "chunks">[] = [];
  let lastRunId = "";
  let lastVersions: readonly number[] = [];
  for (let round = 0; round < rounds; round++) {
    const evidence = await killedUnderLoad(trial, round, lastVersions);
    const snapshot = await trial.reader.after(lastRunId);
    const known = new Set(all.map(({ id }) => id));
    const found = violations(snapshot, { ...evidence, known }).map((it) => `round ${round}: ${it}`);
    tally.violations.push(...found);

    const { runs } = snapshot;
    all.push(...runs.map(({ chunks: _, ...run }) => run));
    lastRunId = runs.at(-1)?.id ?? lastRunId;
    lastVersions = snapshot.versions;
    tally.runs += runs.length;
    tally.ended += runs.filter(({ status }) => status !== "Running").length;
    const cutOff = runs.filter((it) => it.status === "Running" && it.eventCount > 0);
    tally.cutOff += cutOff.length;
    tally.childrenCutOff += cutOff.filter((it) => it.parentRunId !== undefined).length;
    tally.callersCutOff += cutOff.filter(
      ({ chunks }) => counted(chunks, "ChildRunStarted") > 0,
    ).length;
    tally.iterations += sum(runs.map(({ chunks }) => counted(chunks, "LoopIterationCompleted")));
    tally.eventsSeen += sum([...evidence.seen.values()].map(({ size }) => size));
    tally.toolBodies += evidence.ledger.length;
    tally.openCalls += sum(runs.map(({ chunks }) => announced(chunks) - settled(chunks)));
  }
  tally.versionsSaved = lastVersions.length;
  return { ...tally, left: { runs: all, sessions: sessionsOf(rounds) } };
}

const sessionsOf = (rounds: number): LeftBehind["sessions"] =>
  Array.from({ length: Math.min(rounds, SESSIONS_LOOKED_AT) }, (_, index) => rounds - 1 - index)
    .flatMap((round) => STREAMED.map((it) => ({ ...it, round })))
    .flatMap((it) =>
      "session" in it ? [{ agent: it.agent, sessionId: `${it.session}-${it.round}` }] : [],
    );

async function killedUnderLoad(
  { processes, storage, ledger, random }: CrashTrial,
  round: number,
  lastVersions: readonly number[],
): Promise<Omit<Evidence, "known">> {
  writeFileSync(ledger, "");
  const process = await processes.next({ storage, ledger });
  const evidence = {
    seen: new Map<string, Map<number, string>>(),
    nativeIds: new Map<string, Set<number>>(),
    ended: new Map<string, string>(),
    savedVersions: [...lastVersions],
  };
  const fatal = frameCounter(random.between(0, FRAMES));
  const client = watcherOf(tracon(process.url), evidence, fatal.count);

  const streams = STREAMED.map((it, index) =>
    client.stream(it.agent, {
      message: `R${round}x${index}`,
      ...("session" in it ? { sessionId: `${it.session}-${round}` } : {}),
    }),
  );
  const watched = Promise.allSettled([
    ...streams,
    client.run("together", `R${round}-json`),
    client.save(round),
  ]);
  await Promise.race([fatal.reached, Promise.allSettled(streams)]);
  await pause(random.between(0, LONGEST_REST_MS));
  await process.kill();
  // Every client is told by its connection, and keeps what it has got.
  await watched;
  return { ...evidence, ledger: linesOf(ledger) };
}

/** Counts frames, not time: a busy machine makes rounds longer and kills no earlier. */
function frameCounter(last: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let counted = 0;
  const count = (): void => {
    if (counted++ >= last) resolve();
  };
  if (last === 0) resolve();
  return { count, reached: promise };
}

type Asked = { readonly message: string; readonly sessionId?: string };

const childOf = (data: string): string =>
  (JSON.parse(data) as { payload: { childRunId: string } }).payload.childRunId;

type Collected = {
  readonly seen: Map<string, Map<number, string>>;
  readonly nativeIds: Map<string, Set<number>>;
  readonly ended: Map<string, string>;
  readonly savedVersions: number[];
};

/** Clients that write down what they see the moment they see it. */
function watcherOf(
  api: Api,
  { seen, nativeIds, ended, savedVersions }: Collected,
  onFrame: () => void,
) {
  /** Follows a run and all that begins below it; the root is told of each. */
  async function follow(runId: string): Promise<void> {
    const frames = new Map<number, string>();
    seen.set(runId, frames);
    const below: Promise<void>[] = [];
    for await (const { id, data, event } of sseFrames((await api.events(runId)).body)) {
      frames.set(Number(id), data);
      onFrame();
      if (event !== "child.started") continue;
      const following = follow(childOf(data));
      following.catch(() => undefined);
      below.push(following);
    }
    await Promise.all(below);
  }

  return {
    async stream(agent: string, asked: Asked): Promise<void> {
      const ids = new Set<number>();
      let following: Promise<void> = Promise.resolve();
      for await (const frame of sseFrames((await api.stream(agent, asked)).body)) {
        ids.add(Number(frame.id));
        onFrame();
        const data = dataOf(frame);
        if (frame.event === "run") {
          nativeIds.set(String(data.runId), ids);
          following = follow(String(data.runId));
          // Its failure is looked at below, also when this loop throws first.
          following.catch(() => undefined);
        }
        if (frame.event === "done") ended.set(String(data.runId), "Completed");
      }
      await following;
    },

    async run(agent: string, message: string): Promise<void> {
      const { runId, status } = await api.run(agent, { message });
      ended.set(runId, String(status));
    },

    async save(round: number): Promise<void> {
      const model = { provider: "demo", model: "m" };
      for (let save = 0; ; save++) {
        const description = `${round}-${save}`;
        const definition = { name: "saved", description, model };
        const { status, body } = await api.json("PUT", "/api/agents/saved", definition);
        if (status < 300) savedVersions.push(Number(body.version));
      }
    },
  };
}

const linesOf = (ledger: string): readonly LedgerLine[] =>
  readFileSync(ledger, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LedgerLine);

type Chunks = readonly { readonly lines: string }[];

const counted = (chunks: Chunks, type: string): number =>
  sum(chunks.map(({ lines }) => lines.split(`"type":"${type}"`).length - 1));

const announced = (chunks: Chunks): number => counted(chunks, "ToolInvoking");

const settled = (chunks: Chunks): number =>
  sum(chunks.map(({ lines }) => lines.split(/"type":"Tool(?:Invoked|Failed)"/).length - 1));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, it) => total + it, 0);
