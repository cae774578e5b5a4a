/**
 * Journal commits on PostgreSQL: one statement a batch, one at a time, on a connection of its own.
 *
 * When the connection breaks while the statement runs, nobody knows whether it was committed; the
 * next connection makes sure that the old one has ended and looks for the batch before it is sent
 * again.
 */

import { randomUUID } from "node:crypto";
import type { CommitOutcome, JournalEntry, Log } from "@tracon/core";
import { Client, type ClientConfig, DatabaseError, type QueryConfig } from "pg";
import { openingRefusals } from "../budget-rows.ts";
import { createMutex } from "../mutex.ts";
import type { StatisticsRows } from "../statistics-rows.ts";
import { batchRefused, closedError, refused } from "../store-error.ts";
import { storedText } from "../stored-values.ts";
import { refusalOfCode, statementWriter } from "./postgres-commit.ts";
import { isConnectionLoss, isDeadlock, translated } from "./postgres-error.ts";
import { areMoved, reserveAlone, type SendUntilDone, unknownGrants } from "./postgres-moves.ts";

export type PostgresJournal = {
  commit(batch: readonly JournalEntry[]): Promise<CommitOutcome>;
  close(): Promise<void>;
};

/** How often a batch is sent when connections break under it, or two processes lock each other out. */
const MAX_ATTEMPTS = 2;
/** After that the connection counts as broken. */
const COMMIT_TIMEOUT_MS = 60_000;
const STATEMENT_TIMEOUT_MS = 30_000;

export function postgresJournal(
  config: ClientConfig,
  log: Log | undefined,
  statistics: StatisticsRows,
): PostgresJournal {
  const mutex = createMutex();
  const statementOf = statementWriter(statistics);
  const applicationName = `tracon-journal-${randomUUID()}`;
  let current: Client | undefined;
  let closed = false;

  function drop(client: Client): void {
    if (current === client) current = undefined;
  }

  async function connected(): Promise<Client> {
    if (closed) throw closedError();
    if (current !== undefined) return current;
    const client = new Client({
      ...config,
      application_name: applicationName,
      query_timeout: COMMIT_TIMEOUT_MS,
    });
    client.on("error", (error) => {
      log?.warn("lost the journal's connection to PostgreSQL", { error: error.message });
      drop(client);
    });
    client.on("end", () => drop(client));
    await client.connect();
    await client.query(SESSION_SQL);
    current = client;
    return client;
  }

  /** Says that the outcome is not known when the connection broke. */
  async function send(query: QueryConfig): Promise<Sent> {
    const client = await connected();
    try {
      return { rows: (await client.query(query)).rows };
    } catch (error) {
      if (isDeadlock(error)) return { undone: commitError(error) };
      if (!isConnectionLoss(error)) throw commitError(error);
      drop(client);
      await client.end();
      return { lost: error as Error };
    }
  }

  /** A connection after the one that broke, which may still be busy on the server. */
  async function reconnected(): Promise<Client> {
    const client = await connected();
    await endOthers(client, applicationName);
    return client;
  }

  async function sendUntilDone(
    query: QueryConfig,
    isDone: (client: Client) => Promise<boolean>,
    staysInDeadlock = false,
  ): ReturnType<SendUntilDone> {
    for (let attempt = 1; ; attempt++) {
      const { rows, lost, undone } = await send(query);
      if (rows !== undefined) return rows;
      if (lost !== undefined && (await isDone(await reconnected()))) return undefined;
      const isOver = lost === undefined && staysInDeadlock;
      if (isOver || attempt === MAX_ATTEMPTS) throw lost ?? undone;
    }
  }

  async function commit(batch: readonly JournalEntry[]): Promise<CommitOutcome> {
    // Who holds a session may hold it for long; each entry alone finds its rows free.
    const isSplit = batch.length > 1 && batch.some(({ session }) => session !== undefined);
    const statement = statementOf(batch);
    const rows = await sendUntilDone(statement, (client) => isCommitted(client, batch), isSplit);
    const refused =
      rows === undefined
        ? await unknownGrants(await connected(), batch)
        : new Set(rows[0]?.refused?.split(" "));
    const opening = openingRefusals(batch);
    if (refused.size === 0) return { refusals: opening };
    const refusals = await reserveAlone(sendUntilDone, batch, refused);
    return { refusals: [...opening, ...refusals] };
  }

  return {
    commit: (batch) => translated(() => mutex.run(() => commit(batch))),
    close: () =>
      mutex.run(async () => {
        closed = true;
        await current?.end();
      }),
  };
}

/** What became of a query: answered, undone by the server, or lost with the connection. */
type Sent = {
  readonly rows?: Awaited<ReturnType<SendUntilDone>>;
  readonly undone?: unknown;
  readonly lost?: Error;
};

/**
 * Durability is not left to the server's configuration. The planner is told to reach a run by its
 * key always: it keeps the plan it makes while the tables are small, which is to read them whole.
 */
const SESSION_SQL = `
  select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off';
  set statement_timeout = ${STATEMENT_TIMEOUT_MS};
  set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off`;

function commitError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  // Not the server's fault: each entry alone finds its rows free.
  if (isDeadlock(error)) return refused("PostgreSQL ended a deadlock", error);
  const refusal = refusalOfCode(error.code);
  return refusal === undefined ? error : batchRefused(refusal, error);
}

/** Whether a batch was committed by a connection that broke, and has ended. */
async function isCommitted(client: Client, batch: readonly JournalEntry[]): Promise<boolean> {
  const witness = batch.find(({ events, opened }) => events !== undefined || opened !== undefined);
  if (witness === undefined) return areMoved(client, batch);
  const { rows } = await client.query(WITNESS_SQL, [
    storedText(witness.tenantId),
    storedText(witness.runId),
    witness.events?.firstSequence ?? null,
  ]);
  return rows.length === 1;
}

/** The run, or the chunk of it, that the batch would have written. */
const WITNESS_SQL = `select 1 from tracon_runs run where run.tenant_id = $1 and run.id = $2
  and ($3::integer is null or exists (select 1 from tracon_run_events chunk
    where chunk.tenant_id = $1 and chunk.run_id = $2 and chunk.first_sequence = $3::integer))`;

/** The server may still be busy with a statement whose client is gone. */
async function endOthers(client: Client, applicationName: string): Promise<void> {
  const sql = `select pg_terminate_backend(pid, ${STATEMENT_TIMEOUT_MS})
    from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()`;
  await client.query(sql, [applicationName]);
}
