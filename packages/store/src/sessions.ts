/**
 * Sessions: a row for each, which counts its messages and its versions, and a row for the messages of
 * each turn. The session's row is written first and under its condition, so whoever holds it decides what follows.
 */

import type { SessionPage, SessionRecord, SessionStore, StoredSessionItem } from "@tracon/core";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Driver, Row } from "./drivers/driver.ts";
import type { Schema, SessionsTable } from "./schema.ts";
import { isoTime, originalText, storedText, storedTime } from "./stored-values.ts";

type BranchRequest = Parameters<SessionStore["branch"]>[0];

/** The largest value of the column, and more messages than any session has. */
const MAX_SEQUENCE = 2_147_483_647;
/** A copy names its source, not a run. */
const NO_RUN = "";

export function sqlSessionStore({ read, reads, writes }: Driver): SessionStore {
  return {
    async get(tenantId, sessionId) {
      const [row] = await read(GET_SQL, [storedText(tenantId), storedText(sessionId)]);
      return row && sessionRecord(row as unknown as SessionsTable);
    },

    async list(tenantId, { agentName }, page) {
      if (page.take <= 0) return [];
      const rows = await sessionListQuery(reads, tenantId, agentName, page).execute();
      return rows.map(sessionRecord);
    },

    async history(tenantId, sessionId, { after, take }) {
      if (take <= 0) return [];
      const last = Math.min(after + take, MAX_SEQUENCE);
      const key = [storedText(tenantId), storedText(sessionId)];
      const turns = await read(HISTORY_SQL, [...key, Math.min(after, last) + 1, last]);
      return turns.flatMap(itemsOf).filter((it) => it.sequence > after && it.sequence <= last);
    },

    async branch(request) {
      try {
        return await writes.transaction().execute((db) => branch(db, request));
      } catch (error) {
        if (error instanceof SourceGone) return "missing";
        throw error;
      }
    },

    delete: (tenantId, sessionId) =>
      writes.transaction().execute(async (db) => {
        const key = { tenant_id: storedText(tenantId), id: storedText(sessionId) };
        const { numDeletedRows } = await db
          .deleteFrom("tracon_sessions")
          .where("tenant_id", "=", key.tenant_id)
          .where("id", "=", key.id)
          .executeTakeFirstOrThrow();
        if (Number(numDeletedRows) === 0) return false;
        await db
          .deleteFrom("tracon_session_turns")
          .where("tenant_id", "=", key.tenant_id)
          .where("session_id", "=", key.id)
          .execute();
        return true;
      }),
  };
}

const GET_SQL = "select * from tracon_sessions where tenant_id = $1 and id = $2";

/** From the turn that holds the first wanted message to the one that holds the last. */
const HISTORY_SQL = `select first_sequence, run_id, lines from tracon_session_turns
  where tenant_id = $1 and session_id = $2 and first_sequence <= $4
    and first_sequence >= coalesce((select max(first_sequence) from tracon_session_turns
      where tenant_id = $1 and session_id = $2 and first_sequence <= $3), 0)
  order by first_sequence`;

function itemsOf({ first_sequence, run_id, lines }: Row): readonly StoredSessionItem[] {
  const runId = originalText(run_id as string);
  return (lines as string)
    .split("\n")
    .map((json, index) => ({ sequence: (first_sequence as number) + index, runId, json }));
}

/** Also for a test, which looks at its plan. */
export const sessionListQuery = (
  db: Kysely<Schema>,
  tenantId: string,
  agentName: string | undefined,
  { skip, take, before }: SessionPage,
) =>
  db
    .selectFrom("tracon_sessions")
    .selectAll()
    .where("tenant_id", "=", storedText(tenantId))
    .$if(agentName !== undefined, (it) => it.where("agent_name", "=", storedText(agentName ?? "")))
    .$if(before !== undefined, (it) =>
      it.where(
        sql<boolean>`(updated_at, id) < (${storedTime(before?.updatedAt ?? "")}, ${storedText(before?.id ?? "")})`,
      ),
    )
    .orderBy("updated_at", "desc")
    .orderBy("id", "desc")
    .limit(take)
    .$if(skip > 0, (it) => it.offset(skip));

/** The source was deleted while it was copied; ends the transaction. */
class SourceGone extends Error {}

