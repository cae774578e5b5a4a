/**
 * Three processes spend the budgets of 10,000 trees and are killed one after the other: no tree ever
 * has more used and reserved than its limit, and nothing that the dead had reserved stays lost.
 */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openStores } from "@tracon/store";
import { storeMatrix } from "@tracon/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type BudgetOrder,
  type BudgetReport,
  MAX_TOKENS,
  moveOf,
  openingOf,
  rootOf,
  TENANT,
} from "./budget-trees.ts";
import { type BundledChild, bundleChild } from "./crash-processes.ts";

const TREES = 10_000;
const PROCESSES = 3;
const KILLS = Number(process.env.TRACON_BUDGET_KILLS ?? 12);
/**
 * A process is killed only once it has committed that often, and then at no special moment. On
 * PostgreSQL each refusal is a commit of its own.
 */
const COMMITS_BEFORE_KILL = { sqlite: 20, postgres: 6 };
const OPENED_AT_ONCE = 500;
/** Trees whose last room is asked for at the end: a commit for each on PostgreSQL. */
const EMPTIED_TREES = 1_000;

let child: BundledChild;
beforeAll(async () => {
  child = await bundleChild("budget-child");
});
afterAll(() => child.remove());

const persistent = storeMatrix().flatMap(({ engine, newUrl }) =>
  engine === "memory" ? [] : [{ engine, newUrl }],
);

it.for(persistent)(
  `keeps every limit of ${TREES} trees on $engine in ${KILLS} kills, and leaks nothing`,
  { timeout: 120_000 },
  async ({ engine, newUrl }) => {
    const storage = await newUrl();
    const { journal, runs, close } = await openStores(storage);
    const trees = Array.from({ length: TREES }, (_, tree) => tree);
    for (let first = 0; first < TREES; first += OPENED_AT_ONCE) {
      await journal.commit(trees.slice(first, first + OPENED_AT_ONCE).map(openingOf));
    }
    const budgets = () => Promise.all(trees.map((tree) => runs.budget(TENANT, rootOf(tree))));

    let generation = 0;
    const commits = COMMITS_BEFORE_KILL[engine];
    const start = () => startSpending({ storage, trees: TREES, generation: generation++ }, commits);
    const living = Array.from({ length: PROCESSES }, start);
    for (let kill = 0; kill < KILLS; kill++) {
      await living.shift()?.kill();
      living.push(start());
    }
    await Promise.all(living.map((it) => it.kill()));

    const spent = await budgets();
    const beyond = spent.filter(
      (it) => (it?.usedTokens ?? 0) + (it?.reservedTokens ?? 0) > MAX_TOKENS,
    );
    expect(beyond).toEqual([]);
    expect(spent.filter((it) => it?.usedTokens !== 0).length).toBeGreaterThan(TREES / 10);
    expect(spent.filter((it) => it?.reservedTokens !== 0).length).toBeGreaterThan(TREES / 100);

    const emptied = trees.slice(0, EMPTIED_TREES).flatMap((tree) => {
      const tokens = MAX_TOKENS - (spent[tree]?.usedTokens ?? 0);
      const reservations = [{ id: `rest-${tree}`, tokens }];
      return tokens === 0
        ? []
        : [moveOf(tree, generation + PROCESSES + 1, { settlements: [], reservations })];
    });
    const { refusals } = await journal.commit(emptied);
    expect(refusals).toEqual([]);
    await close();
  },
);

/** A process that spends; `kill` waits until it has done some of that. */
function startSpending(order: BudgetOrder, commits: number) {
  const spender = fork(child.file, {
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const busy = untilBusy(spender, order, commits);
  return {
    async kill(): Promise<void> {
      await busy;
      const exited = once(spender, "exit");
      spender.kill("SIGKILL");
      await exited;
    },
  };
}

function untilBusy(spender: ChildProcess, order: BudgetOrder, commits: number): Promise<void> {
  return new Promise((resolve, reject) => {
    spender.on("message", (message: BudgetReport) => {
      if ("loaded" in message) spender.send(order);
      else if (message.commits >= commits) resolve();
    });
    spender.once("exit", () => reject(new Error("a process ended by itself")));
  });
}
