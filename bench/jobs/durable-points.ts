/** `durable-points.ts`: how often one run waits for the disk, counted at the journal's port. */

import { agentDefinitionRequestSchema } from "@tracon/core";
import { createEngine, createToolRegistry } from "@tracon/engine";
import { openStores } from "@tracon/store";
import { createScript, USER_MESSAGE } from "../fixture.ts";
import { finish } from "../job.ts";
import { AGENT_NAME, productConfig } from "../subjects/product.ts";

/** Nothing but tools is configured here. */
type Tools = Parameters<typeof createToolRegistry>[0];
type AiSdkProvider = { languageModel(modelId: string): never };

const RUNS = 50;
const script = createScript();
const { providers = {}, tools = {}, agents = [] } = productConfig("memory:", script);
const { registry } = await createToolRegistry(tools as Tools);
const stores = await openStores("memory:");
let commits = 0;
const engine = createEngine({
  stores: {
    ...stores,
    journal: {
      commit(batch) {
        commits += 1;
        return stores.journal.commit(batch);
      },
    },
  },
  providers: Object.entries(providers).map(([name, provider]) => ({
    name,
    kind: "custom",
    optionsKey: name,
    languageModel: (modelId) => (provider as AiSdkProvider).languageModel(modelId),
  })),
  tools: registry,
  agents: agents.map((agent) => agentDefinitionRequestSchema.parse(agent)),
  describeProblem: ({ code }) => ({ title: code }) as never,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
});
for (let index = 0; index < RUNS; index++) {
  const run = await engine.runs.start("default", AGENT_NAME, { message: USER_MESSAGE });
  await run.result;
}

finish({ commitsPerRun: commits / RUNS });
