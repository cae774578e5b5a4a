/**
 * The reference: the bare loop with a recorder of our own that writes every event, and waits for the
 * disk at the start, before a tool, after it and at the end. It has no limits, checks, tenants or
 * HTTP of its own, so it shows what the machine allows and not what a product could be.
 */

import { randomUUID } from "node:crypto";
import { checkAnswer, createScript, type Script, USER_MESSAGE } from "../fixture.ts";
import { type BareObserver, bareRun } from "./bare.ts";
import { type GroupCommit, groupCommit } from "./group-commit.ts";
import { openReferencePostgres } from "./reference-postgres.ts";
import type { ReferenceRow, ReferenceStore } from "./reference-rows.ts";
import { openReferenceSqlite } from "./reference-sqlite.ts";
import type { StorePlace, Subject } from "./subject.ts";

/** An event as it is stored and as a follower gets it. */
export type ReferenceEvent = {
  readonly sequence: number;
  readonly type: string;
  readonly at: number;
  readonly data: string;
};

/** Runs the script once; `watch` sees every event as it is made. */
export type RunReference = (watch?: (event: ReferenceEvent) => void) => Promise<string>;

export async function open(place: StorePlace): Promise<Subject> {
  const script = createScript();
  const { run, close } = await openReference(place, script);
  const work = async () => checkAnswer(await run(), script);
  return { script, run: work, stream: work, close };
}

export async function openReference(
  { store, folder, postgresUrl }: StorePlace,
  script: Script,
): Promise<{ readonly run: RunReference; close(): Promise<void> }> {
  const place: ReferenceStore =
    store === "postgres" ? await openReferencePostgres(postgresUrl) : openReferenceSqlite(folder);
  const journal = groupCommit<ReferenceRow>((rows) => place.commit(rows));
  return {
    run: (watch) => bareRun(script, recorderOf(journal, watch)),
    close: async () => place.close(),
  };
}

function recorderOf(
  journal: GroupCommit<ReferenceRow>,
  watch: ((event: ReferenceEvent) => void) | undefined,
): BareObserver {
  const runId = randomUUID();
  let sequence = 0;
  let callingAt = 0;
  const event = (type: string, members: unknown): ReferenceRow => {
    const data = JSON.stringify(members);
    const made = { sequence: sequence++, type, at: Date.now(), data };
    watch?.(made);
    return ["event", [runId, made.sequence, type, made.at, data]];
  };
  return {
    started: () =>
      journal.durable([
        ["run", [runId, "support", 1, "default", "running", Date.now()]],
        ["input", [runId, JSON.stringify(USER_MESSAGE)]],
        event("run.started", { agent: "support", version: 1 }),
      ]),
    calling({ id, name, input }) {
      callingAt = Date.now();
      return journal.durable([
        event("model.completed", { in: 300, out: 100 }),
        event("tool.started", { id, name, input }),
      ]);
    },
    called: ({ id, name, input }, result) =>
      journal.durable([
        event("tool.completed", { id, result }),
        ["tool", [runId, id, name, input, result, callingAt, Date.now()]],
      ]),
    delta: (text) => journal.lazy([event("message.delta", { text })]),
    ended: (text) =>
      journal.durable([
        event("message.completed", { text }),
        event("run.completed", { in: 600, out: 200 }),
        ["end", ["completed", Date.now(), 600, 200, runId]],
      ]),
  };
}
