/** What a definition means when it says no more than it has to. */

import type { AgentDefinitionRequest } from "@tracon/core";
import { openStores } from "@tracon/store";
import { manualClock, scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";

const T = "default";
const DEFINITION: AgentDefinitionRequest = {
  name: "one",
  instructions: "Be brief.",
  model: { provider: "test", model: "m", temperature: 0.5 },
  metadata: { owner: "x" },
};

it(
  "is the same definition in code and in the database",
  covers("definition.one-shape-for-code-and-database"),
  async () => {
    const coded = await engine([DEFINITION]);
    const stored = await engine([]);
    await stored.engine.agents.create(T, DEFINITION);

    await coded.run();
    await stored.run();

    expect(coded.model.calls).toHaveLength(1);
    const [one, other] = [coded, stored].map(({ model }) => ({
      ...model.calls[0],
      abortSignal: undefined,
    }));
    expect(one).toEqual(other);
  },
);

it.each([
  ["left out", {}],
  ["null", { harness: null, compaction: null, memory: null, workspace: null }],
])(
  "sends its instructions and the message and nothing else when everything is %s",
  covers(
    "definition.no-harness-is-plain-chat",
    "definition.no-compaction-by-default",
    "definition.no-memory-by-default",
    "definition.no-workspace-by-default",
  ),
  async (_, members) => {
    const { engine: it, model, run } = await engine([]);
    await it.agents.create(T, { ...DEFINITION, ...members });

    const { status } = await run();

    expect(status).toBe("Completed");
    expect(model.calls.map(({ prompt }) => prompt)).toEqual([
      [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Hi." }] },
      ],
    ]);
    expect(model.calls[0]).not.toHaveProperty("tools");
  },
);

it("has no place for a credential", async () => {
  const { engine: it } = await engine([]);
  const secret = { apiKey: "sk-1" };

  const { valid, messages } = await it.agents.validate(T, {
    ...DEFINITION,
    ...secret,
    model: {
      ...DEFINITION.model,
      ...secret,
      fallbacks: [{ provider: "test", model: "n", ...secret }],
    },
  });

  expect(valid).toBe(false);
  expect(messages.map(({ code, path }) => [code, path])).toEqual([
    ["unknown_member", "model.fallbacks[0].apiKey"],
    ["unknown_member", "model.apiKey"],
    ["unknown_member", "apiKey"],
  ]);
});

async function engine(agents: readonly AgentDefinitionRequest[]) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(["Done."]);
  const started = await startTestEngine({ stores, model, agents, clock: manualClock() });
  onTestFinished(() => started.engine.close());
  return {
    ...started,
    model,
    run: async () => (await started.engine.runs.start(T, "one", { message: "Hi." })).result,
  };
}
