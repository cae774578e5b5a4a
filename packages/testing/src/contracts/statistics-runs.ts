/** Random runs that have ended, for the contract of statistics; the same ones for the same seed. */

import type { RunRecord, RunStatus, RunTally } from "@tracon/core";
import { runIds, runRecord, tally } from "./fixtures.ts";

const FIRST_MS = Date.UTC(2026, 0, 1);
/** The runs start within two days. */
const SPAN_MS = 2 * 24 * 3_600_000;
const STATUSES: readonly RunStatus[] = [
  "Completed",
  "Completed",
  "Completed",
  "Failed",
  "Canceled",
  "AwaitingApproval",
  "AwaitingInput",
];

type Chance = {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** The value, two times of three. */
  perhaps<Value>(value: Value): Value | undefined;
};

export function randomTallies(count: number, seed: number): readonly RunTally[] {
  const chance = chanceOf(seed);
  return runIds(count).map((id) => randomTally(id, chance));
}

function randomTally(id: string, chance: Chance): RunTally {
  const startedMs = FIRST_MS + chance.below(SPAN_MS);
  const usage = chance.perhaps(randomUsage(chance));
  const cost = usage && chance.perhaps(chance.below(1_000_000) / 1e9);
  const model = chance.below(3);
  const record = {
    ...runRecord(id),
    kind: chance.below(5) === 0 ? ("Workflow" as const) : ("Agent" as const),
    status: STATUSES[chance.below(STATUSES.length)] ?? "Completed",
    agentName: `agent-${chance.below(3)}`,
    agentVersion: chance.perhaps(1 + chance.below(2)),
    startedAt: new Date(startedMs).toISOString(),
    completedAt: chance.perhaps(new Date(startedMs + chance.below(90_000)).toISOString()),
    userId: chance.perhaps(`user-${chance.below(4)}`),
    labels: chance.perhaps(randomLabels(chance)),
    ...(model === 2 ? {} : { modelProvider: "test", modelId: `model-${model}` }),
    usage,
    cost:
      cost === undefined
        ? { source: "Unknown" as const }
        : { source: "Catalog" as const, totalCost: cost, currency: "USD" },
  };
  return tally(definedOf(record), { isUnpriced: cost === undefined });
}

function randomUsage(chance: Chance): NonNullable<RunRecord["usage"]> {
  const count = () => chance.perhaps(chance.below(5_000));
  return definedOf({
    inputTokens: chance.below(5_000),
    outputTokens: count(),
    totalTokens: count(),
    cachedInputTokens: count(),
    audioInputTokens: undefined,
    reasoningTokens: count(),
    audioOutputTokens: undefined,
  });
}

function randomLabels(chance: Chance): Record<string, string> {
  const team = ["north", "south"][chance.below(2)] ?? "";
  const channel = chance.perhaps("mail");
  return { team, ...(channel === undefined ? {} : { channel }) };
}

/** The members that have a value. */
const definedOf = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Members]: Exclude<Members[Key], undefined>;
  };

/** A linear congruential generator: chance that a failure can be repeated with. */
function chanceOf(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    perhaps: (value) => (next() < 2 / 3 ? value : undefined),
  };
}
