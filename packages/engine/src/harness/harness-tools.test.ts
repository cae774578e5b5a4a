/** The tools of the todo list and of the modes, as a model calls them. */

import type { AgentDefinitionRequest } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
  type TestRun,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";

it("keeps a list with the five tools, and says nothing of why an item is done", async () => {
  const todos = [
    { title: " Read ", description: " all of it " },
    { title: "Write" },
    { title: "Send" },
  ];
  const { results, engine } = await play([
    ["todos_add", { todos }],
    [
      "todos_complete",
      {
        items: [
          { id: 1, reason: "read it" },
          { id: 1, reason: "twice" },
        ],
      },
    ],
    [
      "todos_complete",
      {
        items: [
          { id: 1, reason: "again" },
          { id: 9, reason: "unknown" },
        ],
      },
    ],
    ["todos_remove", { ids: [3, 3, 8] }],
    ["todos_get_remaining", {}],
    ["todos_get_all", {}],
    ["todos_add", { todos: [{ title: "Rest" }] }],
  ]);

  expect(results).toEqual([
    [
      { id: 1, title: "Read", description: "all of it", isComplete: false },
      { id: 2, title: "Write", isComplete: false },
      { id: 3, title: "Send", isComplete: false },
    ],
    1,
    0,
    1,
    [{ id: 2, title: "Write", isComplete: false }],
    [
      { id: 1, title: "Read", description: "all of it", isComplete: true },
      { id: 2, title: "Write", isComplete: false },
    ],
    [{ id: 4, title: "Rest", isComplete: false }],
  ]);
  const { state } = await engine.sessions.get("default", "s");
  expect(JSON.stringify(state)).not.toContain("read it");
});

