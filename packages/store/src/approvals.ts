/**
 * Approvals and standing rules. Every change is one guarded update, so that of any number of deciders,
 * in any number of processes, exactly one changes anything.
 */

import type { ApprovalChange, ApprovalPage, ApprovalStore } from "@tracon/core";
import type { Kysely } from "kysely";
import { approvalRule, decidedColumns, ruleRow, storedApproval } from "./approval-row.ts";
import type { Driver } from "./drivers/driver.ts";
import type { Schema } from "./schema.ts";
import { storedText, storedTime } from "./stored-values.ts";

export function sqlApprovalStore({ reads, writes }: Driver): ApprovalStore {
  return {
    async get(tenantId, id) {
      const row = await ofTenant(reads, tenantId)
        .where("id", "=", storedText(id))
        .executeTakeFirst();
      return row && storedApproval(row);
    },

    async pending(tenantId, page) {
      if (page.take <= 0) return [];
      const rows = await onPage(
        ofTenant(reads, tenantId)
          .where("status", "=", "Pending")
          .where("expires_at", ">", storedTime(page.now)),
        page,
      ).execute();
      return rows.map(storedApproval);
    },

    async ofRun(tenantId, runId) {
      const rows = await inCallOrder(
        ofTenant(reads, tenantId).where("run_id", "=", storedText(runId)),
      ).execute();
      return rows.map(storedApproval);
    },

    async openOfSession(tenantId, sessionId) {
      const rows = await inCallOrder(
        ofTenant(reads, tenantId)
          .where("session_id", "=", storedText(sessionId))
          .where("claimed_by_run_id", "is", null),
      ).execute();
      return rows.map(storedApproval);
    },

    decide: (tenantId, id, change) =>
      writes.transaction().execute(async (db) => {
        const decided = await pendingRows(db, tenantId, change)
          .where("id", "=", storedText(id))
          .$if(change.status !== "Expired", (it) =>
            it.where("expires_at", ">", storedTime(change.decidedAt)),
          )
          .executeTakeFirst();
        if (Number(decided.numUpdatedRows) === 0) return false;
        if (change.rule !== undefined) await insertRule(db, ruleRow(change.rule));
        return true;
      }),

    async closeRun(tenantId, runId, change) {
      const closed = await pendingRows(writes, tenantId, change)
        .where("run_id", "=", storedText(runId))
        .executeTakeFirst();
      return Number(closed.numUpdatedRows);
    },

    expire: (now, take) => expire(writes, now, take),

    async unclaimed({ after, before }, take) {
      if (take <= 0) return [];
      const rows = await reads
        .selectFrom("tracon_approvals")
        .selectAll()
        .where("claimed_by_run_id", "is", null)
        .where("status", "<>", "Pending")
        .where("decided_at", ">", storedTime(after))
        .where("decided_at", "<", storedTime(before))
        .orderBy("decided_at")
        .limit(take)
        .execute();
      return rows.map(storedApproval);
    },

    ...ruleStore({ reads, writes }),
  };
}

const ruleStore = ({
  reads,
  writes,
}: Pick<Driver, "reads" | "writes">): Pick<
  ApprovalStore,
  "rules" | "rulesFor" | "addRule" | "removeRule"
> => ({
  async rules(tenantId, page) {
    if (page.take <= 0) return [];
    const rows = await onPage(rulesOfTenant(reads, tenantId), page).execute();
    return rows.map(approvalRule);
  },

  async rulesFor(tenantId, agentName, toolName) {
    const rows = await rulesOfTenant(reads, tenantId)
      .where("tool_name", "=", storedText(toolName))
      .where((it) =>
        it.or([it("agent_name", "is", null), it("agent_name", "=", storedText(agentName))]),
      )
      .limit(MAX_RULES_ASKED)
      .execute();
    return rows.map(approvalRule);
  },

  async addRule(rule) {
    await insertRule(writes, ruleRow(rule));
  },

  async removeRule(tenantId, id) {
    const removed = await writes
      .deleteFrom("tracon_approval_rules")
      .where("tenant_id", "=", storedText(tenantId))
      .where("id", "=", storedText(id))
      .executeTakeFirst();
    return Number(removed.numDeletedRows) > 0;
  },
});

/** Rules looked at for one call: a tool with more of them has no rules but a table. */
const MAX_RULES_ASKED = 1_000;

const ofTenant = (db: Kysely<Schema>, tenantId: string) =>
  db.selectFrom("tracon_approvals").selectAll().where("tenant_id", "=", storedText(tenantId));

const rulesOfTenant = (db: Kysely<Schema>, tenantId: string) =>
  db.selectFrom("tracon_approval_rules").selectAll().where("tenant_id", "=", storedText(tenantId));

/** Ids are time ordered. */
function onPage<Query extends Paged<Query>>(query: Query, { take, after }: ApprovalPage): Query {
  const ordered = query.orderBy("id").limit(take);
  return after === undefined ? ordered : ordered.where("id", ">", storedText(after));
}

type Paged<Query> = {
  orderBy(column: "id"): Query;
  limit(take: number): Query;
  where(column: "id", operator: ">", value: string): Query;
};

const inCallOrder = (query: ReturnType<typeof ofTenant>) =>
  query.orderBy("run_id").orderBy("iteration").orderBy("step").orderBy("position");

/** Not decided and not taken. */
const pendingRows = (db: Kysely<Schema>, tenantId: string, change: ApprovalChange) =>
  db
    .updateTable("tracon_approvals")
    .set(decidedColumns(change))
    .where("tenant_id", "=", storedText(tenantId))
    .where("status", "=", "Pending")
    .where("claimed_by_run_id", "is", null);

async function expire(db: Kysely<Schema>, now: string, take: number) {
  if (take <= 0) return [];
  const due = await db
    .selectFrom("tracon_approvals")
    .select(["tenant_id", "id"])
    .where("status", "=", "Pending")
    .where("expires_at", "<=", storedTime(now))
    .orderBy("expires_at")
    .limit(take)
    .execute();
  const rows = [];
  for (const { tenant_id, id } of due) {
    const row = await db
      .updateTable("tracon_approvals")
      .set({ status: "Expired", decided_at: storedTime(now) })
      .where("tenant_id", "=", tenant_id)
      .where("id", "=", id)
      .where("status", "=", "Pending")
      .where("claimed_by_run_id", "is", null)
      .returningAll()
      .executeTakeFirst();
    // Another process may have come first.
    if (row !== undefined) rows.push(storedApproval(row));
  }
  return rows;
}

const insertRule = (db: Kysely<Schema>, row: ReturnType<typeof ruleRow>) =>
  db.insertInto("tracon_approval_rules").values(row).execute();
