/**
 * What must hold once somebody starts the product again after all kills: it answers for every run
 * there is, its sessions go on, and what the dead had reserved is free after its time.
 */

import type { JournalEntry } from "@tracon/core";
import { openStores } from "@tracon/store";
import { type Api, tracon } from "../kit/tracon-api.ts";
import type { ChildOrder } from "./crash-orders.ts";
import type { ProcessSource } from "./crash-processes.ts";
import type { StoredRun } from "./stored-runs.ts";

export type LeftBehind = {
  readonly runs: readonly Omit<StoredRun, "chunks">[];
  /** Sessions in which runs were killed, by the agent whose they are. */
  readonly sessions: readonly { readonly agent: string; readonly sessionId: string }[];
};

const TENANT = "default";
const AT_ONCE = 8;
/** Longer than any reservation is kept. */
const LATER_MS = 3_600_000;

/** Sentences about what is wrong. */
export async function faultsAfter(
  processes: ProcessSource,
  order: ChildOrder,
  { runs, sessions }: LeftBehind,
): Promise<readonly string[]> {
  const process = await processes.next(order);
  const api = tracon(process.url);
  const faults: string[] = [];
  const left = [...runs];
  async function look(): Promise<void> {
    for (let run = left.pop(); run !== undefined; run = left.pop()) {
      faults.push(...(await runFaults(api, run)));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  for (const session of sessions) faults.push(...(await sessionFaults(api, session)));
  await process.kill();
  return [...faults, ...(await leakedReservations(order.storage, runs))];
}

async function runFaults(
  api: Api,
  { id, status, eventCount, parentRunId }: LeftBehind["runs"][number],
): Promise<readonly string[]> {
  const { body: run } = await api.json("GET", `/api/runs/${id}`);
  const { body: tree } = await api.json("GET", `/api/runs/${id}/tree`);
  const events = await api.recorded(id);
  // A database server may have finished the last commit of a dead process after it was looked at.
  const isAsItWas =
    status === "Running" ? events.length >= eventCount : events.length === eventCount;
  const isInTree = Array.isArray(tree) && tree.some((it: { id: string }) => it.id === id);
  return [
    ...(run.status === status || status === "Running"
      ? []
      : [`${id}: reads as ${run.status}, it is ${status}`]),
    ...(run.parentRunId === parentRunId ? [] : [`${id}: lost its parent`]),
    ...(isInTree ? [] : [`${id}: is not in its own tree`]),
    ...(isAsItWas ? [] : [`${id}: shows ${events.length} of ${eventCount}`]),
  ];
}

/** A session whose last run was killed takes the next turn, and is then what it was with that turn. */
async function sessionFaults(
  api: Api,
  { agent, sessionId }: LeftBehind["sessions"][number],
): Promise<readonly string[]> {
  const read = () => api.json("GET", `/api/sessions/${sessionId}`);
  const before = await read();
  const isAbsent = before.status === 404;
  const result = await api.run(agent, { sessionId, message: `Rlast-${sessionId}` });
  const after = await read();
  const had: number = isAbsent ? 0 : before.body.itemCount;
  return [
    ...(isAbsent || before.status === 200 ? [] : [`${sessionId}: answers ${before.status}`]),
    ...(result.status === "Completed" ? [] : [`${sessionId}: its next turn is ${result.status}`]),
    ...(after.body.itemCount > had ? [] : [`${sessionId}: did not take the turn`]),
  ];
}

/** All that a tree has not used can be reserved again. */
async function leakedReservations(
  storage: string,
  all: LeftBehind["runs"],
): Promise<readonly string[]> {
  const { journal, runs, close } = await openStores(storage);
  const at = new Date(Date.now() + LATER_MS).toISOString();
  const expiresAt = new Date(Date.now() + 2 * LATER_MS).toISOString();
  const entries: JournalEntry[] = [];
  for (const { id, parentRunId } of all) {
    const budget = parentRunId === undefined ? await runs.budget(TENANT, id) : undefined;
    if (budget?.maxTokens === undefined) continue;
    const tokens = budget.maxTokens - budget.usedTokens;
    const rest = { id: `rest-${id}`, tokens, costNanos: 0, childRuns: 0, toolCalls: 0, expiresAt };
    entries.push({
      tenantId: TENANT,
      runId: id,
      budget: { rootRunId: id, at, settlements: [], reservations: [rest] },
    });
  }
  const { refusals } = await journal.commit(entries);
  await close();
  return refusals.map(({ reservationId }) => `${reservationId}: is still reserved by the dead`);
}
