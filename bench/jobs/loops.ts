/**
 * `loops.ts STORE`: a loop of ten iterations against ten plain runs of the same turn, its context going on
 * and fresh with each iteration; and 1,000 short loops at once against as many turns in plain runs.
 */

import { createTracon } from "tracon";
import { ANSWER_LENGTH, createScript, TOOL_NAME, USER_MESSAGE } from "../fixture.ts";
import { finish, setting } from "../job.ts";
import { cpuNow, latenciesOf, ratesOf } from "../measure.ts";
import { productAgent, productConfig, storageOf } from "../subjects/product.ts";
import type { StorePlace } from "../subjects/subject.ts";
import { workingModel } from "../working-model.ts";

const ITERATIONS = 10;
const SHORT_ITERATIONS = 3;
const AT_ONCE = 1_000;
const TURNS = 3;

const looping = (name: string, maxIterations: number, freshContextPerIteration: boolean) => {
  const agent = productAgent(name, false);
  const loop = { criteria: [{ kind: "wantsMore" }], maxIterations, freshContextPerIteration };
  return { ...agent, harness: { ...agent.harness, loop } };
};

const [store = "sqlite"] = process.argv.slice(2);
const model = workingModel({
  toolName: TOOL_NAME,
  input: (count) => ({ orderId: String(count) }),
  callsAtOnce: 1,
});
const tracon = await createTracon(
  {
    ...productConfig(
      storageOf({ ...setting, store: store as StorePlace["store"] }),
      createScript(),
    ),
    providers: { bench: { languageModel: () => model } },
    loopEvaluators: {
      wantsMore: {
        evaluate: ({ iteration }) => ({
          decision: "continue",
          feedback: `Say more than in iteration ${iteration}.`,
        }),
      },
    },
    agents: [
      productAgent("plain", false),
      looping("loop", ITERATIONS, false),
      looping("fresh", ITERATIONS, true),
      looping("short", SHORT_ITERATIONS, false),
    ],
  },
  { env: {} },
);

const running = (agentName: string, iterations?: number) => async () => {
  const result = await tracon.run(agentName, { message: USER_MESSAGE });
  if (result.status !== "Completed" || result.iterations !== iterations) {
    throw new Error(`the run is ${result.status} after ${result.iterations} iterations`);
  }
  if (result.output.length !== ANSWER_LENGTH) throw new Error("the answer has another length");
};
const works = {
  plain: running("plain"),
  loop: running("loop", ITERATIONS),
  fresh: running("fresh", ITERATIONS),
};

/** All at once; microseconds of time and of CPU. */
async function flood(work: () => Promise<void>, count: number) {
  const cpu = cpuNow();
  const begun = performance.now();
  await Promise.all(Array.from({ length: count }, work));
  return { us: (performance.now() - begun) * 1_000, cpuUs: cpuNow() - cpu };
}

/** 1,000 loops, and as many turns as they take in plain runs, 1,000 of them at a time. */
async function floods() {
  const short = running("short", SHORT_ITERATIONS);
  await flood(short, AT_ONCE / 10);
  const sums = { loopUs: 0, loopCpuUs: 0, plainUs: 0, plainCpuUs: 0, rssMiB: 0 };
  for (let turn = 0; turn < TURNS; turn++) {
    const loops = await flood(short, AT_ONCE);
    sums.rssMiB = Math.max(sums.rssMiB, process.memoryUsage.rss() / 2 ** 20);
    sums.loopUs += loops.us;
    sums.loopCpuUs += loops.cpuUs;
    for (let run = 0; run < SHORT_ITERATIONS; run++) {
      const plain = await flood(works.plain, AT_ONCE);
      sums.plainUs += plain.us;
      sums.plainCpuUs += plain.cpuUs;
    }
  }
  const turns = TURNS * AT_ONCE * SHORT_ITERATIONS;
  return {
    loopsPerSecond: (TURNS * AT_ONCE * 1e6) / sums.loopUs,
    timeRatio: sums.loopUs / sums.plainUs,
    loopCpuUs: sums.loopCpuUs / turns,
    plainCpuUs: sums.plainCpuUs / turns,
    rssMiB: sums.rssMiB,
  };
}

const alone = await latenciesOf(works, setting.budgetMs);
const crowd = await ratesOf(works, 32, setting.budgetMs);

finish({ iterations: ITERATIONS, alone, crowd, flood: await floods() });
