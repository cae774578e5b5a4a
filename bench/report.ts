/** Results as tables: markdown for the README, aligned text for a terminal. */

import type { Verdict } from "./gates.ts";
import { measuredAt, type Place, type Samples } from "./samples.ts";
import type { Spread } from "./statistics.ts";

/** Three significant digits, with a comma for thousands. */
export function numberText(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString("en-US");
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const spreadText = ({ median, low, high }: Spread, scale = 1): string =>
  `${numberText(median * scale)} [${numberText(low * scale)}–${numberText(high * scale)}]`;

const boundText = ({ gate }: Verdict): string =>
  `${gate.bound === "at most" ? "≤" : "≥"} ${numberText(gate.limit)} ${gate.unit}`;

const passText = ({ passes }: Verdict): string =>
  passes === undefined ? "not measured" : passes ? "PASS" : "FAIL";

/** One line a gate. */
export const gateLines = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.map((verdict) => {
    const measured = verdict.measured === undefined ? "–" : spreadText(verdict.measured);
    return `${passText(verdict).padEnd(12)}  ${measured.padEnd(24)} ${boundText(verdict).padEnd(14)} ${verdict.gate.title}`;
  });

export const gateTable = (verdicts: readonly Verdict[]): string =>
  table(
    ["Gate", "Limit", "Measured", ""],
    verdicts.map((verdict) => [
      verdict.gate.title,
      boundText(verdict),
      verdict.measured === undefined ? "–" : spreadText(verdict.measured),
      passText(verdict),
    ]),
  );

type Column = readonly [heading: string, value: string, scale?: number];

/** What each job measured, one table a kind of job. */
export function valueTables(samples: Samples): string {
  return TABLES.map(({ heading, jobs, columns }) => {
    const names = Object.keys(samples).filter((name) => jobs.test(name));
    if (names.length === 0) return "";
    const rows = names.map((name) => [
      name.slice(name.indexOf("/") + 1),
      ...columns.map(([, value, scale]) => cell(samples, [name, value], scale)),
    ]);
    return `### ${heading}\n\n${table(["", ...columns.map(([text]) => text)], rows)}`;
  })
    .filter((text) => text !== "")
    .join("\n\n");
}

function cell(samples: Samples, place: Place, scale?: number): string {
  const measured = measuredAt(samples, place);
  return measured === undefined ? "–" : spreadText(measured, scale);
}

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const TABLES: readonly {
  readonly heading: string;
  readonly jobs: RegExp;
  readonly columns: readonly Column[];
}[] = [
  {
    heading: "A run with every event durable (and peers that store less or nothing)",
    jobs: /^durable\/(?!commit|durable-points)/,
    columns: [
      ["alone p50, µs", "alone.p50"],
      ["p99", "alone.p99"],
      ["CPU", "alone.cpuUs"],
      ["runs/s, 32 in flight", "crowd.runsPerSecond"],
      ["p99, ms", "crowd.p99", 1e-3],
      ["CPU a run, µs", "crowd.cpuUs"],
    ],
  },
  {
    heading: "A commit of one row",
    jobs: /^durable\/commit/,
    columns: [
      ["p50, µs", "commit.p50"],
      ["p99", "commit.p99"],
    ],
  },
  {
    heading: "Streaming: a tool call, then deltas of 16 characters",
    jobs: /^stream\//,
    columns: [
      ["1, µs", "deltas1.p50"],
      ["100, µs", "deltas100.p50"],
      ["p99", "deltas100.p99"],
      ["CPU", "deltas100.cpuUs"],
      ["1,000, ms", "deltas1000.p50", 1e-3],
      ["10,000, ms", "deltas10000.p50", 1e-3],
      ["CPU", "deltas10000.cpuUs", 1e-3],
    ],
  },
  {
    heading: "Tool calls of one run, one after the other",
    jobs: /^tool-calls\//,
    columns: [
      ["1, µs", "calls1.p50"],
      ["10, ms", "calls10.p50", 1e-3],
      ["100, ms", "calls100.p50", 1e-3],
      ["CPU of 100, ms", "calls100.cpuUs", 1e-3],
    ],
  },
  {
    heading: "Event streams, thousand events/s (µs of CPU an event)",
    jobs: /^event-streams$/,
    columns: [
      ["past1", "ours", "read", "held"],
      ["past200", "ours", "read", "held"],
      ["live200", "ours", "held", "made"],
    ].flatMap(([name, ...kinds]) =>
      kinds.flatMap((kind): readonly Column[] => [
        [`${name} ${kind}`, `${name}.${kind}.eventsPerSecond`, 1e-3],
        ["CPU", `${name}.${kind}.cpuUsAnEvent`],
      ]),
    ),
  },
  {
    heading: "The newest 50 runs",
    jobs: /^list\//,
    columns: [
      ["of 200, µs", "few.p50"],
      ["of 100,000", "many.p50"],
      ["p99", "many.p99"],
      ["driver alone, of 100,000", "rawMany.p50"],
    ],
  },
  {
    heading: "1,000 calls that wait for a person",
    jobs: /^approvals\//,
    columns: [
      ["runs stopped/s", "stoppedPerSecond"],
      ["mailbox of 50, µs", "mailbox.p50"],
      ["p99", "mailbox.p99"],
      ["decided/s, 32 in flight", "decidedPerSecond"],
      ["p50 of a decision, ms", "decideP50"],
      ["decided and gone on/s", "goneOnPerSecond"],
    ],
  },
  {
    heading: "The budget of a tree, SQLite",
    jobs: /^budget$/,
    columns: [
      ["with limits p50, µs", "limited.p50"],
      ["p99", "limited.p99"],
      ["without p50, µs", "unlimited.p50"],
      ["p99", "unlimited.p99"],
      ["from a tool to the next call p95, µs", "ahead.limitedP95"],
      ["without limits", "ahead.unlimitedP95"],
    ],
  },
  {
    heading: "Loops, against plain runs of the same turn",
    jobs: /^loops\//,
    columns: [
      ["run alone p50, µs", "alone.plain.p50"],
      ["loop of 10, ms", "alone.loop.p50", 1e-3],
      ["with a fresh context, ms", "alone.fresh.p50", 1e-3],
      ["CPU a run, 32 in flight, µs", "crowd.plain.cpuUs"],
      ["CPU a loop, ms", "crowd.loop.cpuUs", 1e-3],
      ["with a fresh context, ms", "crowd.fresh.cpuUs", 1e-3],
      ["1,000 loops of 3 at once, loops/s", "flood.loopsPerSecond"],
      ["CPU an iteration, µs", "flood.loopCpuUs"],
      ["CPU a run, 1,000 at once", "flood.plainCpuUs"],
      ["memory, MiB", "flood.rssMiB"],
    ],
  },
  {
    heading: "Agents that call agents, against plain runs",
    jobs: /^trees\//,
    columns: [
      ["run alone p50, µs", "alone.plain.p50"],
      ["with a child, µs", "alone.child.p50"],
      ["CPU a run, 32 in flight, µs", "crowd.plain.cpuUs"],
      ["with a child, µs", "crowd.child.cpuUs"],
      ["26 runs at once p50, ms", "wide.plain.p50", 1e-3],
      ["CPU, ms", "wide.plain.cpuUs", 1e-3],
      ["tree of 25 children p50, ms", "wide.tree.p50", 1e-3],
      ["CPU, ms", "wide.tree.cpuUs", 1e-3],
    ],
  },
  {
    heading: "From a cancel request to the close of the provider's connection",
    jobs: /^cancel$/,
    columns: [
      ["p50, ms", "p50Ms"],
      ["p95, ms", "p95Ms"],
    ],
  },
  {
    heading: "Compiled agents",
    jobs: /^agents$/,
    columns: [
      ["found for a run, ns", "resolveNs.stored"],
      ["where a factory is registered", "resolveNs.besideFactory"],
      ["cache hit alone", "hitNs.cache"],
      ["Map hit", "hitNs.map"],
      ["bytes an agent", "agentBytes"],
      ["bytes of its definition", "definitionBytes"],
    ],
  },
  {
    heading: "Runs over HTTP, model without delay, 64 in flight",
    jobs: /^http\//,
    columns: [
      ["runs/s", "json.runsPerSecond"],
      ["p50, ms", "json.p50"],
      ["p99, ms", "json.p99"],
      ["server CPU a run, µs", "json.cpuUs"],
    ],
  },
  {
    heading: "Capacity profile, model of 1 s, 64 in flight",
    jobs: /^capacity\//,
    columns: (["json", "sse"] as const).flatMap((form): readonly Column[] => [
      [`${form}: added p50, ms`, `${form}.addedP50`],
      ["added p99, ms", `${form}.addedP99`],
      ["CPU a run, ms", `${form}.cpuUs`, 1e-3],
    ]),
  },
  {
    heading: "Start",
    jobs: /^start-up$/,
    columns: [
      ["command to first HTTP answer, ms", "firstAnswerMs"],
      ["import, ms", "importMs"],
      ["import, MiB", "importRssMiB"],
      ["open, ms", "openMs"],
      ["first run, ms", "firstRunMs"],
    ],
  },
];
