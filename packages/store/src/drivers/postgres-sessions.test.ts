/** What becomes of a commit whose sessions another process writes in the same moment. */

import type { JournalEntry, Stores } from "@tracon/core";
import { createTestDatabase, storeMatrix } from "@tracon/testing";
import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { openStores } from "../open-stores.ts";

const tested = storeMatrix().some(({ engine }) => engine === "postgres");
const AT = "2026-01-01T00:00:00.000Z";

describe.runIf(tested)("sessions that two processes write on PostgreSQL", () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function setUp() {
    const url = await createTestDatabase();
    const stores = await openStores(url);
    const other = new Client(url);
    await other.connect();
    closers.push(() => other.end(), stores.close);
    await stores.journal.commit([turn("1", "s"), turn("2", "t")]);
    await other.query("begin");
    return { stores, other };
  }

  it("refuses the batch that a deadlock ended, so that its entries can be written one by one", async () => {
    const { stores, other } = await setUp();
    const entries = [turn("3", "s", 1), turn("4", "t", 1)];
    await other.query(BUMP_SQL, ["t"]);
    const commit = stores.journal.commit(entries).then(
      () => "committed",
      (error) => error.code,
    );
    await waitingCommit(other);

    // Each waits for the other now. The server ends the one that has waited longer.
    await other.query(BUMP_SQL, ["s"]);
    const outcome = await commit;
    await other.query("rollback");

    expect(outcome).toBe("internal");
    for (const entry of entries) await stores.journal.commit([entry]);
    expect(await versionsOf(stores)).toEqual([2, 2]);
  });

  it("writes an entry that stands alone again when a deadlock ended it", async () => {
    const { stores, other } = await setUp();
    await other.query(BUMP_SQL, ["s"]);
    const commit = stores.journal.commit([turn("3", "s", 1)]);
    await waitingCommit(other);

    await other.query(TURN_SQL);
    await other.query("rollback");
    await commit;

    expect(await versionsOf(stores)).toEqual([2, 1]);
  });

  it("waits for the other process and then refuses what it has overtaken", async () => {
    const { stores, other } = await setUp();
    await other.query(BUMP_SQL, ["s"]);

    const commit = stores.journal.commit([turn("3", "s", 1)]).catch((error) => error.code);
    await waitingCommit(other);
    await other.query("commit");

    expect(await commit).toBe("session_conflict");
    expect(await stores.runs.get("tenant", "3")).toBeUndefined();
  });

  it("waits for a session that another process is about to create", async () => {
    const { stores, other } = await setUp();
    await other.query(CREATE_SQL);

    const commit = stores.journal.commit([turn("3", "u")]).catch((error) => error.code);
    await waitingCommit(other);
    await other.query("commit");

    expect(await commit).toBe("session_conflict");
    expect(await stores.sessions.history("tenant", "u", { after: -1, take: 5 })).toEqual([]);
  });
});

const BUMP_SQL = "update tracon_sessions set version = version + 1 where id = $1";
const TURN_SQL = `insert into tracon_session_turns (tenant_id, session_id, first_sequence,
  item_count, run_id, lines) values ('tenant', 's', 1, 1, 'other', '{}')`;
const CREATE_SQL = `insert into tracon_sessions (tenant_id, id, agent_name, version, created_at,
  updated_at, item_count, state_schema_version) values ('tenant', 'u', 'a', 1, 0, 0, 0, 1)`;

/** Resolves once the journal waits for a lock. */
async function waitingCommit(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity
       where application_name like 'tracon-journal-%' and wait_event_type = 'Lock'
         and datname = current_database()`,
    );
    if (rows.length > 0) return;
  }
}

function turn(runId: string, sessionId: string, version?: number): JournalEntry {
  const items = [{ role: "user" as const, contents: [{ $type: "text" as const, text: runId }] }];
  const base =
    version === undefined ? {} : { base: { version, createdAt: AT, itemCount: version } };
  return {
    tenantId: "tenant",
    runId,
    opened: {
      record: {
        id: runId,
        agentName: "a",
        kind: "Agent",
        status: "Completed",
        startedAt: AT,
        isStreaming: false,
        eventCount: 0,
        depth: 0,
        childRunCount: 0,
      },
    },
    session: { sessionId, agentName: "a", openedAt: AT, savedAt: AT, items, ...base },
  };
}

const versionsOf = async ({ sessions }: Stores) =>
  Promise.all(["s", "t"].map(async (id) => (await sessions.get("tenant", id))?.version));
