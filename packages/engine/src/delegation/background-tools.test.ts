import { expect, it } from "vitest";
import { MAX_TASKS } from "../scope/background-tasks.ts";
import type { ChildOutcome, ChildRequest, StartChild } from "../scope/child-call.ts";
import { createRunScope, type RunScope } from "../scope/run-scope.ts";
import { RunState } from "../scope/run-state.ts";
import { MAX_SESSION_STATE_BYTES, refuseLargeState } from "../session/session-state.ts";
import type { ToolCall } from "../tools/chain/tool-link.ts";
import { backgroundTools } from "./background-tools.ts";
import { describeOutcome } from "./outcome-text.ts";

const child = (index: number) => ({
  runId: `run-${index}`,
  agentName: "writer",
  agentVersion: undefined,
});

it("starts a task, waits for it, returns its result and forgets it when it is cleared", async () => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);

  const started = await call(run, "start_task", task("Researcher"));
  const running = await call(run, "get_task_results", { taskId: 1 });
  agents.end(0, answered("42"));
  const waited = await call(run, "wait_for_first_completion", { taskIds: [1] });
  const result = await call(run, "get_task_results", { taskId: 1 });
  const cleared = await call(run, "clear_completed_task", { taskId: 1 });
  const gone = await call(run, "get_task_results", { taskId: 1 });

  expect(agents.requests[0]).toMatchObject({ agentName: "researcher", version: 3 });
  expect([started, running, waited, result, cleared, gone]).toEqual([
    "Task 1 of agent 'researcher' has started.",
    "Task 1 is still running.",
    "Task 1 has ended: Completed.",
    "42",
    "Task 1 is cleared.",
    "Error: There is no task 1.",
  ]);
});

it("gives no id twice, also after a task was cleared", async () => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);
  await call(run, "start_task", task("writer"));
  agents.end(0, answered("done"));
  await call(run, "wait_for_first_completion", { taskIds: [1] });
  await call(run, "clear_completed_task", { taskId: 1 });

  const second = await call(run, "start_task", task("writer"));

  expect(second).toBe("Task 2 of agent 'writer' has started.");
});

it("names the agents there are when it is asked for another, and keeps no row", async () => {
  const run = scopeOf(manualAgents().start);

  const started = await call(run, "start_task", task("nobody"));

  expect(started).toBe("Error: There is no agent 'nobody'. There are 'researcher', 'writer'.");
  expect(await call(run, "get_all_tasks", {})).toBe("There are no tasks.");
});

it("answers with the reason when an agent may not be started, and keeps no row", async () => {
  const run = scopeOf(async () => ({
    kind: "refused",
    code: "budget_exceeded",
    reason: "the run tree has no child runs left",
  }));

  const started = await call(run, "start_task", task("writer"));

  expect(started).toBe(
    "Error: Agent 'writer' was not started: the run tree has no child runs left.",
  );
  expect(await call(run, "get_all_tasks", {})).toBe("There are no tasks.");
});

it("reports the faster of two tasks and leaves the other one running", async () => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);
  await call(run, "start_task", task("researcher"));
  await call(run, "start_task", task("writer"));
  const waiting = call(run, "wait_for_first_completion", { taskIds: [1, 2, 9] });

  agents.end(1, answered("quick"));

  expect(await waiting).toBe("Task 2 has ended: Completed.");
  expect(await call(run, "get_all_tasks", {})).toBe(
    "1 | Running | researcher | look it up\n2 | Completed | writer | look it up",
  );
});

it.each([
  { taskIds: [], answer: "Error: Give the id of at least one task." },
  { taskIds: [7, 8], answer: "Error: There are no such tasks." },
  { taskIds: [7, 1], answer: "Task 1 has ended: Failed." },
])("waits for nothing when none of $taskIds runs", async ({ taskIds, answer }) => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);
  await call(run, "start_task", task("writer"));
  agents.end(0, failed);
  await call(run, "wait_for_first_completion", { taskIds: [1] });

  expect(await call(run, "wait_for_first_completion", { taskIds })).toBe(answer);
});

