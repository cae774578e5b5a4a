/** Keeps a run: its numbers as a file of its date, its tables in the README. */

import { readFileSync, writeFileSync } from "node:fs";
import type { Spread } from "./statistics.ts";

const README = new URL("./README.md", import.meta.url);
const START = "<!-- results -->";

export type Published = {
  readonly startedAt: string;
  readonly machine: Readonly<Record<string, unknown>>;
  readonly rounds: string;
  readonly budget: string;
  /** The machine's load when the jobs began, over one minute. */
  readonly load: Spread | undefined;
};

/** Writes `results/<date>.json` and everything below the mark of the README. */
export function publish(result: Published, json: string, tables: string): void {
  const date = result.startedAt.slice(0, "2000-01-01".length);
  writeFileSync(new URL(`./results/${date}.json`, import.meta.url), json);
  const readme = readFileSync(README, "utf8");
  const kept = readme.slice(0, readme.indexOf(START) + START.length);
  writeFileSync(README, `${kept}\n\n${introduction(date, result)}\n\n${tables}\n`);
}

function introduction(date: string, { machine, rounds, budget, load }: Published): string {
  const { node, cpu, cores, memoryGiB, platform } = machine;
  return `[${date}](results/${date}.json), Node ${node}, ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${platform}; ${rounds} rounds, ${budget} ms a scenario. The load when a job began was ${load?.median.toFixed(1)} [${load?.low.toFixed(1)}–${load?.high.toFixed(1)}], jobs of the run among it. Medians with the lowest and the highest round.`;
}
