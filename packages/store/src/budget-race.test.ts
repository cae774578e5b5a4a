/**
 * Random trees whose runs reserve, settle and die on three connections of one database. The same with
 * 10,000 trees, processes and kills is `e2e/crash/budget-crash.test.ts`.
 */

import type { BudgetReservation, JournalEntry, RunRecord, Stores } from "@tracon/core";
import { sequentialIds, storeMatrix } from "@tracon/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStores } from "./open-stores.ts";

/** A refusal is a commit of its own on PostgreSQL, so there are fewer of them there. */
const TREES = { sqlite: 1_000, postgres: 150 };
const TREES_AT_ONCE = 500;
const CONNECTIONS = 3;
const ROUNDS = 4;
const TENANT = "races";
const SEED = 20_260_101;
const START_MS = Date.parse("2026-01-01T00:00:00.000Z");
/** A reservation lasts two rounds. */
const ROUND_MS = 60_000;
const LIFETIME_MS = 2 * ROUND_MS;

const engines = storeMatrix().flatMap(({ engine, newUrl }) =>
  engine === "memory" ? [] : [{ engine, newUrl, count: TREES[engine] }],
);

describe.each(engines)("budgets on $engine", ({ newUrl, count }) => {
  const connections: Stores[] = [];
  beforeAll(async () => {
    const url = await newUrl();
    for (let index = 0; index < CONNECTIONS; index++) connections.push(await openStores(url));
  });
  afterAll(() => Promise.all(connections.map((stores) => stores.close())));

  it(`never go beyond a limit in ${count} trees on three connections, and leak nothing`, async () => {
    const random = randomOf(SEED);
    const ids = sequentialIds();
    let refusals = 0;

    for (let done = 0; done < count; done += TREES_AT_ONCE) {
      const trees = Array.from({ length: TREES_AT_ONCE }, () => treeOf(ids.next(), random));
      await connections[0]?.journal.commit(trees.map(openingOf));
      for (let round = 0; round < ROUNDS; round++) {
        const taken = await Promise.all(
          connections.map((stores, actor) => move(stores, trees, { actor, round, random })),
        );
        refusals += taken.reduce((sum, count) => sum + count);
      }
      await check(connections, trees);
    }

    expect(refusals).toBeGreaterThan(count);
  }, 120_000);
});

type Held = { readonly id: string; readonly tokens: number; readonly expiresMs: number };
type Tree = {
  readonly root: string;
  readonly limit: number;
  /** By connection; what a killed owner leaves is taken off. */
  readonly held: Held[][];
  used: number;
};

const treeOf = (root: string, random: () => number): Tree => ({
  root,
  limit: 150 + Math.floor(random() * 350),
  held: Array.from({ length: CONNECTIONS }, () => []),
  used: 0,
});

const timeOf = (ms: number): string => new Date(START_MS + ms).toISOString();

function openingOf({ root, limit }: Tree): JournalEntry {
  const record: RunRecord = {
    id: root,
    agentName: "racer",
    kind: "Agent",
    status: "Running",
    startedAt: timeOf(0),
    isStreaming: false,
    eventCount: 0,
    depth: 0,
    childRunCount: 0,
  };
  const opened = { currency: "USD", limits: { maxTokens: limit } };
  const budget = { rootRunId: root, at: timeOf(0), opened, settlements: [], reservations: [] };
  return { tenantId: TENANT, runId: root, opened: { record }, budget };
}

type Move = { readonly actor: number; readonly round: number; readonly random: () => number };

/** One connection settles some of what it holds, forgets some as if it was killed, and wants more. */
async function move(
  { journal }: Stores,
  trees: readonly Tree[],
  { actor, round, random }: Move,
): Promise<number> {
  const nowMs = round * ROUND_MS;
  const wanted = new Map<string, { readonly tree: Tree; readonly held: Held }>();
  const batch = trees.map((tree, index): JournalEntry => {
    const held = tree.held[actor] ?? [];
    const settlements = held.splice(0).flatMap(({ id, tokens, expiresMs }) => {
      if (random() < 0.2 || expiresMs <= nowMs) return [];
      const spent = Math.floor(random() * (tokens + 1));
      tree.used += spent;
      const isRoots = actor === 0 && id.endsWith("-0");
      return [{ reservationId: id, isRoots, tokens: spent, estimatedTokens: 0, costNanos: 0 }];
    });
    const expiresMs = nowMs + LIFETIME_MS;
    const reservations = Array.from({ length: 1 + Math.floor(random() * 2) }, (_, count) => {
      const id = `${index}-${actor}-${round}-${count}`;
      const tokens = 1 + Math.floor(random() * 60);
      wanted.set(id, { tree, held: { id, tokens, expiresMs } });
      // The first connection is the root's.
      const isRoots = actor === 0 && count === 0;
      return { ...reservationOf(id, tokens, timeOf(expiresMs)), isRoots };
    });
    const budget = { rootRunId: tree.root, at: timeOf(nowMs), settlements, reservations };
    return { tenantId: TENANT, runId: tree.root, budget };
  });
  const { refusals } = await journal.commit(batch);
  for (const { reservationId } of refusals) wanted.delete(reservationId);
  for (const { tree, held } of wanted.values()) tree.held[actor]?.push(held);
  return refusals.length;
}

const reservationOf = (id: string, tokens: number, expiresAt: string): BudgetReservation => ({
  id,
  tokens,
  costNanos: 0,
  childRuns: 0,
  toolCalls: 0,
  expiresAt,
});

/** What was used is what was settled, within the limit; and nobody's room is lost. */
async function check([stores]: readonly Stores[], trees: readonly Tree[]): Promise<void> {
  const afterAllMs = ROUNDS * ROUND_MS + LIFETIME_MS;
  const outcome = await stores?.journal.commit(
    trees.map((tree) => ({
      tenantId: TENANT,
      runId: tree.root,

      budget: {
        rootRunId: tree.root,
        at: timeOf(afterAllMs),
        settlements: [],
        reservations:
          tree.used === tree.limit
            ? []
            : [reservationOf(`rest-${tree.root}`, tree.limit - tree.used, timeOf(afterAllMs + 1))],
      },
    })),
  );
  expect(outcome?.refusals).toEqual([]);
  for (const { root, limit, used } of trees) {
    const budget = await stores?.runs.budget(TENANT, root);
    if (budget?.usedTokens === used && used + (budget?.reservedTokens ?? 0) === limit) continue;
    expect(budget).toMatchObject({ usedTokens: used, reservedTokens: limit - used });
  }
}

/** Mulberry32: a small generator, so that a failure can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
