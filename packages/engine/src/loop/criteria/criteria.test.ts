import { TraconError } from "@tracon/core";
import { manualClock, memoryLog } from "@tracon/testing";
import { expect, it } from "vitest";
import { covers } from "../../../../../e2e/requirements/covers.ts";
import { describeOutcome } from "../../delegation/outcome-text.ts";
import type { StartChild } from "../../scope/child-call.ts";
import { createRunScope } from "../../scope/run-scope.ts";
import { RunState } from "../../scope/run-state.ts";
import type { Criterion, EvaluatedIteration } from "../criterion.ts";
import type { CriterionHost } from "../criterion-host.ts";
import { backgroundTaskCompletion } from "./background-task-completion.ts";
import { completionMarker } from "./completion-marker.ts";
import { criterionKinds } from "./index.ts";
import { todoCompletion } from "./todo-completion.ts";

it("has five kinds, in the documented order", covers("loop-criterion.five-built-in"), () => {
  expect(criterionKinds.map(({ kind }) => kind)).toEqual([
    "completionMarker",
    "todoCompletion",
    "aiJudge",
    "backgroundTaskCompletion",
    "agentReview",
  ]);
});

it.each([
  ["All is written. ALL DONE.", "stop"],
  ["ALL DONE? Not yet; I will write ALL DONE later.", "stop"],
  ["all done", "continue"],
  ["ALL  DONE", "continue"],
  ["", "continue"],
])("with the marker 'ALL DONE' and the answer %j decides %s", async (text, decision) => {
  const criterion = completionMarker.create(data({ marker: "ALL DONE" }), host);

  expect(await criterion.evaluate(iteration({ text }))).toMatchObject({ decision });
});

it(
  "looks for the marker in everything the iteration said, not in its last message only",
  covers("loop-criterion.marker-stops"),
  async () => {
    const criterion = completionMarker.create(data({ marker: "DONE" }), host);

    const answer = { text: "DONE\nOne more thing.", lastMessage: "One more thing." };

    expect(await criterion.evaluate(iteration(answer))).toEqual({ decision: "stop" });
  },
);

it.each([
  ["a.c", "abc", "continue"],
  ["a.c", "xa.cx", "stop"],
  ["(", "f(x)", "stop"],
  [" DONE ", "DONE", "continue"],
  [" DONE ", "is DONE now", "stop"],
  ["$&", "$&", "stop"],
])("takes the marker %j as it is: the answer %j decides %s", async (marker, text, decision) => {
  const criterion = completionMarker.create(data({ marker }), host);

  expect(await criterion.evaluate(iteration({ text }))).toMatchObject({ decision });
});

it("asks for the marker in its feedback, as it is", async () => {
  const criterion = completionMarker.create(data({ marker: "$& DONE $1" }), host);

  const outcome = await criterion.evaluate(iteration({ text: "secret draft" }));

  expect(outcome).toMatchObject({ feedback: expect.stringContaining("$& DONE $1") });
  expect(JSON.stringify(outcome)).not.toContain("secret");
});

it.each([[undefined], [""], [" \n\t"]])("refuses the marker %j", (marker) => {
  expect(
    completionMarker.findings(data(marker === undefined ? {} : { marker }), "c", host),
  ).toEqual([
    expect.objectContaining({ code: "loop_marker_missing", path: "c.marker", severity: "Error" }),
  ]);
});

const open = { id: 2, title: "Write", description: "The end", isComplete: false };
const done = { id: 1, title: "Read", isComplete: true };

it.each([
  ["is empty", [], [], "stop"],
  ["has only completed items", [done], [], "stop"],
  ["has an open item", [done, open], [], "continue"],
  ["has an open item in a listed mode", [open], ["execute", "plan"], "continue"],
  ["has an open item in a mode that is not listed", [open], ["execute"], "stop"],
  ["has an open item in a mode spelled in another case", [open], ["Plan"], "stop"],
])(
  "with a todo list that %s decides as documented",
  covers("loop-criterion.todo-stops", "loop-criterion.todo-modes-optional"),
  async (_, items, modes, decision) => {
    const criterion = todoCompletion.create(data({ modes }), host);
    const state = new RunState({ todos: { nextId: 3, items } });

    expect(await criterion.evaluate(iteration({ state }))).toMatchObject({ decision });
  },
);

it("follows the mode of the agent", async () => {
  const criterion = todoCompletion.create(data({ modes: ["execute"] }), host);
  const state = new RunState({
    todos: { nextId: 3, items: [open] },
    mode: { current: "execute" },
  });

  expect(await criterion.evaluate(iteration({ state }))).toMatchObject({ decision: "continue" });
});

it("names the open items with their descriptions, and no completed one", async () => {
  const criterion = todoCompletion.create(data({}), host);
  const last = { id: 3, title: "Send", isComplete: false };
  const state = new RunState({ todos: { nextId: 4, items: [done, open, last] } });

  const { feedback } = (await criterion.evaluate(iteration({ state }))) as { feedback: string };

  expect(feedback.split("\n").slice(1)).toEqual(["- 2: Write (The end)", "- 3: Send"]);
});

