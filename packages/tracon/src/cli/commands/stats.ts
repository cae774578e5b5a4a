import { parseDuration, type RunStatistics, TraconError } from "@tracon/core";
import { systemClock } from "@tracon/engine";
import { createTracon } from "../../create-tracon.ts";
import { type Command, configHelp, configOptions, EXIT, textOf } from "../command.ts";
import { loadConfig } from "../load-config.ts";

const DEFAULT_SINCE = "24h";
/** Rows of each breakdown that a person reads. */
const MAX_ROWS = 10;

export const stats: Command = {
  name: "stats",
  summary: "Count runs, tokens and cost",
  usage: "[options]",
  options: {
    ...configOptions,
    agent: { type: "string" },
    since: { type: "string" },
    json: { type: "boolean" },
  },
  help: [
    ...configHelp,
    "    --agent NAME    runs of this agent only",
    `    --since TIME    how far to look back, such as 90m, 7d or all (default: ${DEFAULT_SINCE})`,
    "    --json          print everything as one JSON line",
    "",
    "Runs are counted by the hour in which they started, so the first hour counts whole.",
  ],
  examples: ["tracon stats", "tracon stats --since 7d --agent support --json"],
  positionals: [0, 0],

  async run(input, terminal) {
    const startedAfter = startOf(textOf(input, "since") ?? DEFAULT_SINCE);
    const agentName = textOf(input, "agent");
    const { config, env } = await loadConfig(input, terminal);
    const tracon = await createTracon(config, { env });
    try {
      const counted = await tracon.statistics.get({
        ...(startedAfter === undefined ? {} : { startedAfter }),
        ...(agentName === undefined ? {} : { agentName }),
      });
      const text = input.values.json === true ? JSON.stringify(counted) : linesOf(counted);
      terminal.out(`${text}\n`);
      return EXIT.ok;
    } finally {
      await tracon.close();
    }
  },
};

function startOf(since: string): string | undefined {
  if (since === "all") return undefined;
  const durationMs = parseDuration(since);
  if (durationMs === undefined) {
    const message = `'${since}' is no duration; write --since 90m, 7d or all`;
    throw new TraconError("configuration_invalid", message);
  }
  return new Date(systemClock.now() - durationMs).toISOString();
}

function linesOf(counted: RunStatistics): string {
  const { totalRuns, runningRuns, errorRate, totalTokens, runsWithUnknownPricing } = counted;
  const costs = counted.costs.map(({ currency, totalCost }) => `${totalCost} ${currency}`);
  const summary = [
    `${totalRuns} runs, ${runningRuns} of them running`,
    `${counted.failedRuns} failed${errorRate === undefined ? "" : ` (${percent(errorRate)})`}`,
    tokensText(totalTokens),
    costs.length === 0 ? "cost unknown" : costs.join(" + "),
    ...(runsWithUnknownPricing === 0 ? [] : [`${runsWithUnknownPricing} runs of unknown cost`]),
  ];
  return [
    summary.join(" · "),
    ...section("agents", counted.byAgent, ({ agentName }) => agentName),
    ...section("models", counted.byModel, (row) => [row.modelProvider, row.modelId].join("/")),
    ...counted.byErrorClass.slice(0, MAX_ROWS).map((row) => `${row.totalRuns} × ${row.class}`),
  ].join("\n");
}

type Row = { readonly totalRuns: number; readonly totalTokens?: number | undefined };

const section = <R extends Row>(title: string, rows: readonly R[], nameOf: (row: R) => string) =>
  rows.length === 0
    ? []
    : [
        `${title}:`,
        ...rows
          .slice(0, MAX_ROWS)
          .map((row) => `  ${nameOf(row)}  ${row.totalRuns} runs, ${tokensText(row.totalTokens)}`),
      ];

const tokensText = (tokens: number | undefined): string =>
  tokens === undefined ? "tokens unknown" : `${tokens} tokens`;

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;
