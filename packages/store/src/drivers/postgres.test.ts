/** What becomes of the stores when PostgreSQL breaks connections. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type {
  BudgetChange,
  BudgetReservation,
  BudgetSettlement,
  JournalEntry,
  Stores,
  TreeLimits,
} from "@tracon/core";
import { createTestDatabase, memoryLog, storeMatrix } from "@tracon/testing";
import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { openStores } from "../open-stores.ts";

const tested = storeMatrix().some(({ engine }) => engine === "postgres");

const AT = "2026-01-01T00:00:00.000Z";

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

  it("books once what a batch without events settles and reserves when its answer is lost", async () => {
    const { stores, proxy } = await setUp();
    await stores.journal.commit([treeOf({ maxToolCalls: 9, maxTokens: 100 })]);

    for (const change of [
      { reservations: [reserving("a", 80), reserving("b", 0)] },
      { settlements: [settling("a", 60)] },
      { settlements: [settling("b", 5)], reservations: [reserving("c", 10)] },
    ]) {
      proxy.cutNextAnswer();
      expect(await stores.journal.commit([moving(change)])).toEqual({ refusals: [] });
    }

    expect(proxy.cuts()).toBe(3);
    expect(await eventually(() => stores.runs.budget("tenant", "tree"))).toMatchObject({
      usedTokens: 65,
      reservedTokens: 10,
      toolCalls: 3,
    });
  });

  it("grants once what is reserved by itself when the answer to that is lost", async () => {
    const { stores, proxy } = await setUp();
    await stores.journal.commit([treeOf({ maxTokens: 100 })]);
    await stores.journal.commit([moving({ reservations: [reserving("a", 1)] })]);

    // The first answer says that there is no room for both.
    proxy.cutNextAnswer(1);
    const reservations = [reserving("b", 80), reserving("c", 80)];
    const outcome = await stores.journal.commit([moving({ reservations })]);

    expect(proxy.cuts()).toBe(1);
    expect(outcome.refusals).toEqual([{ reservationId: "c", limit: "tokens" }]);
    expect(await eventually(() => stores.runs.budget("tenant", "tree"))).toMatchObject({
      reservedTokens: 81,
      toolCalls: 2,
    });
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

const opening = (runId = "run"): JournalEntry => ({
  tenantId: "tenant",
  runId,
  opened: {
    record: {
      id: runId,
      agentName: "a",
      kind: "Agent",
      status: "Running",
      startedAt: AT,
      isStreaming: false,
      eventCount: 0,
      depth: 0,
      childRunCount: 0,
    },
  },
});

const changeOf = (change: Partial<BudgetChange>): BudgetChange => ({
  rootRunId: "tree",
  at: AT,
  settlements: [],
  reservations: [],
  ...change,
});

const treeOf = (limits: TreeLimits): JournalEntry => ({
  ...opening("tree"),
  budget: changeOf({ opened: { currency: "USD", limits } }),
});

const moving = (change: Partial<BudgetChange>): JournalEntry => ({
  tenantId: "tenant",
  runId: "tree",
  budget: changeOf(change),
});

const reserving = (id: string, tokens: number): BudgetReservation => ({
  id,
  tokens,
  costNanos: 0,
  childRuns: 0,
  toolCalls: 1,
  expiresAt: "2026-01-01T01:00:00.000Z",
});

const settling = (reservationId: string, tokens: number): BudgetSettlement => ({
  reservationId,
  tokens,
  estimatedTokens: 0,
  costNanos: 0,
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
  let untilCut: number | undefined;
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
      if (untilCut === undefined || untilCut-- > 0) return void incoming.write(answer);
      untilCut = undefined;
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
    cutNextAnswer: (answersBefore = 0) => {
      untilCut = answersBefore;
    },
    cuts: () => cuts,
    start: () => start(port),
    stop,
    close: async () => {
      if (server.listening) await stop();
    },
  };
}
