/** Agents that are asked the same again, in both ways in which an agent calls another. */

import type { RunEvent } from "@tracon/core";
import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";

it("finds an agent that is asked the same and answers the same", async () => {
  const { run } = await agents("Tool", {
    root: [ask("left"), ask("left"), ask("left"), "Done."],
    left: ["Not mine.", "Not mine", "not mine!"],
    right: [],
  });

  const { result, events } = await run();

  expect(result.output).toBe("Done.");
  expect(stepsOf(events)).toEqual([
    {
      kind: "RepeatedCall",
      repeats: 2,
      action: "Recorded",
      iteration: 1,
      step: 2,
      agents: ["left"],
    },
  ]);
});

it("finds two agents that are asked in turn", async () => {
  const { run } = await agents("Tool", {
    root: [...Array.from({ length: 3 }, () => [ask("left"), ask("right")]).flat(), "Done."],
    left: ["For the right one.", "For the right one.", "For the right one."],
    right: ["For the left one.", "For the left one.", "For the left one."],
  });

  const { events } = await run();

  expect(stepsOf(events)).toMatchObject([
    { kind: "PingPong", repeats: 2, period: 2, agents: ["left", "right"] },
  ]);
});

it("finds nothing while an agent answers something else", async () => {
  const { run } = await agents("Tool", {
    root: [ask("left"), ask("left"), ask("left"), ask("left"), "Done."],
    left: ["One.", "Two.", "Three.", "Four."],
    right: [],
  });

  const { events } = await run();

  expect(stepsOf(events)).toEqual([]);
});

it("finds tasks that are started again for the same, and stops the run where that is asked for", async () => {
  const round = (id: number): ScriptedStep[] => [
    { toolCalls: [start("left")] },
    { toolCalls: [wait(id)] },
    { toolCalls: [resultOf(id)] },
  ];
  const { run, models } = await agents(
    "BackgroundTasks",
    {
      root: [...[1, 2, 3, 4].flatMap(round).slice(0, -1), "I cannot find it."],
      left: Array.from({ length: 4 }, () => "There is nothing."),
      right: [],
    },
    { escalate: true },
  );

  const { result, events } = await run();

  expect(result.output).toBe("I cannot find it.");
  expect(models.root.calls.at(-1)?.tools).toBeUndefined();
  expect(stepsOf(events)).toMatchObject([
    { kind: "RepeatedCall", action: "Note", agents: ["left"] },
    { kind: "RepeatedCall", action: "ForcedAnswer", agents: ["left"] },
  ]);
});

const ask = (name: string): ScriptedStep => ({
  toolCalls: [{ name, input: { query: "Take over." } }],
});
const background = (name: string, input: unknown) => ({ name: `background_agents_${name}`, input });
const start = (agentName: string) =>
  background("start_task", { agentName, input: "Find it.", description: "a search" });
const wait = (id: number) => background("wait_for_first_completion", { taskIds: [id] });
const resultOf = (taskId: number) => background("get_task_results", { taskId });

const stepsOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === "Custom" ? [event.payload.data] : []));

const BARE = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
};

async function agents(
  callMode: "Tool" | "BackgroundTasks",
  scripts: Readonly<Record<"root" | "left" | "right", readonly ScriptedStep[]>>,
  progress?: { readonly escalate: boolean },
) {
  const stores = await openStores("memory:");
  const models = {
    root: scriptedModel(scripts.root),
    left: scriptedModel(scripts.left),
    right: scriptedModel(scripts.right),
  };
  const { left, right } = models;
  const { engine, run } = await startTestEngine({
    stores,
    model: models.root,
    providers: { left, right },
    agent: {
      toolNames: [],
      callableAgents: [{ name: "left" }, { name: "right" }],
      subAgents: { callMode },
      harness: { ...BARE, ...(progress === undefined ? {} : { progress }) },
    },
    agents: ["left", "right"].map((name) => ({
      name,
      model: { provider: name, model: `${name}-model` },
    })),
  });
  onTestFinished(async () => {
    await engine.close({ graceMs: 0 });
    await stores.close();
  });
  return { run, models };
}
