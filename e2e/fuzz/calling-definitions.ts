/**
 * Definitions with members for calling agents and for loops that nobody should write, beside such that
 * somebody might: deep, huge, of wrong types, in odd scripts.
 */

import fc from "fast-check";

/** The JSON text of a definition, so that it can hold what no object of ours would. */
export type WrittenDefinition = {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
};

const ODD_TEXTS = [
  "",
  " ",
  "-",
  "--",
  "a".repeat(129),
  "A".repeat(64),
  "\u0000",
  "\ud800",
  "\u202ehelper",
  "ｈｅｌｐｅｒ",
  "he\u0301lper",
  "__proto__",
  "constructor",
  "toString",
  "load_skill",
  "search_knowledge",
  "todos_add",
  "background_agents_start_task",
  "{{name}}",
];
const odd = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(...ODD_TEXTS),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(null, true, 0, -1, 1.5, 1e21, [], {}, [[]], { a: { b: [] } }),
    fc.integer({ min: 1, max: 70 }).map(nested),
  );

/** Mostly the first, which belongs there; now and then another one, or what nobody expects. */
const mostly = (first: unknown, ...others: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 24, arbitrary: fc.constant(first) },
    { weight: 5, arbitrary: fc.constantFrom(first, ...others) },
    { weight: 1, arbitrary: odd() },
  );

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { loop: value } : [value];
  return value;
}

const VERSIONS = [
  undefined,
  1,
  2,
  0,
  -1,
  1e9,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  1.5,
  "1",
  -0,
] as const;
const AGENTS = [
  "helper",
  "coded",
  "own",
  "fuzzed",
  "nobody",
  "HELPER",
  "help er",
  "hélper",
] as const;

const entry = fc.oneof(
  mostly(...AGENTS),
  fc.record({ name: mostly(...AGENTS), version: mostly(...VERSIONS) }),
);

const rarely = (item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: item });

/** A list of what is given, sometimes of as many as there may be or more, sometimes none at all. */
const listOf = (item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 14, arbitrary: fc.array(item, { minLength: 1, maxLength: 2 }) },
    { weight: 4, arbitrary: fc.array(item, { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.tuple(item, fc.constantFrom(255, 256, 257, 999)).map(repeated) },
    { weight: 1, arbitrary: odd() },
  );

const repeated = ([item, count]: [unknown, number]): unknown =>
  Array.from({ length: count }, (_, index) => numbered(item, index));

/** The same again under another name, so that the list is one that could be. */
function numbered(item: unknown, index: number): unknown {
  if (index === 0 || item === null || typeof item !== "object") return item;
  return "name" in item && index % 3 === 0 ? { ...item, name: `callee${index}` } : item;
}

const DURATIONS = [
  undefined,
  "10s",
  "00:00:20",
  "PT1M",
  "0s",
  "-1s",
  "24.20:31:00",
  "9999.00:00:00",
  10,
  "1e3s",
] as const;

const subAgents = fc.record(
  {
    callMode: mostly("Tool", "BackgroundTasks", "tool", "TOOL", "Both"),
    childDeadline: mostly(...DURATIONS),
    waitTimeout: mostly(...DURATIONS),
    unknown: rarely(odd()),
  },
  { requiredKeys: [] },
);

const KINDS = [
  ...["completionMarker", "todoCompletion", "aiJudge", "backgroundTaskCompletion"],
  ...["agentReview", "agentReview", "mine"],
];
const criterion = fc.record(
  {
    kind: fc.oneof(...KINDS.map((kind) => mostly(kind, "AIJUDGE", "nobody"))),
    marker: mostly("ALL DONE", "x".repeat(4_097), "[.*", "\ud83d"),
    judgeCriteria: listOf(mostly("Cites a source.", " ")),
    judgeInstructions: mostly("Judge.", "{{criteria}}"),
    modes: listOf(mostly("plan", "execute", "PLAN")),
    reviewerAgent: mostly(...AGENTS),
    reviewerAgentVersion: mostly(...VERSIONS),
    unknown: rarely(odd()),
  },
  { requiredKeys: ["kind", "marker", "judgeCriteria", "reviewerAgent"] },
);

const loop = fc.record(
  {
    criteria: listOf(criterion),
    maxIterations: mostly(1, 2, 3, 0, -1, 1e9, 2 ** 53, 1.5, "1"),
    freshContextPerIteration: mostly(true, false, "true"),
    onExhausted: mostly("FailRun", "ReturnLastResponse", "failrun", "Never"),
    onCriterionError: mostly("FailRun", "ReturnLastResponse", "Never"),
    unknown: rarely(odd()),
  },
  { requiredKeys: ["criteria"] },
);

const members = fc.record(
  {
    callableAgents: fc.oneof(
      { weight: 15, arbitrary: listOf(entry) },
      { weight: 1, arbitrary: odd() },
    ),
    subAgents: fc.oneof({ weight: 15, arbitrary: subAgents }, { weight: 1, arbitrary: odd() }),
    harness: fc.oneof(
      { weight: 15, arbitrary: fc.record({ disableCompaction: fc.constant(true), loop }) },
      { weight: 1, arbitrary: odd() },
    ),
    toolNames: mostly([], ["helper"], ["todos_add"], ["nobody"]),
    unknown: rarely(odd()),
  },
  { requiredKeys: [] },
);

/** A definition of that name and model. */
export const callingDefinitions = (base: object): fc.Arbitrary<WrittenDefinition> =>
  members.map((made) => {
    const text = JSON.stringify({ ...base, ...made });
    return { text, value: JSON.parse(text) as WrittenDefinition["value"] };
  });

/** Whether a path of a finding leads to something of the request, or to what is missing in it. */
export function leadsInto(value: unknown, path: string): boolean {
  const segments = [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([key, index]) => index ?? key);
  let at: unknown = value;
  for (const segment of segments.slice(0, -1)) {
    if (at === null || typeof at !== "object") return false;
    at = (at as Readonly<Record<string, unknown>>)[segment];
  }
  // An agent to call may be written as its name alone.
  if (typeof at === "string") return segments.at(-1) === "name";
  return segments.length === 0 || (at !== null && typeof at === "object");
}