async function branch(
  db: Transaction<Schema>,
  request: BranchRequest,
): Promise<Awaited<ReturnType<SessionStore["branch"]>>> {
  const { itemCount, closing } = request;
  const tenant = storedText(request.tenantId);
  const source = storedText(request.sourceId);
  const target = storedText(request.newSessionId);
  const at = storedTime(request.branchedAt);
  const found = await db
    .selectFrom("tracon_sessions")
    .select(["agent_name", "owner_id", "state", "item_count", "state_schema_version"])
    .where("tenant_id", "=", tenant)
    .where("id", "=", source)
    .executeTakeFirst();
  if (found === undefined || found.item_count < itemCount) return "missing";

  const row: SessionsTable = {
    tenant_id: tenant,
    id: target,
    agent_name: found.agent_name,
    version: 1,
    created_at: at,
    updated_at: at,
    owner_id: found.owner_id,
    parent_session_id: source,
    branch_from_sequence: itemCount - 1,
    item_count: itemCount + closing.length,
    state: found.state,
    state_schema_version: found.state_schema_version,
  };
  const created = await db
    .insertInto("tracon_sessions")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (created === undefined) return "exists";
  const key = { tenant, source, target };
  await copyTurns(db, key, itemCount);
  if (closing.length > 0) {
    const lines = closing.map((message) => JSON.stringify(message));
    await insertTurn(db, key, { firstSequence: itemCount, runId: NO_RUN, lines });
  }
  if (!(await isThere(db, key))) throw new SourceGone();
  return "branched";
}

type CopyKey = { readonly tenant: string; readonly source: string; readonly target: string };

async function isThere(db: Transaction<Schema>, { tenant, source }: CopyKey): Promise<boolean> {
  const found = await db
    .selectFrom("tracon_sessions")
    .select("id")
    .where("tenant_id", "=", tenant)
    .where("id", "=", source)
    .executeTakeFirst();
  return found !== undefined;
}

/** The turns up to a message; the one it stands in is cut behind it. */
async function copyTurns(db: Transaction<Schema>, key: CopyKey, itemCount: number): Promise<void> {
  const last = await db
    .selectFrom("tracon_session_turns")
    .select(["first_sequence", "run_id", "lines"])
    .where("tenant_id", "=", key.tenant)
    .where("session_id", "=", key.source)
    .where("first_sequence", "<", itemCount)
    .orderBy("first_sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  const { first_sequence: firstSequence, run_id: runId } = last;
  await copyTurnsBefore(db, key, firstSequence);
  const lines = last.lines.split("\n").slice(0, itemCount - firstSequence);
  await insertTurn(db, key, { firstSequence, runId, lines });
}

type StoredTurn = {
  readonly firstSequence: number;
  readonly runId: string;
  readonly lines: readonly string[];
};

const insertTurn = (
  db: Transaction<Schema>,
  { tenant, target }: CopyKey,
  { firstSequence, runId, lines }: StoredTurn,
) =>
  db
    .insertInto("tracon_session_turns")
    .values({
      tenant_id: tenant,
      session_id: target,
      first_sequence: firstSequence,
      item_count: lines.length,
      run_id: runId,
      lines: lines.join("\n"),
    })
    .execute();

const copyTurnsBefore = (
  db: Transaction<Schema>,
  { tenant, source, target }: CopyKey,
  firstSequence: number,
) =>
  db
    .insertInto("tracon_session_turns")
    .columns(["tenant_id", "session_id", "first_sequence", "item_count", "run_id", "lines"])
    .expression((from) =>
      from
        .selectFrom("tracon_session_turns")
        .select([
          "tenant_id",
          sql<string>`${target}`.as("session_id"),
          "first_sequence",
          "item_count",
          "run_id",
          "lines",
        ])
        .where("tenant_id", "=", tenant)
        .where("session_id", "=", source)
        .where("first_sequence", "<", firstSequence),
    )
    .execute();

function sessionRecord(row: SessionsTable): SessionRecord {
  return {
    id: originalText(row.id),
    agentName: originalText(row.agent_name),
    tenantId: originalText(row.tenant_id),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    ...(row.owner_id === null ? {} : { ownerId: originalText(row.owner_id) }),
    ...(row.parent_session_id === null
      ? {}
      : { parentSessionId: originalText(row.parent_session_id) }),
    ...(row.branch_from_sequence === null ? {} : { branchFromSequence: row.branch_from_sequence }),
    version: row.version,
    itemCount: row.item_count,
    state: row.state === null ? {} : JSON.parse(row.state),
    stateSchemaVersion: row.state_schema_version,
  };
}