it("loses nothing of calls that run at the same time", async () => {
  const titles = Array.from({ length: 20 }, (_, index) => `Step ${index}`);
  const { state } = await playBatch(
    titles.map((title) => ["todos_add", { todos: [{ title }] }] as const),
    { model: { provider: "test", model: "m", toolLoop: { allowConcurrentToolCalls: true } } },
  );

  const { items, nextId } = state.todos as {
    readonly items: readonly { readonly id: number; readonly title: string }[];
    readonly nextId: number;
  };
  expect(items.map(({ id }) => id)).toEqual(titles.map((_, index) => index + 1));
  expect(items.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
  expect(nextId).toBe(21);
});

it("answers what cannot be added with a text, which fails no call and ends no run", async () => {
  const blank = { todos: [{ title: " " }] };
  const { events, results } = await play(
    Array.from({ length: 6 }, () => ["todos_add", blank] as const),
  );

  expect(results).toEqual(
    Array.from({ length: 6 }, () => "Error: Item 1 has no title. Nothing was added."),
  );
  expect(events.filter(({ type }) => type === "ToolFailed")).toEqual([]);
});

it.each([
  ["todos_add", {}],
  ["todos_add", { todos: [{ title: 7 }] }],
  ["todos_complete", { items: [{ id: "one", reason: "done" }] }],
  ["todos_complete", { items: [{ id: 1 }] }],
  ["todos_remove", { ids: [1.5] }],
])("refuses arguments of %s that do not fit its schema: %j", async (name, input) => {
  const { events, state } = await play([[name, input]]);

  expect(events.filter(({ type }) => type === "ToolFailed")).toMatchObject([
    { payload: { toolName: name, kind: "InvalidArguments" } },
  ]);
  expect(state).not.toHaveProperty("todos");
});

it("reads and changes the mode, which the next turn is told and this one is not", async () => {
  const { model, results, run } = await play(
    [
      ["mode_get", {}],
      ["mode_set", { mode: "execute" }],
      ["mode_get", {}],
    ],
    ["Later."],
  );
  await run({ message: "On.", sessionId: "s" });

  expect(results).toEqual(["plan", "You are in mode 'execute' now.", "execute"]);
  const systems = model.calls.map(({ prompt }) => String(prompt[0]?.content));
  expect(systems.map((it) => /You are in mode '(\w+)'/.exec(it)?.[1])).toEqual([
    "plan",
    "plan",
    "plan",
    "plan",
    "execute",
  ]);
  expect(model.calls.at(-1)?.prompt).not.toContainEqual(
    expect.objectContaining({
      content: [{ type: "text", text: expect.stringContaining("changed") }],
    }),
  );
});

it.each(["Execute", "review", ""])(
  "fails a call that sets the mode %j, and leaves the mode",
  async (mode) => {
    const { events, results } = await play([
      ["mode_set", { mode }],
      ["mode_get", {}],
    ]);

    const failed = events.filter(({ type }) => type === "ToolFailed");
    expect(failed).toMatchObject([{ payload: { toolName: "mode_set", kind: "InvalidArguments" } }]);
    expect(results.at(-1)).toBe("plan");
  },
);

it("ends a run whose model sets unknown modes in more rounds in a row than allowed", async () => {
  const { result } = await play(
    Array.from({ length: 4 }, () => ["mode_set", { mode: "no" }] as const),
  );

  expect(result).toMatchObject({ status: "Failed", error: { type: "tool_failed" } });
});

it("waits for nobody, also where every registered tool waits for a decision", async () => {
  const { result, results } = await play([["todos_get_all", {}]], [], {
    harness: { disableToolAutoApproval: true },
  });

  expect(result.status).toBe("Completed");
  expect(results).toEqual([[]]);
});

it("keeps the list of a run without a session as long as the run, and in no session", async () => {
  const { engine, model, run } = await start(
    [
      calling("todos_add", { todos: [{ title: "Read" }] }),
      calling("todos_get_all", {}),
      "One.",
      "Two.",
    ],
    {},
  );

  const { events } = await run("Go.");
  await run("Again.");

  expect(resultsOf({ events }).at(-1)).toMatchObject([{ id: 1, title: "Read" }]);
  expect(model.calls[3]?.prompt.at(-2)?.content).toEqual([
    { type: "text", text: "Your todo list is empty." },
  ]);
  expect(await engine.sessions.list("default", {}, { skip: 0, take: 5 })).toEqual([]);
});

type Call = readonly [name: string, input: unknown];

const calling = (name: string, input: unknown): ScriptedStep => ({ toolCalls: [{ name, input }] });

/** Lets the model make one call after the other, in a session, and read what they answered. */
async function play(
  calls: readonly Call[],
  later: readonly ScriptedStep[] = [],
  agent: Partial<AgentDefinitionRequest> = {},
) {
  const script = [...calls.map(([name, input]) => calling(name, input)), "Done.", ...later];
  const started = await start(script, agent);
  const ran = await started.run({ message: "Go.", sessionId: "s" });
  return { ...started, ...ran, results: resultsOf(ran), state: await started.state() };
}

/** Lets the model make all calls at once. */
async function playBatch(calls: readonly Call[], agent: Partial<AgentDefinitionRequest>) {
  const toolCalls = calls.map(([name, input]) => ({ name, input }));
  const started = await start([{ toolCalls }, "Done."], agent);
  await started.run({ message: "Go.", sessionId: "s" });
  return { state: await started.state() };
}

async function start(
  script: readonly ScriptedStep[],
  agent: NonNullable<TestEngineOptions["agent"]>,
) {
  const stores = await openStores("memory:");
  const model = scriptedModel(script);
  const started = await startTestEngine({ stores, model, agent: { harness: {}, ...agent } });
  onTestFinished(async () => {
    await started.engine.close();
    await stores.close();
  });
  const state = async () => (await stores.sessions.get("default", "s"))?.state ?? {};
  return { ...started, model, state };
}

/** What the calls of a run answered: a text, or the value of a JSON text. */
function resultsOf({ events }: Pick<TestRun, "events">): readonly unknown[] {
  return events.flatMap((event) => {
    if (event.type !== "ToolInvoked") return [];
    const { result = "" } = event.payload;
    return [/^[[{\d]/.test(result) ? JSON.parse(result) : result];
  });
}
