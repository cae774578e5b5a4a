/**
 * `trees.ts STORE`: a run that calls one agent by its tool against two plain runs, and a tree of 25
 * children at once against 26 plain runs at once.
 */

import { createTracon } from "tracon";
import { ANSWER_LENGTH, createScript, filled, TOOL_NAME, USER_MESSAGE } from "../fixture.ts";
import { finish, setting } from "../job.ts";
import { latenciesOf, ratesOf } from "../measure.ts";
import { productAgent, productConfig, storageOf } from "../subjects/product.ts";
import type { StorePlace } from "../subjects/subject.ts";
import { workingModel } from "../working-model.ts";

const CHILDREN = 25;
const CALLEE = "support";

const calling = (name: string, allowConcurrentToolCalls: boolean) => {
  const { toolNames: _, ...agent } = productAgent(name, allowConcurrentToolCalls);
  const model = { ...agent.model, model: name };
  const subAgents = { callMode: "Tool" as const };
  return { ...agent, model, callableAgents: [{ name: CALLEE }], subAgents };
};
/** What the callee is asked is as long as what a plain run is. */
const askingModel = (callsAtOnce: number) =>
  workingModel({
    toolName: CALLEE,
    input: (count) => ({ query: filled(`order ${count} `, USER_MESSAGE.length) }),
    callsAtOnce,
  });

const [store = "sqlite"] = process.argv.slice(2);
const models: Readonly<Record<string, ReturnType<typeof workingModel>>> = {
  caller: askingModel(1),
  crowded: askingModel(CHILDREN),
  "bench-1": workingModel({
    toolName: TOOL_NAME,
    input: (count) => ({ orderId: String(count) }),
    callsAtOnce: 1,
  }),
};
const tracon = await createTracon(
  {
    ...productConfig(
      storageOf({ ...setting, store: store as StorePlace["store"] }),
      createScript(),
    ),
    providers: {
      bench: {
        languageModel(modelId: string) {
          const model = models[modelId];
          if (model === undefined) throw new Error(`there is no model ${modelId}`);
          return model;
        },
      },
    },
    agents: [productAgent(CALLEE, false), calling("caller", false), calling("crowded", true)],
  },
  { env: {} },
);

async function run(agentName: string): Promise<string> {
  const { status, output, runId } = await tracon.run(agentName, { message: USER_MESSAGE });
  if (status !== "Completed") throw new Error(`the run is ${status}`);
  if (output.length !== ANSWER_LENGTH) throw new Error("the answer has another length");
  return runId;
}

async function checkTree(agentName: string, runs: number): Promise<void> {
  const tree = await tracon.runs.tree(await run(agentName));
  const completed = tree.filter(({ status }) => status === "Completed").length;
  if (completed !== runs) throw new Error(`${completed} of ${runs} runs of the tree completed`);
}

await checkTree("caller", 2);
await checkTree("crowded", CHILDREN + 1);

const works = { plain: () => run(CALLEE), child: () => run("caller") };
const wide = {
  plain: () => Promise.all(Array.from({ length: CHILDREN + 1 }, works.plain)),
  tree: () => run("crowded"),
};

finish({
  alone: await latenciesOf(works, setting.budgetMs),
  crowd: await ratesOf(works, 32, setting.budgetMs),
  wide: await latenciesOf(wide, setting.budgetMs),
});
