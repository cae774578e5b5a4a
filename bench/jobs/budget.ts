/**
 * `budget.ts`: the same run with the limits of a tree as they are by default, and without any, on SQLite,
 * taking turns. `ahead` is what passes between a tool's return and the model call that follows, where
 * a reservation that was not foreseen would wait for the disk.
 */

import { mkdirSync } from "node:fs";
import { tool } from "ai";
import { createTracon, type TraconConfig } from "tracon";
import * as z from "zod";
import {
  createScript,
  scriptedBenchModel,
  TOOL_NAME,
  TOOL_RESULT,
  USER_MESSAGE,
} from "../fixture.ts";
import { finish, setting } from "../job.ts";
import { latenciesOf } from "../measure.ts";
import { quantile } from "../statistics.ts";
import { AGENT_NAME, productConfig } from "../subjects/product.ts";

const NO_LIMITS = { maxTotalTokens: 0, maxTotalRuns: 0 };

async function open(name: string, agentGraph: TraconConfig["agentGraph"]) {
  const folder = `${setting.folder}/${name}`;
  mkdirSync(folder, { recursive: true });
  const script = createScript();
  const model = scriptedBenchModel(script);
  const waits: number[] = [];
  let returnedAt: number | undefined;
  const timed = {
    ...model,
    doStream(options: Parameters<typeof model.doStream>[0]) {
      if (returnedAt !== undefined) waits.push((performance.now() - returnedAt) * 1_000);
      returnedAt = undefined;
      return model.doStream(options);
    },
  };
  const execute = async () => {
    returnedAt = performance.now();
    return TOOL_RESULT;
  };
  const tracon = await createTracon(
    {
      ...productConfig(`sqlite:${folder}/tracon.db`, script),
      agentGraph: agentGraph ?? {},
      providers: { bench: { languageModel: () => timed } },
      tools: {
        [TOOL_NAME]: tool({ inputSchema: z.object({ orderId: z.string() }), execute }),
      },
    },
    { env: {} },
  );
  const run = () => tracon.run(AGENT_NAME, { message: USER_MESSAGE });
  return { run, waits };
}

const limited = await open("limited", undefined);
const unlimited = await open("unlimited", NO_LIMITS);
const runs = await latenciesOf(
  { limited: limited.run, unlimited: unlimited.run },
  setting.budgetMs * 2,
);
const p95 = (values: number[]): number =>
  quantile(
    values.sort((a, b) => a - b),
    0.95,
  );

finish({
  ...runs,
  ahead: { limitedP95: p95(limited.waits), unlimitedP95: p95(unlimited.waits) },
});
