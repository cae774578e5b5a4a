/** The limits the product has to keep, each a ratio within one run or a number of the original. */

import { atLeast, atMost, type Gate, itself, ratio } from "./gate.ts";
import { perRound, type Samples } from "./samples.ts";
import type { Spread } from "./statistics.ts";
import { treeGates } from "./tree-gates.ts";

export type Verdict = {
  readonly gate: Gate;
  readonly measured: Spread | undefined;
  readonly passes: boolean | undefined;
};

export const judge = (samples: Samples, gates: readonly Gate[]): readonly Verdict[] =>
  gates.map((gate) => {
    const measured = perRound(samples, gate.places, gate.make);
    if (measured === undefined) return { gate, measured, passes: undefined };
    const passes =
      gate.bound === "at most" ? measured.median <= gate.limit : measured.median >= gate.limit;
    return { gate, measured, passes };
  });

const AI = "durable/ai";

const durableGates = (store: "sqlite" | "postgres"): readonly Gate[] => {
  const product = `durable/product ${store}`;
  const peer: Gate =
    store === "sqlite"
      ? {
          group: "durable",
          title: "SQLite: runs/s, 32 in flight, against LangGraph `exit`",
          ...atLeast(3),
          places: [
            [product, "crowd.runsPerSecond"],
            ["durable/langgraph sqlite", "crowd.runsPerSecond"],
          ],
          make: ratio,
        }
      : {
          group: "durable",
          title: "PostgreSQL: runs/s, 32 in flight, against DBOS",
          ...atLeast(6),
          places: [
            [product, "crowd.runsPerSecond"],
            ["durable/dbos postgres", "crowd.runsPerSecond"],
          ],
          make: ratio,
        };
  const name = store === "sqlite" ? "SQLite" : "PostgreSQL";
  return [
    {
      group: "durable",
      title: `${name}: CPU a run, 32 in flight, against AI SDK \`generateText\` storing nothing`,
      ...atMost(0.5),
      places: [
        [product, "crowd.cpuUs"],
        [AI, "alone.cpuUs"],
      ],
      make: ratio,
    },
    {
      group: "durable",
      title: `${name}: runs/s, 32 in flight, against the reference`,
      ...atLeast(0.5),
      places: [
        [product, "crowd.runsPerSecond"],
        [`durable/reference ${store}`, "crowd.runsPerSecond"],
      ],
      make: ratio,
    },
    peer,
    {
      group: "durable",
      title: `${name}: one run alone against its waits for the disk, one row each`,
      ...atMost(2),
      places: [
        [product, "alone.p50"],
        [`durable/commit ${store}`, "commit.p50"],
        ["durable/durable-points", "commitsPerRun"],
      ],
      make: (run, commit, waits) => run / (commit * waits),
    },
  ];
};

const STREAM = "stream/product sqlite";

const streamGates: readonly Gate[] = (["p50", "cpuUs"] as const).flatMap((value) => {
  const what = value === "p50" ? "time" : "CPU";
  return [
    {
      group: "stream",
      title: `100 deltas recorded, ${what}, against AI SDK \`streamText\` unrecorded`,
      ...atMost(0.4),
      places: [
        [STREAM, `deltas100.${value}`],
        ["stream/ai", `deltas100.${value}`],
      ],
      make: ratio,
    },
    {
      group: "stream",
      title: `100 deltas recorded, ${what}, against OpenAI Agents unrecorded`,
      ...atMost(1.2),
      places: [
        [STREAM, `deltas100.${value}`],
        ["stream/openai-agents", `deltas100.${value}`],
      ],
      make: ratio,
    },
  ];
});

/** What one more delta costs, between an answer of 100 and one of 10,000. */
const deltaGates: readonly Gate[] = (
  [
    ["stream/ai", "AI SDK `streamText`", 0.15],
    ["stream/openai-agents", "OpenAI Agents", 1.2],
  ] as const
).map(([peer, name, limit]) => ({
  group: "stream",
  title: `Time of one more delta, recorded, against ${name} unrecorded`,
  ...atMost(limit),
  places: [
    [STREAM, "deltas100.p50"],
    [STREAM, "deltas10000.p50"],
    [peer, "deltas100.p50"],
    [peer, "deltas10000.p50"],
  ],
  make: (ours, oursLong, theirs, theirsLong) => (oursLong - ours) / (theirsLong - theirs),
}));

const growthGates: readonly Gate[] = [
  {
    group: "stream",
    title: "Time of a delta at 10,000 against one at 100",
    ...atMost(1.2),
    places: [
      [STREAM, "deltas1.p50"],
      [STREAM, "deltas100.p50"],
      [STREAM, "deltas10000.p50"],
    ],
    make: (one, hundred, tenThousand) => (tenThousand - one) / 10_000 / ((hundred - one) / 100),
  },
  {
    group: "tool-calls",
    title: "Time of a tool call at 100 against one at 10",
    ...atMost(1.2),
    places: [
      ["tool-calls/product sqlite", "calls1.p50"],
      ["tool-calls/product sqlite", "calls10.p50"],
      ["tool-calls/product sqlite", "calls100.p50"],
    ],
    make: (one, ten, hundred) => (hundred - one) / 99 / ((ten - one) / 9),
  },
];

const CLIENTS = [
  ["1", "1 client"],
  ["200", "200 clients"],
] as const;

