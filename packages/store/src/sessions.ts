/**
 * Sessions: a row for each, which counts its messages and its versions, and a row for each message.
 * The row is written first and under its condition, so whoever holds it decides what follows.
 */

import type { SessionPage, SessionRecord, SessionStore } from "@tracon/core";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Driver } from "./drivers/driver.ts";
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
      const rows = await read(HISTORY_SQL, [...key, Math.min(after, last), last]);
      return rows.map(({ sequence, run_id, message }) => ({
        sequence: sequence as number,
        runId: originalText(run_id as string),
        json: message as string,
      }));
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
          .deleteFrom("tracon_session_items")
          .where("tenant_id", "=", key.tenant_id)
          .where("session_id", "=", key.id)
          .execute();
        return true;
      }),
  };
}

const GET_SQL = "select * from tracon_sessions where tenant_id = $1 and id = $2";

const HISTORY_SQL = `select sequence, run_id, message from tracon_session_items
  where tenant_id = $1 and session_id = $2 and sequence > $3 and sequence <= $4
  order by sequence`;

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
  const copied = await copyItems(db, { tenant, source, target, itemCount });
  if (Number(copied.numInsertedOrUpdatedRows) !== itemCount) throw new SourceGone();
  for (const [index, message] of closing.entries()) {
    const item = { sequence: itemCount + index, run_id: NO_RUN, message: JSON.stringify(message) };
    await db
      .insertInto("tracon_session_items")
      .values({ tenant_id: tenant, session_id: target, ...item })
      .execute();
  }
  return "branched";
}

type Copy = {
  readonly tenant: string;
  readonly source: string;
  readonly target: string;
  readonly itemCount: number;
};

const copyItems = (db: Transaction<Schema>, { tenant, source, target, itemCount }: Copy) =>
  db
    .insertInto("tracon_session_items")
    .columns(["tenant_id", "session_id", "sequence", "run_id", "message"])
    .expression((from) =>
      from
        .selectFrom("tracon_session_items")
        .select([
          "tenant_id",
          sql<string>`${target}`.as("session_id"),
          "sequence",
          "run_id",
          "message",
        ])
        .where("tenant_id", "=", tenant)
        .where("session_id", "=", source)
        .where("sequence", "<", itemCount),
    )
    .executeTakeFirstOrThrow();

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