it.each<{ end: ChildOutcome; text: string }>([
  {
    end: { kind: "answered", child: child(0), text: "" },
    text: "Task 1 completed with no output.",
  },
  { end: { kind: "canceled", child: child(0) }, text: "Task failed: its run was canceled." },
  {
    end: {
      kind: "failed",
      child: child(0),
      error: { type: "provider_unavailable", message: "model provider 'p' could not be reached" },
    },
    text: "Task failed: model provider 'p' could not be reached.",
  },
  {
    end: { kind: "timedOut", child: child(0), layer: "deadline", limitMs: 10_000 },
    text: "Task failed: it did not finish within its limit of 10 s and was stopped.",
  },
  {
    end: { kind: "timedOut", child: child(0), layer: "cutoff", limitMs: 20_000 },
    text: "Task failed: it did not finish within 20 s and is waited for no longer.",
  },
])("says of a task that ended $end.kind: $text", async ({ end, text }) => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);
  await call(run, "start_task", task("writer"));
  agents.end(0, end);
  await call(run, "wait_for_first_completion", { taskIds: [1] });

  expect(await call(run, "get_task_results", { taskId: 1 })).toBe(text);
});

it("goes on with a task that has ended and drops its old result", async () => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);
  await call(run, "start_task", task("researcher"));
  const early = await call(run, "continue_task", { taskId: 1, text: "more" });
  agents.end(0, answered("first"));
  await call(run, "wait_for_first_completion", { taskIds: [1] });

  const continued = await call(run, "continue_task", { taskId: 1, text: "more" });
  const meanwhile = await call(run, "get_task_results", { taskId: 1 });
  agents.end(1, answered("second"));
  await call(run, "wait_for_first_completion", { taskIds: [1] });

  expect(early).toBe("Error: Task 1 is still running.");
  expect(continued).toBe("Task 1 of agent 'researcher' goes on.");
  expect(meanwhile).toBe("Task 1 is still running.");
  expect(agents.requests[1]).toMatchObject({
    agentName: "researcher",
    version: 3,
    message: "more",
    continuesRunId: "run-0",
  });
  expect(await call(run, "get_task_results", { taskId: 1 })).toBe("second");
});

it("goes on with a task once, also when a model asks for that twice at the same time", async () => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);
  await call(run, "start_task", task("writer"));
  agents.end(0, answered("first"));
  await call(run, "wait_for_first_completion", { taskIds: [1] });

  const answers = await Promise.all([
    call(run, "continue_task", { taskId: 1, text: "more" }),
    call(run, "continue_task", { taskId: 1, text: "and more" }),
    call(run, "clear_completed_task", { taskId: 1 }),
    call(run, "get_task_results", { taskId: 1 }),
  ]);
  agents.end(1, answered("second"));
  await call(run, "wait_for_first_completion", { taskIds: [1] });

  expect(answers).toEqual([
    "Task 1 of agent 'writer' goes on.",
    "Error: Task 1 is still running.",
    "Error: Task 1 is still running.",
    "Task 1 is still running.",
  ]);
  expect(agents.requests).toHaveLength(2);
  expect(await call(run, "get_task_results", { taskId: 1 })).toBe("second");
});

it("keeps the result of a task that may not go on", async () => {
  const agents = manualAgents();
  const refuse: StartChild = async () => ({
    kind: "refused",
    code: "budget_exceeded",
    reason: "the run tree has no child runs left",
  });
  const run = scopeOf((request) =>
    request.continuesRunId === undefined ? agents.start(request) : refuse(request),
  );
  await call(run, "start_task", task("writer"));
  agents.end(0, answered("first"));
  await call(run, "wait_for_first_completion", { taskIds: [1] });

  const refused = await call(run, "continue_task", { taskId: 1, text: "more" });

  expect(refused).toBe("Error: Task 1 was not continued: the run tree has no child runs left.");
  expect(await call(run, "get_task_results", { taskId: 1 })).toBe("first");
});

it("starts no more tasks than a list can have, also when they are asked for at the same time", async () => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);

  const answers = await Promise.all(
    Array.from({ length: MAX_TASKS + 5 }, () => call(run, "start_task", task("writer"))),
  );

  const refused = answers.filter(
    (it) => it === "Error: There are too many tasks: clear some of them.",
  );
  expect(refused).toHaveLength(5);
  expect(run.tasks.all()).toHaveLength(MAX_TASKS);
});