/** What reaches clients against node:http that writes the same events from memory. */
const eventRateGates: readonly Gate[] = (
  [
    ["live200", "Live run, 200 clients"],
    ["past1", "Past run, 1 client"],
    ["past200", "Past run, 200 clients"],
  ] as const
).map(([scenario, who]) => ({
  group: "event-streams",
  title: `${who}: events/s against node:http with the same events`,
  ...atLeast(0.6),
  places: [
    ["event-streams", `${scenario}.ours.eventsPerSecond`],
    ["event-streams", `${scenario}.held.eventsPerSecond`],
  ],
  make: ratio,
}));

const eventStreamGates: readonly Gate[] = [
  ...eventRateGates,
  {
    group: "event-streams",
    // How fast they come is up to the run; what the server can carry is up to the CPU of an event.
    title: "Live run, 200 clients: events a second of CPU against node:http with the same events",
    ...atLeast(0.6),
    places: [
      ["event-streams", "live200.held.cpuUsAnEvent"],
      ["event-streams", "live200.ours.cpuUsAnEvent"],
    ],
    make: ratio,
  },
  ...CLIENTS.map(
    ([clients, who]): Gate => ({
      group: "event-streams",
      title: `Past run, ${who}: events/s against the driver and node:http by hand`,
      ...atLeast(0.5),
      places: [
        ["event-streams", `past${clients}.ours.eventsPerSecond`],
        ["event-streams", `past${clients}.read.eventsPerSecond`],
      ],
      make: ratio,
    }),
  ),
];

const listGates: readonly Gate[] = (["sqlite", "postgres"] as const).flatMap((store) => {
  const job = `list/${store}`;
  const name = store === "sqlite" ? "SQLite" : "PostgreSQL";
  return [
    {
      group: "list",
      title: `${name}: newest 50 of 100,000 runs against 50 of 200`,
      ...atMost(1.2),
      places: [
        [job, "many.p50"],
        [job, "few.p50"],
      ],
      make: ratio,
    },
    {
      group: "list",
      title: `${name}: statistics of 100,000 runs against those of 200 of the same day`,
      ...atMost(1.2),
      places: [
        [job, "statisticsMany.p50"],
        [job, "statisticsFew.p50"],
      ],
      make: ratio,
    },
    {
      group: "list",
      title: `${name}: newest 50 of 100,000 runs against the driver alone`,
      ...atMost(2),
      places: [
        [job, "many.p50"],
        [job, "rawMany.p50"],
      ],
      make: ratio,
    },
  ];
});

const agentGates: readonly Gate[] = [
  ...(["stored", "besideFactory"] as const).map(
    (which): Gate => ({
      group: "agents",
      title: `A run finds a compiled agent of the database${which === "stored" ? "" : " where a factory is registered"}, without a query`,
      ...atMost(5, "µs"),
      places: [["agents", `resolveNs.${which}`]],
      make: (ns) => ns / 1_000,
    }),
  ),
  {
    group: "agents",
    title: "Hit of the cache of compiled agents against a `Map` with a ready key",
    ...atMost(3),
    places: [
      ["agents", "hitNs.cache"],
      ["agents", "hitNs.map"],
    ],
    make: ratio,
  },
  {
    group: "agents",
    title: "A resident compiled agent beyond its definition",
    ...atMost(2_048, "bytes"),
    places: [["agents", "agentBytes"]],
    make: itself,
  },
];

/** What the original publishes for 64 runs in flight: added time and CPU a run. */
const capacityGates: readonly Gate[] = (["sqlite", "postgres"] as const).flatMap((store) => {
  const job = `capacity/product ${store}`;
  const name = store === "sqlite" ? "SQLite" : "PostgreSQL";
  return [
    { form: "json", what: "JSON", addedMs: 27, cpuMs: 0.4 * 5.3 },
    { form: "sse", what: "event stream", addedMs: 52, cpuMs: 0.4 * 12 },
  ].flatMap(({ form, what, addedMs, cpuMs }): readonly Gate[] => [
    {
      group: "capacity",
      title: `${name}, ${what}: added to a model of 1 s, p50, 64 in flight`,
      ...atMost(addedMs, "ms"),
      places: [[job, `${form}.addedP50`]],
      make: itself,
    },
    {
      group: "capacity",
      title: `${name}, ${what}: CPU a run`,
      ...atMost(cpuMs, "ms"),
      places: [[job, `${form}.cpuUs`]],
      make: (us) => us / 1_000,
    },
  ]);
});

/** A run alone on a busy machine says more of the machine, so the gate is on the wait before a call. */
const budgetGates: readonly Gate[] = [
  {
    group: "budget",
    title: "SQLite: what the budget of a tree adds to the wait before a model call, p95",
    ...atMost(2, "ms"),
    places: [
      ["budget", "ahead.limitedP95"],
      ["budget", "ahead.unlimitedP95"],
    ],
    make: (limited, unlimited) => (limited - unlimited) / 1_000,
  },
];

const cancelGates: readonly Gate[] = [
  {
    group: "cancel",
    title: "From a cancel request to the close of the provider's connection, p95",
    ...atMost(100, "ms"),
    places: [["cancel", "p95Ms"]],
    make: itself,
  },
];

export const gates: readonly Gate[] = [
  ...durableGates("sqlite"),
  ...durableGates("postgres"),
  ...streamGates,
  ...deltaGates,
  ...growthGates,
  ...eventStreamGates,
  ...listGates,
  ...agentGates,
  ...capacityGates,
  ...budgetGates,
  ...cancelGates,
  ...treeGates,
];
