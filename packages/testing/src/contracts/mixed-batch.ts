import assert from "node:assert/strict";
import type { JournalEntry } from "@tracon/core";
import type { ContractCase, ContractStores, ContractSubject } from "./contract.ts";
import {
  approval,
  baseOf,
  criterion,
  entry,
  events,
  messagesOf,
  newTenant,
  opening,
  runIds,
  runRecord,
  STARTED_AT,
  said,
  sessionWrite,
  stop,
  tally,
  toolCalls,
  turn,
} from "./fixtures.ts";
import { changeOf, reservation, settlement } from "./tree-budget-fixtures.ts";

/** What `RunJournal` promises of batches whose entries have little in common. */
export const mixedBatchContract = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "writes the same for entries of every kind in one batch as for each of them alone",
    async run() {
      const stores = await subject.stores();
      const [alone, together] = [newTenant(), newTenant()];

      for (const it of await entriesIn(stores, alone)) await stores.journal.commit([it]);
      const { refusals } = await stores.journal.commit(await entriesIn(stores, together));

      assert.deepEqual(refusals, []);
      const written = await everythingIn(stores, together);
      assert.deepEqual(written, await everythingIn(stores, alone));
      assert.deepEqual(written.statuses, [
        "Running",
        "Running",
        "Completed",
        "AwaitingApproval",
        "AwaitingApproval",
        "Running",
      ]);
      assert.equal(written.criteria.length, 1);
    },
  },
];

const [
  SPENDING = "",
  BOOKED = "",
  ENDING = "",
  STOPPING = "",
  DECIDED = "",
  NEXT = "",
  FIRST = "",
] = runIds(7);

/** One entry for each thing that entries bring, on runs and a session that are there. */
async function entriesIn(stores: ContractStores, tenant: string): Promise<readonly JournalEntry[]> {
  const opened = { currency: "EUR", limits: { maxTokens: 100, maxToolCalls: 9 } };
  const budgetOf = (root: string) => ({
    ...changeOf(root, { reservations: [reservation("a", { tokens: 60 })] }),
    opened,
  });
  await stores.journal.commit([
    opening(tenant, runRecord(SPENDING), { budget: budgetOf(SPENDING) }),
    opening(tenant, runRecord(BOOKED), { budget: budgetOf(BOOKED) }),
    opening(tenant, runRecord(ENDING)),
    opening(tenant, runRecord(STOPPING)),
    stop(tenant, DECIDED, [approval(tenant, "taken", { runId: DECIDED })]),
    turn(tenant, FIRST, sessionWrite("s", [said("one")])),
  ]);

  const settled = { settlements: [settlement("a", { tokens: 30 })] };
  const reserved = { reservations: [reservation("b", { tokens: 70, toolCalls: 1 })] };
  const completed = { status: "Completed" as const, eventCount: 2, completedAt: STARTED_AT };
  return [
    entry(tenant, BOOKED, { budget: changeOf(BOOKED, settled) }),
    entry(tenant, SPENDING, {
      events: events(0, "call"),
      budget: changeOf(SPENDING, { ...settled, ...reserved }),
    }),
    entry(tenant, ENDING, {
      events: events(0, "start", "end"),
      changed: completed,
      session: sessionWrite("s", [said("two")], { base: await baseOf(stores, tenant, "s") }),
      tally: tally(runRecord(ENDING, completed), {
        toolCalls: [toolCalls()],
        criteria: [criterion()],
      }),
    }),
    entry(tenant, STOPPING, {
      events: events(0, "start", "end"),
      changed: { ...completed, status: "AwaitingApproval" },
      session: sessionWrite("t", [said("new")]),
      approvals: { opened: [approval(tenant, "opened", { runId: STOPPING })] },
    }),
    opening(tenant, runRecord(NEXT), {
      opened: { record: runRecord(NEXT), input: { messages: [said("go on")] } },
      events: events(0, "start"),
      approvals: { claimed: [{ approvalId: "taken", expected: "Pending", status: "Rejected" }] },
      budget: { ...budgetOf(NEXT), reservations: [reservation("c", { tokens: 5 })] },
    }),
  ];
}

async function everythingIn(stores: ContractStores, tenant: string) {
  const { approvals, runs, sessions, statistics } = stores;
  const ids = [SPENDING, BOOKED, ENDING, STOPPING, DECIDED, NEXT];
  const each = <Value>(read: (id: string) => Promise<Value>) => Promise.all(ids.map(read));
  const records = await each((id) => runs.get(tenant, id));
  const read = {
    records,
    statuses: records.map((record) => record?.status),
    events: await each((id) => runs.events(tenant, id, { after: -1, take: 9 })),
    inputs: await each((id) => runs.input(tenant, id)),
    budgets: await each((id) => runs.budget(tenant, id)),
    approvals: await each((id) => approvals.ofRun(tenant, id)),
    sessions: await Promise.all(["s", "t"].map((id) => sessions.get(tenant, id))),
    messages: await Promise.all(["s", "t"].map((id) => messagesOf(stores, tenant, id))),
    tools: await runs.toolUsage(tenant, { maxTools: 9 }),
    criteria: await statistics.criteria(tenant, {}, { maxRows: 9 }),
    statistics: await statistics.statistics(tenant, {}, { maxRows: 9 }),
  };
  return JSON.parse(JSON.stringify(read).replaceAll(tenant, "tenant")) as typeof read;
}