it.each(["Çok uzun bir yanıt. ", "答案很长。", '\u0000"\n', "a"])(
  "keeps of as many tasks as there can be what a session has room for, in %j",
  async (word) => {
    const agents = manualAgents();
    const run = scopeOf(agents.start);
    const long = word.repeat(20_000);
    for (let id = 1; id <= MAX_TASKS; id++) {
      await call(run, "start_task", { ...task("writer"), description: long });
      agents.end(id - 1, answered(long));
      await call(run, "wait_for_first_completion", { taskIds: [id] });
    }

    const state = run.state.snapshot();

    expect(() => refuseLargeState(state, {})).not.toThrow();
    expect(JSON.stringify(state).length).toBeGreaterThan(MAX_SESSION_STATE_BYTES / 10);
    expect(JSON.stringify(state)).toContain(`(cut: ${long.length} characters)`);
    expect(run.tasks.find(1)?.resultText).toBe(long);
  },
);

it("cancels what still runs when its run ends, and reads it as lost from then on", async () => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);
  await call(run, "start_task", task("writer"));

  const released = run.tasks.release();
  agents.end(0, { kind: "canceled", child: child(0) });
  await released;
  const next = scopeOf(agents.start, new RunState(run.state.snapshot()));

  expect(agents.requests[0]?.signal.aborted).toBe(true);
  expect(await call(next, "get_task_results", { taskId: 1 })).toContain("Task 1 is lost");
  expect(await call(next, "continue_task", { taskId: 1, text: "more" })).toBe(
    "Error: Task 1 is lost and cannot be continued.",
  );
  expect(await call(next, "clear_completed_task", { taskId: 1 })).toBe("Task 1 is cleared.");
});

it("keeps the result of a task for later runs, but not its conversation", async () => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);
  await call(run, "start_task", task("writer"));
  agents.end(0, answered("kept"));
  await call(run, "wait_for_first_completion", { taskIds: [1] });
  const saved = JSON.parse(JSON.stringify(run.state.snapshot())) as Record<string, unknown>;

  const next = scopeOf(agents.start, new RunState(saved));

  expect(await call(next, "get_task_results", { taskId: 1 })).toBe("kept");
  expect(await call(next, "continue_task", { taskId: 1, text: "more" })).toBe(
    "Error: The conversation of task 1 is gone: start a new task.",
  );
});

it("stops waiting when the run is canceled", async () => {
  const agents = manualAgents();
  const run = scopeOf(agents.start);
  await call(run, "start_task", task("writer"));
  const stop = new AbortController();
  const waiting = outcomeOf(run, "wait_for_first_completion", { taskIds: [1] }, stop.signal);

  stop.abort(new Error("canceled"));

  await expect(waiting).rejects.toThrow("canceled");
});

const answered = (text: string): ChildOutcome => ({ kind: "answered", child: child(0), text });
const failed: ChildOutcome = {
  kind: "failed",
  child: child(0),
  error: { type: "internal", message: "failed" },
};
const task = (agentName: string) => ({
  agentName,
  input: "What is it?",
  description: "look it up",
});

/** Agents that end when the test says so. */
function manualAgents() {
  const requests: ChildRequest[] = [];
  const ends: ((outcome: ChildOutcome) => void)[] = [];
  const start: StartChild = async (request) => {
    const { promise: outcome, resolve } = Promise.withResolvers<ChildOutcome>();
    requests.push(request);
    ends.push(resolve);
    return { kind: "started", child: child(requests.length - 1), outcome };
  };
  return { requests, start, end: (index: number, outcome: ChildOutcome) => ends[index]?.(outcome) };
}

const scopeOf = (startChild: StartChild, state = new RunState()) =>
  createRunScope({ startChild, describeOutcome, state });

const TOOLS = backgroundTools([
  { name: "researcher", version: 3, toolName: "researcher" },
  { name: "writer", toolName: "writer" },
]);

function outcomeOf(
  scope: RunScope,
  name: string,
  input: unknown,
  signal = new AbortController().signal,
) {
  const tool = TOOLS.find((it) => it.name === `background_agents_${name}`);
  const made: Partial<ToolCall> = {
    arguments: input,
    scope,
    signal,
    starting: async () => undefined,
    around: (body) => body(),
  };
  return tool?.call(made as ToolCall);
}

async function call(scope: RunScope, name: string, input: unknown): Promise<string> {
  const outcome = await outcomeOf(scope, name, input);
  if (outcome === undefined || "pending" in outcome || !outcome.ok) {
    throw new Error(`the call failed: ${JSON.stringify(outcome)}`);
  }
  return outcome.result;
}
