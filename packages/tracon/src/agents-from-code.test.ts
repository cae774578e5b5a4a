import { memoryLog, scriptedModel } from "@tracon/testing";
import { ToolLoopAgent } from "ai";
import { expect, it, onTestFinished } from "vitest";
import type { TraconConfig } from "./config/config.ts";
import { createTracon } from "./create-tracon.ts";

const MODEL = { provider: "test", model: "m" };

it("lists the extensions of the configuration over HTTP, and runs a saved agent with them", async () => {
  const { ask, model, tracon } = await start(["Done."], {
    extensions: {
      policy: {
        description: "The house policy.",
        apply: ({ addContextProvider }) =>
          addContextProvider({ name: "policy", before: () => ({ instructions: "Be brief." }) }),
      },
    },
  });

  const listed = await ask("/api/agent-extensions");
  await tracon.agents.save({ name: "saved", model: MODEL, extensionNames: ["policy"] });
  await tracon.run("saved", { message: "Go." });

  expect(listed).toEqual({
    status: 200,
    body: [{ name: "policy", description: "The house policy." }],
  });
  expect(model.calls[0]?.prompt[0]).toEqual({ role: "system", content: "Be brief." });
});

it("runs agents of factories and sources over HTTP, and saves over none of them", async () => {
  const { ask } = await start(["From the wiki."], {
    agentFactories: { own: () => new ToolLoopAgent({ model: scriptedModel(["From code."]) }) },
    agentSources: [
      {
        name: "wikis",
        priority: 50,
        list: async () => [{ name: "wiki", model: MODEL }],
        find: async (_tenantId, name) => (name === "wiki" ? { name, model: MODEL } : undefined),
      },
    ],
  });
  const message = { message: "Go." };

  const agents = await ask("/api/agents");
  const own = await ask("/api/agents/own/run", message);
  const wiki = await ask("/api/agents/wiki/run", message);
  const saved = await ask("/api/agents", { name: "wiki", model: MODEL });

  expect(agents.body).toMatchObject([
    { name: "own", origin: "Code" },
    { name: "wiki", origin: "Custom", sourceName: "wikis" },
  ]);
  expect(own.body).toMatchObject({ status: "Completed", output: "From code." });
  expect(wiki.body).toMatchObject({ status: "Completed", output: "From the wiki." });
  expect(saved).toMatchObject({ status: 409, body: { code: "agent_read_only" } });
});

it("answers 503 when a source that may have the agent does not answer", async () => {
  const fails = () => Promise.reject(new Error("secret of the source"));
  const { ask } = await start([], {
    agentSources: [{ name: "wikis", priority: 50, list: fails, find: fails }],
  });

  const answer = await ask("/api/agents/wiki/run", { message: "Go." });

  expect(answer).toMatchObject({ status: 503, body: { code: "agent_source_failed" } });
  expect(JSON.stringify(answer.body)).not.toContain("secret");
});

async function start(script: readonly string[], config: TraconConfig) {
  const model = scriptedModel(script);
  const tracon = await createTracon(
    {
      storage: "memory:",
      providers: { test: { languageModel: () => model } },
      log: memoryLog(),
      ...config,
    },
    { env: {} },
  );
  onTestFinished(() => tracon.close({ graceMs: 0 }));

  async function ask(path: string, body?: unknown) {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
    };
    const url = `http://localhost/tracon${path}`;
    const response = await tracon.fetch(new Request(url, body === undefined ? {} : init));
    return { status: response.status, body: (await response.json()) as unknown };
  }
  return { tracon, model, ask };
}
