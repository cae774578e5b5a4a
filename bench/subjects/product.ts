/** Tracon through its public surface, as an application embeds it, with its defaults. */

import { tool } from "ai";
import { type AgentRunRequest, createTracon, type TraconConfig } from "tracon";
import * as z from "zod";
import {
  checkAnswer,
  createScript,
  INSTRUCTIONS,
  type Script,
  scriptedBenchModel,
  TOOL_DESCRIPTION,
  TOOL_NAME,
  TOOL_RESULT,
  USER_MESSAGE,
} from "../fixture.ts";
import type { StorePlace, Subject } from "./subject.ts";

export const AGENT_NAME = "support";
/** The same agent, whose tool calls of one answer run at once. */
export const CONCURRENT_AGENT_NAME = "concurrent-support";
/** The tool of an agent whose events are to be small. */
const SMALL_TOOL_RESULT = "shipped";

/** An agent with nothing but its tool: no history, no words of the harness. */
export const productAgent = (name: string, allowConcurrentToolCalls: boolean) => ({
  name,
  instructions: INSTRUCTIONS,
  model: { provider: "bench", model: "bench-1", toolLoop: { allowConcurrentToolCalls } },
  toolNames: [TOOL_NAME],
  harness: {
    maximumIterationsPerRequest: 200,
    disableCompaction: true,
    disableTodoProvider: true,
    disableAgentModeProvider: true,
    harnessInstructions: "",
  },
});

/** The configuration of the product for a store; every run follows the script. */
export const productConfig = (storage: string, script: Script): TraconConfig => ({
  storage,
  providers: { bench: { languageModel: () => scriptedBenchModel(script) } },
  tools: {
    [TOOL_NAME]: tool({
      description: TOOL_DESCRIPTION,
      inputSchema: z.object({ orderId: z.string() }),
      execute: async () => (script.callsAtOnce === 1 ? TOOL_RESULT : SMALL_TOOL_RESULT),
    }),
  },
  agents: [productAgent(AGENT_NAME, false), productAgent(CONCURRENT_AGENT_NAME, true)],
});

export const storageOf = ({ store, folder, postgresUrl }: StorePlace): string =>
  store === "postgres"
    ? postgresUrl
    : store === "sqlite"
      ? `sqlite:${folder}/tracon.db`
      : "memory:";

export const open = (place: StorePlace): Promise<Subject> =>
  openProduct(place, () => ({ message: USER_MESSAGE }));

/** `nextRequest` is asked for each run. */
export async function openProduct(
  place: StorePlace,
  nextRequest: () => AgentRunRequest,
): Promise<Subject> {
  const script = createScript();
  const tracon = await createTracon(productConfig(storageOf(place), script), { env: {} });
  return {
    script,
    async run() {
      const result = await tracon.run(AGENT_NAME, nextRequest());
      if (result.status !== "Completed") throw new Error(`the run is ${result.status}`);
      checkAnswer(result.output, script);
    },
    async stream() {
      let text = "";
      for await (const frame of tracon.stream(AGENT_NAME, nextRequest())) {
        if (frame.event === "update" && frame.data.kind === "text") text += frame.data.text;
      }
      checkAnswer(text, script);
    },
    close: () => tracon.close(),
  };
}
