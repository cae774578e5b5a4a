/** What becomes of the stores when PostgreSQL breaks connections. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { JournalEntry, Stores } from "@tracon/core";
import { createTestDatabase, memoryLog, storeMatrix } from "@tracon/testing";
import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { openStores } from "../open-stores.ts";

const tested = storeMatrix().some(({ engine }) => engine === "postgres");

describe.runIf(tested)("PostgreSQL that breaks connections", () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function setUp() {
    const url = await createTestDatabase();
    const proxy = await startProxy(new URL(url));
    const log = memoryLog();
    const stores = await openStores(proxy.url, { log });
    const admin = new Client(url);
    await admin.connect();
    closers.push(proxy.close, () => admin.end(), stores.close);
    await stores.journal.commit([opening()]);
    return { stores, proxy, admin, log };
  }

  it("reads and commits again after the server ended every connection", async () => {
    const { stores, admin, log } = await setUp();
    await stores.definitions.changeCounter();

    await endConnections(admin);
    await stores.journal.commit([eventAt(0)]);
    await eventually(() => stores.definitions.changeCounter());

    expect(await eventCount(stores)).toBe(1);
    expect(log.entries.map(({ level }) => level)).toContain("warn");
  });

  it("commits once when the connection breaks before the server has committed", async () => {
    const { stores, admin } = await setUp();
    await admin.query("begin");
    await admin.query("select * from tracon_runs for update");

    const commit = stores.journal.commit([eventAt(0)]);
    await eventually(() => waitingJournal(admin));
    await endConnections(admin);
    await admin.query("commit");
    await commit;

    expect(await eventually(() => eventCount(stores))).toBe(1);
  });

  it("commits once when the connection breaks after the server has committed", async () => {
    const { stores, proxy } = await setUp();

    proxy.cutNextAnswer();
    await stores.journal.commit([eventAt(0)]);

    expect(proxy.cuts()).toBe(1);
    expect(await eventually(() => eventCount(stores))).toBe(1);
    await stores.journal.commit([eventAt(1)]);
    expect(await eventCount(stores)).toBe(2);
  });

  it("reports a server that is gone, and commits when it is back", async () => {
    const { stores, proxy } = await setUp();

    await proxy.stop();
    await expect(stores.journal.commit([eventAt(0)])).rejects.toMatchObject({
      code: "store_unavailable",
    });
    await expect(stores.runs.get("tenant", "run")).rejects.toMatchObject({
      code: "store_unavailable",
    });
    await proxy.start();
    await stores.journal.commit([eventAt(0)]);

    expect(await eventually(() => eventCount(stores))).toBe(1);
  });
});

const opening = (): JournalEntry => ({
  tenantId: "tenant",
  runId: "run",
  opened: {
    record: {
      id: "run",
      agentName: "a",
      kind: "Agent",
      status: "Running",
      startedAt: "2026-01-01T00:00:00.000Z",
      isStreaming: false,
      eventCount: 0,
      depth: 0,
      childRunCount: 0,
    },
  },
});

const eventAt = (sequence: number): JournalEntry => ({
  tenantId: "tenant",
  runId: "run",
  events: { firstSequence: sequence, lastSequence: sequence, lines: "{}" },
});

const eventCount = async ({ runs }: Stores): Promise<number> =>
  (await runs.events("tenant", "run", { after: -1, take: 100 })).length;

const endConnections = (admin: Client) =>
  admin.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );

/** Rejects until the journal waits for a lock. */
async function waitingJournal(admin: Client): Promise<void> {
  const { rows } = await admin.query(
    `select 1 from pg_stat_activity
     where application_name like 'tracon-journal-%' and wait_event_type = 'Lock'
       and datname = current_database()`,
  );
  if (rows.length === 0) throw new Error("the journal does not wait");
}

/** The first result of `work`, tried again as long as the database is a step behind. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** A way to the server that can be closed, and that can lose an answer. */
async function startProxy(target: URL) {
  const sockets = new Set<Socket>();
  let cutting = false;
  let cuts = 0;
  const server = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing);
    outgoing.on("data", (answer) => {
      if (!cutting) return void incoming.write(answer);
      cutting = false;
      cuts += 1;
      incoming.destroy();
    });
  });
  const start = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await start(0);
  const { port } = server.address() as AddressInfo;

  async function stop(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.href,
    cutNextAnswer: () => {
      cutting = true;
    },
    cuts: () => cuts,
    start: () => start(port),
    stop,
    close: async () => {
      if (server.listening) await stop();
    },
  };
}
