/**
 * `approvals.ts STORE`: 1,000 runs that each wait for a person, the mailbox over them, and their
 * decisions, 32 at a time, until every run has gone on and its tool has run.
 */

import { tool } from "ai";
import { createTracon } from "tracon";
import * as z from "zod";
import { finish, setting } from "../job.ts";
import { latencyOf } from "../measure.ts";
import { quantile } from "../statistics.ts";
import { storageOf } from "../subjects/product.ts";
import type { StorePlace } from "../subjects/subject.ts";

const WAITING = 1_000;
const IN_FLIGHT = 32;
const ALL_PAGES = Array.from({ length: WAITING / 200 }, (_, page) => page);

let refunds = 0;
const [store = "sqlite"] = process.argv.slice(2);
const tracon = await createTracon(
  {
    storage: storageOf({ ...setting, store: store as StorePlace["store"] }),
    providers: {
      bench: {
        kind: "scripted",
        models: {
          desk: {
            turns: [{ toolCalls: [{ name: "refund", input: { amount: 20 } }] }, { text: "Paid." }],
          },
        },
      },
    },
    tools: {
      refund: {
        tool: tool({
          inputSchema: z.object({ amount: z.number() }),
          execute: () => {
            refunds += 1;
            return "paid";
          },
        }),
        requiresApproval: true,
      },
    },
    agents: [{ name: "desk", model: { provider: "bench", model: "desk" }, toolNames: ["refund"] }],
  },
  { env: {} },
);

/** `IN_FLIGHT` at a time; the seconds it took. */
async function each<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  const rest = items.values();
  const begun = performance.now();
  const member = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, member));
  return (performance.now() - begun) / 1_000;
}

const stopSeconds = await each(Array(WAITING).fill("Pay it back."), async (message: string) => {
  const { status } = await tracon.run("desk", { message });
  if (status !== "AwaitingApproval") throw new Error(`the run is ${status}`);
});

const mailbox = await latencyOf(() => tracon.approvals.pending({ take: 50 }), setting.budgetMs);

const ids: { readonly id: string; readonly continuationRunId: string }[] = [];
for (const _ of ALL_PAGES) {
  const after = ids.at(-1)?.id;
  const page = { take: 200, ...(after === undefined ? {} : { after }) };
  ids.push(...(await tracon.approvals.pending(page)));
}

const waits: number[] = [];
const decideSeconds = await each(ids, async ({ id }) => {
  const begun = performance.now();
  await tracon.approvals.decide(id, { approved: true });
  waits.push(performance.now() - begun);
});
// Closing waits for the runs that go on.
const begunClosing = performance.now();
await tracon.close();
const closeSeconds = (performance.now() - begunClosing) / 1_000;
if (refunds !== WAITING) throw new Error(`${refunds} of ${WAITING} approved calls ran`);

finish({
  stoppedPerSecond: WAITING / stopSeconds,
  mailbox,
  decidedPerSecond: WAITING / decideSeconds,
  decideP50: quantile(
    waits.sort((a, b) => a - b),
    0.5,
  ),
  goneOnPerSecond: WAITING / (decideSeconds + closeSeconds),
});
