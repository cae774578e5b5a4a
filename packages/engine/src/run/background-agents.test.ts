/** Background tasks of a run, from the model that starts them to the rows of their runs. */

import type { AgentDefinitionRequest, LanguageModel } from "@tracon/core";
import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";

const TENANT = "default";

it(
  "starts two tasks, waits for each, and answers with what they came to",
  covers(
    "callable-agent.background-tasks-default",
    "callable-agent.background-tasks-in-parallel",
    "call-mode.default-is-background-tasks",
  ),
  async () => {
    const { run, results, children } = await agents({
      root: [
        { toolCalls: [start("left"), start("right")] },
        { toolCalls: [wait(1), wait(2)] },
        { toolCalls: [result(1), result(2)] },
        "Both are done.",
      ],
      left: ["from the left"],
      right: ["from the right"],
    });

    const { result: ended, runId } = await run();

    expect(ended).toMatchObject({ status: "Completed", output: "Both are done." });
    expect(results()).toEqual([
      "Task 1 of agent 'left' has started.",
      "Task 2 of agent 'right' has started.",
      "Task 1 has ended: Completed.",
      "Task 2 has ended: Completed.",
      "from the left",
      "from the right",
    ]);
    expect((await children(runId)).map(({ agentName, depth }) => [agentName, depth])).toEqual(
      expect.arrayContaining([
        ["left", 1],
        ["right", 1],
      ]),
    );
  },
);

it("keeps the conversation of a task that goes on", async () => {
  const { run, prompts } = await agents({
    root: [
      { toolCalls: [start("left")] },
      { toolCalls: [wait(1)] },
      { toolCalls: [background("continue_task", { taskId: 1, text: "And then?" })] },
      { toolCalls: [wait(1)] },
      { toolCalls: [result(1)] },
      "Done.",
    ],
    left: ["first", "second"],
    right: [],
  });

  await run();

  const said = prompts("left")[1]?.map(({ role, content }) => [role, JSON.stringify(content)]);
  expect(said).toMatchObject([
    ["user", expect.stringContaining("Work.")],
    ["assistant", expect.stringContaining("first")],
    ["user", expect.stringContaining("And then?")],
  ]);
});

it("keeps what a task noted for itself when it goes on", async () => {
  const { run, prompts } = await agents(
    {
      root: [
        { toolCalls: [start("left")] },
        { toolCalls: [wait(1)] },
        { toolCalls: [background("continue_task", { taskId: 1, text: "And then?" })] },
        { toolCalls: [wait(1)] },
        "Done.",
      ],
      left: [
        { toolCalls: [{ name: "todos_add", input: { todos: [{ title: "look closer" }] } }] },
        "first",
        "second",
      ],
      right: [],
    },
    { left: { memory: { enableTodo: true } } },
  );

  await run();

  expect(JSON.stringify(prompts("left")[2])).toContain("look closer");
});

it("cancels tasks that still run when the run ends, before its last event", async () => {
  const left = Promise.withResolvers<void>();
  const { run, children } = await agents({
    root: [{ toolCalls: [start("left")] }, () => left.promise.then(() => "I do not wait.")],
    left: [
      () => {
        left.resolve();
        return { text: "long ", ends: "hang" };
      },
    ],
    right: [],
  });

  const { result: ended, runId, events } = await run();

  expect(ended.status).toBe("Completed");
  expect(await children(runId)).toMatchObject([{ status: "Canceled" }]);
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["ChildRunCompleted", "RunCompleted"]);
});

it("cancels its tasks when it is canceled", async () => {
  const { engine, children } = await agents({
    root: [{ toolCalls: [start("left")] }, { toolCalls: [wait(1)] }],
    left: [{ text: "long ", ends: "hang" }],
    right: [],
  });
  const { runId, result: ended } = await engine.runs.start(TENANT, "agent", { message: "Go." });
  while ((await children(runId)).length === 0) await new Promise((go) => setImmediate(go));

  await engine.runs.cancel(TENANT, runId);

  expect(await ended).toMatchObject({ status: "Canceled" });
  expect(await children(runId)).toMatchObject([{ status: "Canceled" }]);
});

it(
  "offers six tools, whatever the number of agents",
  covers("callable-agent.background-tools"),
  async () => {
    const { run, models } = await agents({ root: ["Hi."], left: [], right: [] });

    await run();

    const tools = models.root.calls[0]?.tools ?? [];
    expect(tools.map(({ name }) => name.replace("background_agents_", ""))).toEqual([
      "start_task",
      "wait_for_first_completion",
      "get_task_results",
      "get_all_tasks",
      "continue_task",
      "clear_completed_task",
    ]);
  },
);

const background = (name: string, input: unknown) => ({ name: `background_agents_${name}`, input });
const start = (agentName: string) =>
  background("start_task", { agentName, input: "Work.", description: "some work" });
const wait = (id: number) => background("wait_for_first_completion", { taskIds: [id] });
const result = (taskId: number) => background("get_task_results", { taskId });

async function agents(
  scripts: Readonly<Record<"root" | "left" | "right", readonly ScriptedStep[]>>,
  members: Readonly<Record<string, Partial<AgentDefinitionRequest>>> = {},
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
    providers: { left, right } satisfies Record<string, LanguageModel>,
    agent: { toolNames: [], callableAgents: [{ name: "left" }, { name: "right" }] },
    agents: ["left", "right"].map((name) => ({
      name,
      model: { provider: name, model: `${name}-model` },
      ...members[name],
    })),
  });
  onTestFinished(async () => {
    await engine.close({ graceMs: 0 });
    await stores.close();
    for (const model of Object.values(models)) model.assertDone();
  });
  type Part = { output?: { value: unknown } };
  return {
    engine,
    run,
    models,
    children: (runId: string) =>
      engine.runs.list(TENANT, { parentRunId: runId }, { skip: 0, take: 10 }),
    prompts: (name: keyof typeof models) => models[name].calls.map(({ prompt }) => prompt),
    results: () =>
      (models.root.calls.at(-1)?.prompt ?? [])
        .filter(({ role }) => role === "tool")
        .flatMap(({ content }) => (content as Part[]).map(({ output }) => String(output?.value))),
  };
}
