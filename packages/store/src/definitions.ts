/**
 * Definitions: a row for every name that was ever used, which owns the numbering, and a row for
 * every version of the ones that live.
 *
 * A save first updates the row of its name under its condition. That update is what makes concurrent
 * saves wait for each other, on both engines, so their numbers are contiguous.
 */

import type {
  AgentDefinitionContent,
  AppendCondition,
  AppendOutcome,
  DefinitionStore,
  DeleteOutcome,
  StoredDefinition,
} from "@tracon/core";
import type { Kysely, Transaction } from "kysely";
import type { Driver } from "./drivers/driver.ts";
import type { AgentVersionsTable, Schema } from "./schema.ts";
import { isoTime, originalText, storedText, storedTime } from "./stored-values.ts";

type AppendRequest = Parameters<DefinitionStore["append"]>[0];
type DeleteRequest = Parameters<DefinitionStore["delete"]>[0];

export function sqlDefinitionStore({ reads, writes }: Driver): DefinitionStore {
  return {
    async list(tenantId) {
      const rows = await liveVersions(reads, tenantId).execute();
      return rows.map(storedDefinition);
    },

    async get(tenantId, name) {
      const row = await liveVersions(reads, tenantId)
        .where("version.name", "=", storedText(name))
        .executeTakeFirst();
      return row && storedDefinition(row);
    },

    async getVersion(tenantId, name, version) {
      const row = await versionsOf(reads, tenantId, name)
        .where("version", "=", storedVersion(version))
        .executeTakeFirst();
      return row && storedDefinition(row);
    },

    async versions(tenantId, name) {
      const rows = await versionsOf(reads, tenantId, name).orderBy("version", "desc").execute();
      return rows.map(storedDefinition);
    },

    append: (request) => writes.transaction().execute((db) => append(db, request)),

    delete: (request) => writes.transaction().execute((db) => remove(db, request)),

    async changeCounter() {
      const { counter } = await reads
        .selectFrom("tracon_definition_changes")
        .select("counter")
        .executeTakeFirstOrThrow();
      return counter;
    },
  };
}

type AgentKey = { readonly tenant_id: string; readonly name: string };

async function append(db: Transaction<Schema>, request: AppendRequest): Promise<AppendOutcome> {
  const { content, contentHash, condition } = request;
  const key = { tenant_id: storedText(request.tenantId), name: storedText(content.name) };
  const savedAt = storedTime(request.savedAt);
  if (condition === "absent" || condition === "any") await reserveName(db, key, savedAt);

  const numbered = await fulfilling(agentRow(db, key), condition)
    .set((row) => ({
      last_version: row("last_version", "+", 1),
      current_version: row("last_version", "+", 1),
      changed_at: savedAt,
    }))
    .returning("last_version")
    .executeTakeFirst();
  if (numbered === undefined) {
    return condition === "absent" ? { outcome: "exists" } : missingOrStale(db, key);
  }

  const row: AgentVersionsTable = {
    ...key,
    version: numbered.last_version,
    content: JSON.stringify(content),
    content_hash: storedText(contentHash),
    saved_at: savedAt,
  };
  await db.insertInto("tracon_agent_versions").values(row).execute();
  await countChange(db);
  return { outcome: "saved", stored: storedDefinition(row) };
}

async function remove(db: Transaction<Schema>, request: DeleteRequest): Promise<DeleteOutcome> {
  const { condition } = request;
  const key = { tenant_id: storedText(request.tenantId), name: storedText(request.name) };
  const deleted = await fulfilling(agentRow(db, key), condition)
    .set({ current_version: null, changed_at: storedTime(request.deletedAt) })
    .returning("last_version")
    .executeTakeFirst();
  if (deleted === undefined) return missingOrStale(db, key);

  await db
    .deleteFrom("tracon_agent_versions")
    .where("tenant_id", "=", key.tenant_id)
    .where("name", "=", key.name)
    .execute();
  await countChange(db);
  return { outcome: "deleted" };
}

const reserveName = (db: Transaction<Schema>, key: AgentKey, at: number) =>
  db
    .insertInto("tracon_agents")
    .values({ ...key, current_version: null, last_version: 0, changed_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

const agentRow = (db: Transaction<Schema>, key: AgentKey) =>
  db
    .updateTable("tracon_agents")
    .where("tenant_id", "=", key.tenant_id)
    .where("name", "=", key.name);

function fulfilling(row: ReturnType<typeof agentRow>, condition: AppendCondition): typeof row {
  if (condition === "any") return row;
  if (condition === "absent") return row.where("current_version", "is", null);
  if (condition === "present") return row.where("current_version", "is not", null);
  return row.where("current_version", "=", storedVersion(condition.version));
}

/** PostgreSQL refuses a number that its columns cannot hold; no version is 0. */
const storedVersion = (version: number): number =>
  Number.isInteger(version) && version > 0 && version <= MAX_VERSION ? version : 0;

const MAX_VERSION = 2_147_483_647;

async function missingOrStale(
  db: Transaction<Schema>,
  key: AgentKey,
): Promise<Exclude<DeleteOutcome, { outcome: "deleted" }>> {
  const agent = await db
    .selectFrom("tracon_agents")
    .select("current_version")
    .where("tenant_id", "=", key.tenant_id)
    .where("name", "=", key.name)
    .executeTakeFirst();
  const currentVersion = agent?.current_version ?? undefined;
  return currentVersion === undefined
    ? { outcome: "missing" }
    : { outcome: "stale", currentVersion };
}

const countChange = (db: Transaction<Schema>) =>
  db
    .updateTable("tracon_definition_changes")
    .set((row) => ({ counter: row("counter", "+", 1) }))
    .execute();

const liveVersions = (db: Kysely<Schema>, tenantId: string) =>
  db
    .selectFrom("tracon_agents as agent")
    .innerJoin("tracon_agent_versions as version", (join) =>
      join
        .onRef("version.tenant_id", "=", "agent.tenant_id")
        .onRef("version.name", "=", "agent.name")
        .onRef("version.version", "=", "agent.current_version"),
    )
    .where("agent.tenant_id", "=", storedText(tenantId))
    .orderBy("agent.name")
    .selectAll("version");

const versionsOf = (db: Kysely<Schema>, tenantId: string, name: string) =>
  db
    .selectFrom("tracon_agent_versions")
    .selectAll()
    .where("tenant_id", "=", storedText(tenantId))
    .where("name", "=", storedText(name));

function storedDefinition(row: AgentVersionsTable): StoredDefinition {
  return {
    definition: {
      ...contentOf(row),
      origin: "Database",
      version: row.version,
      tenantId: originalText(row.tenant_id),
      updatedAt: isoTime(row.saved_at),
    },
    contentHash: originalText(row.content_hash),
  };
}

function contentOf(row: AgentVersionsTable): AgentDefinitionContent {
  const content = JSON.parse(row.content);
  return "callableAgentNames" in content ? withCallableAgents(content) : content;
}

/** Rows from before callees could be pinned list their names alone. */
function withCallableAgents({
  callableAgentNames: names,
  ...content
}: AgentDefinitionContent & {
  readonly callableAgentNames: readonly string[] | null;
}): AgentDefinitionContent {
  return { ...content, callableAgents: (names ?? []).map((name) => ({ name })) };
}