it("refuses a todoCompletion of an agent without a todo list, and modes that are blank", () => {
  const findings = todoCompletion.findings(data({ modes: ["plan", " "] }), "c", {
    ...host,
    hasTodoList: false,
  });

  expect(findings).toMatchObject([
    { code: "loop_todo_list_missing", path: "c.kind", severity: "Error" },
    { code: "invalid_value", path: "c.modes[1]", severity: "Error" },
  ]);
});

it.each([
  [["execute"], false, 1],
  [["plan"], false, 0],
  [[], false, 0],
  [["execute"], true, 0],
])("with the modes %j and agent modes %j warns %i times", (modes, hasModes, count) => {
  const findings = todoCompletion.findings(data({ modes }), "c", { ...host, hasModes });

  expect(findings).toHaveLength(count);
  for (const it of findings) {
    expect(it).toMatchObject({ code: "loop_criterion_idle", path: "c.modes", severity: "Warning" });
  }
});

it.each([
  ["Completed", "stop"],
  ["Failed", "stop"],
  ["Lost", "stop"],
] as const)("counts a background task that is %s as over", async (status, decision) => {
  const criterion = backgroundTaskCompletion.create(data({}), host);
  const task = { id: 1, agentName: "a", description: "d", status };
  const state = new RunState({ backgroundTasks: { nextId: 2, tasks: [task] } });

  expect(await criterion.evaluate(iteration({ state }))).toEqual({ decision });
});

it("stops when there never was a background task", async () => {
  const criterion = backgroundTaskCompletion.create(data({}), host);

  expect(await criterion.evaluate(iteration({}))).toEqual({ decision: "stop" });
});

it(
  "goes on while a background task runs, names it and does not wait for it",
  covers("loop-criterion.background-stops", "loop-criterion.background-reads-no-fields"),
  async () => {
    const criterion = backgroundTaskCompletion.create(data({ marker: "ignored" }), host);
    const ended = Promise.withResolvers<{ kind: "canceled"; child: typeof child }>();
    const running = iteration({
      startChild: async () => ({ kind: "started", child, outcome: ended.promise }),
    });
    const task = {
      agentName: "researcher",
      version: undefined,
      input: "i",
      description: "Find it",
    };
    await running.scope.tasks.start(task);

    const whileRunning = await criterion.evaluate(running);
    ended.resolve({ kind: "canceled", child });
    await running.scope.tasks.release();

    expect(whileRunning).toMatchObject({ decision: "continue" });
    expect((whileRunning as { feedback: string }).feedback).toContain(
      "- task 1 (researcher): Find it",
    );
    expect(await criterion.evaluate(running)).toEqual({ decision: "stop" });
  },
);

it("warns of a backgroundTaskCompletion of an agent that starts no tasks", () => {
  const idle = { ...host, hasBackgroundTasks: false };

  expect(backgroundTaskCompletion.findings(data({}), "c", idle)).toMatchObject([
    { code: "loop_criterion_idle", path: "c.kind", severity: "Warning" },
  ]);
  expect(backgroundTaskCompletion.findings(data({}), "c", host)).toEqual([]);
});

it(
  "reads the members of its kind and ignores the others",
  covers("loop-criterion.reads-listed-fields", "loop-criterion.data-only"),
  async () => {
    const everything = data({
      marker: "DONE",
      modes: ["nowhere"],
      judgeCriteria: [""],
      reviewerAgent: " ",
      reviewerAgentVersion: -1,
    });

    const criterion: Criterion = completionMarker.create(everything, host);

    expect(completionMarker.findings(everything, "c", host)).toEqual([]);
    expect(await criterion.evaluate(iteration({ text: "DONE" }))).toEqual({ decision: "stop" });
  },
);

const child = { runId: "child", agentName: "researcher", agentVersion: 1 };

const data = (members: Partial<Parameters<typeof completionMarker.create>[0]>) => ({
  kind: "kind",
  judgeCriteria: [],
  modes: [],
  ...members,
});

const host: CriterionHost = {
  index: 0,
  agentName: "agent",
  hasTodoList: true,
  hasModes: true,
  hasBackgroundTasks: true,
  judge: () => ({ kind: "unconfigured" }),
  reviewer: undefined,
};

type Given = {
  readonly text?: string;
  readonly lastMessage?: string;
  readonly state?: RunState;
  readonly startChild?: StartChild;
};

function iteration({
  text = "",
  lastMessage = text,
  state,
  startChild,
}: Given): EvaluatedIteration {
  const refuse: StartChild = () => Promise.reject(new Error("starts no child"));
  const nothing = () => undefined;
  return {
    agentName: "agent",
    tenantId: "default",
    runId: "run",
    iteration: 1,
    initialMessages: [],
    lastResponse: { text, lastMessage, messages: [] },
    feedback: [],
    properties: new Map(),
    signal: new AbortController().signal,
    callAgent: () => Promise.reject(new TraconError("internal", "calls no agent")),
    scope: createRunScope({
      startChild: startChild ?? refuse,
      describeOutcome,
      ...(state === undefined ? {} : { state }),
    }),
    journal: {
      emit: nothing,
      textDelta: nothing,
      reasoningDelta: nothing,
      committed: async () => undefined,
    },
    clock: manualClock(),
    log: memoryLog(),
  };
}
