/** Which version of an agent a caller runs, over HTTP, through saves of either of them. */

import { storeMatrix } from "@tracon/testing";
import { tool } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentsHost,
  type AgentsHostOptions,
  ask,
  ofScript,
  startAgentsHost,
} from "../kit/agents-host.ts";
import { covers } from "../requirements/covers.ts";

const byTool = { callMode: "Tool" } as const;
const open: AgentsHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix())("on $engine", ({ newUrl }) => {
  let storage: string;
  beforeEach(async () => {
    storage = await newUrl();
  });

  it("runs the version of each moment where none is pinned, also within one run of the caller", {
    ...covers("pin.unpinned-runs-current"),
  }, async () => {
    const { api, models, tree, saveHelper } = await start({
      root: [
        ask("helper"),
        async () => {
          await saveHelper("Two.");
          return ask("helper");
        },
        "Done.",
        ask("helper"),
        "Done.",
      ],
      helper: ["1", "2", "3"],
    });
    await saveHelper("One.");
    await api.json("POST", "/api/agents", root(["helper"]));

    const first = await api.run("root");
    await saveHelper("Three.");
    const second = await api.run("root");

    expect(models.helper?.calls.map(instructionsOf)).toEqual(["One.", "Two.", "Three."]);
    expect(await versionsIn(tree, first.runId)).toEqual(["root 1", "helper 1", "helper 2"]);
    expect(await versionsIn(tree, second.runId)).toEqual(["root 1", "helper 3"]);
  });

  it.each(["Tool", "BackgroundTasks"] as const)(
    "runs and describes a pinned agent as its version has it (%s)",
    {
      ...covers(
        "pin.content-of-version",
        "pin.child-run-records-version",
        "pin.description-of-version",
        "pin.both-call-modes",
      ),
    },
    async (callMode) => {
      const { api, models, tree } = await start({
        root: callMode === "Tool" ? [ask("helper"), "Done."] : [startTask, waitForTask, "Done."],
        helper: [],
        older: ["As ever."],
      });
      const helper = { name: "helper", description: "Looks things up.", toolNames: ["look"] };
      const older = { provider: "older", model: "older-model" };
      await api.json("POST", "/api/agents", { ...helper, model: older, instructions: "One." });
      await api.json("PUT", "/api/agents/helper", {
        ...ofScript({ name: "helper", description: "Makes things up.", instructions: "Two." }),
      });
      await api.json("POST", "/api/agents", root([{ name: "helper", version: 1 }], callMode));

      const { runId } = await api.run("root");

      const [called] = models.older?.calls ?? [];
      const told = JSON.stringify(models.root?.calls[0]);
      expect(called && instructionsOf(called)).toBe("One.");
      expect(called?.tools?.map(({ name }) => name)).toEqual(["look"]);
      expect(told).toContain("Looks things up.");
      expect(told).not.toContain("Makes things up.");
      expect(await versionsIn(tree, runId)).toEqual(["root 1", "helper 1"]);
      expect((await tree(runId))[1]).toMatchObject({
        modelProvider: "older",
        modelId: "older-model",
      });
    },
  );

  it("holds no other entry at the version of a pin", covers("pin.entry-only"), async () => {
    const { api, models, tree, saveHelper } = await start({
      root: [ask("helper"), ask("other"), "Done."],
      other: [ask("helper"), "Asked."],
      helper: ["1", "2"],
    });
    await saveHelper("One.");
    await saveHelper("Two.");
    await api.json("POST", "/api/agents", {
      ...ofScript({ name: "other", callableAgents: ["helper"], subAgents: byTool }),
    });
    await api.json("POST", "/api/agents", root([{ name: "helper", version: 1 }, "other"]));

    const { runId } = await api.run("root");

    expect(models.helper?.calls.map(instructionsOf)).toEqual(["One.", "Two."]);
    expect(await versionsIn(tree, runId)).toEqual(["root 1", "helper 1", "other 1", "helper 2"]);
  });

  it.each([
    { older: { name: "helper", version: 1 }, newer: "helper", runs: 1 },
    { older: "helper", newer: { name: "helper", version: 1 }, runs: 2 },
  ])(
    "runs of a caller that is pinned what that version names, and not what a newer one does ($runs)",
    { ...covers("pin.old-parent-without-pin") },
    async ({ older, newer, runs }) => {
      const { api, tree, saveHelper } = await start({
        root: [ask("middle"), "Done."],
        middle: [ask("helper"), "Asked."],
        helper: ["1"],
      });
      await saveHelper("One.");
      await saveHelper("Two.");
      for (const entry of [older, newer]) {
        const middle = { name: "middle", callableAgents: [entry], subAgents: byTool };
        await api.json("PUT", "/api/agents/middle", ofScript(middle));
      }
      await api.json("POST", "/api/agents", root([{ name: "middle", version: 1 }]));

      const { runId } = await api.run("root");

      expect(await versionsIn(tree, runId)).toEqual(["root 1", "middle 1", `helper ${runs}`]);
    },
  );

  async function start(scripts: AgentsHostOptions["scripts"]) {
    const look = tool({ inputSchema: z.object({}), execute: () => "seen" });
    const host = await startAgentsHost({ storage, scripts, tools: { look } });
    open.push(host);
    const saveHelper = (instructions: string) =>
      host.api.json("PUT", "/api/agents/helper", ofScript({ name: "helper", instructions }));
    return { ...host, saveHelper };
  }
});

const task = (name: string, input: object) => ({
  toolCalls: [{ name: `background_agents_${name}`, input }],
});
const startTask = task("start_task", { agentName: "helper", input: "Go on.", description: "work" });
const waitForTask = task("wait_for_first_completion", { taskIds: [1] });

type Entries = NonNullable<Parameters<typeof ofScript>[0]["callableAgents"]>;

const root = (callableAgents: Entries, callMode: "Tool" | "BackgroundTasks" = "Tool") =>
  ofScript({ name: "root", callableAgents, subAgents: { callMode } });

const instructionsOf = ({ prompt }: { readonly prompt: readonly object[] }): unknown => {
  const [first] = prompt as readonly { readonly content: unknown }[];
  return first?.content;
};

async function versionsIn(tree: AgentsHost["tree"], runId: string): Promise<readonly string[]> {
  return (await tree(runId)).map(({ agentName, agentVersion }) => `${agentName} ${agentVersion}`);
}
