/** What a loop does with the state of its run, and what it records of who decided. */

import type { RunEventDraft } from "@tracon/core";
import { manualClock, memoryLog, scriptedModel } from "@tracon/testing";
import { expect, it } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { StartChild } from "../scope/child-call.ts";
import { createRunScope } from "../scope/run-scope.ts";
import { RunState } from "../scope/run-state.ts";
import { newConversation } from "../session/conversation.ts";
import type { RunTurn } from "../turn/ring.ts";
import { DEFAULT_TURN_LIMITS, type TurnAgent } from "../turn/step.ts";
import type { CompiledLoop } from "./compiled-loop.ts";
import type { Criterion, CriterionOutcome, EvaluatedIteration } from "./criterion.ts";
import { runLoop } from "./run-loop.ts";

it("takes the state of a run back for a fresh iteration, behind the criterion that looks at it", async () => {
  const seen: unknown[] = [];
  const state = new RunState({ todos: ["before"], mode: "plan" });
  const writing: RunTurn = async (request) => {
    const { scope } = request;
    const todos = scope.state.get("todos") as readonly string[];
    scope.state.set("todos", [...todos, `of ${request.iteration}`]);
    scope.state.set("mode", "execute");
    return answered(request);
  };

  await looping({
    state,
    runTurn: writing,
    loop: { freshContextPerIteration: true },
    decide({ scope, iteration }) {
      seen.push([scope.state.get("todos"), scope.state.get("mode")]);
      return iteration < 3 ? MORE : STOP;
    },
  });

  expect(seen).toEqual([
    [["before", "of 1"], "execute"],
    [["before", "of 2"], "execute"],
    [["before", "of 3"], "execute"],
  ]);
  expect(state.snapshot()).toEqual({ todos: ["before", "of 3"], mode: "execute" });
});

it("goes on with the state of a run in a context that goes on", async () => {
  const state = new RunState({ todos: 0 });
  const counting: RunTurn = async (request) => {
    request.scope.state.set("todos", Number(request.scope.state.get("todos")) + 1);
    return answered(request);
  };

  await looping({
    state,
    runTurn: counting,
    decide: ({ iteration }) => (iteration < 3 ? MORE : STOP),
  });

  expect(state.get("todos")).toBe(3);
});

it("leaves tasks that were started where they are, so that none gets the number of another", async () => {
  const state = new RunState();
  const starting: RunTurn = async (request) => {
    const task = { agentName: "helper", version: undefined, input: "", description: "" };
    await request.scope.tasks.start(task);
    return answered(request);
  };

  const { scope } = await looping({
    state,
    runTurn: starting,
    loop: { freshContextPerIteration: true },
    decide: ({ iteration }) => (iteration < 2 ? MORE : STOP),
  });

  expect(scope.tasks.all().map(({ id, status }) => [id, status])).toEqual([
    [1, "Running"],
    [2, "Running"],
  ]);
});

it(
  "records who decided, a reviewer also in the text",
  covers("loop-event.text-names-reviewer"),
  async () => {
    const reviewer = { agent: "draft-reviewer", version: 3, runId: "child-1" };
    const judge = { provider: "test", model: "fallback-model" };
    const outcomes: readonly CriterionOutcome[] = [
      { decision: "continue", feedback: "Secret.", judge },
      { decision: "continue", feedback: "Secret.", reviewer },
      { decision: "failed", error: new Error("Secret."), reviewer: { ...reviewer, version: 4 } },
    ];

    const { events } = await looping({
      runTurn: async (request) => answered(request),
      decide: ({ iteration }) => outcomes[iteration - 1] ?? STOP,
    });

    expect(events.map(({ text }) => text)).toEqual([
      "iteration 1 continued by 'kind'",
      "iteration 2 continued by 'kind' (reviewer 'draft-reviewer' v3)",
      "iteration 3 ended the loop: 'kind' (reviewer 'draft-reviewer' v4) failed",
    ]);
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { criteria: [{ kind: "kind", decision: "continue", judge }] },
      { criteria: [{ kind: "kind", decision: "continue", reviewer }] },
      { criteria: [{ kind: "kind", decision: "failed", reviewer: { version: 4 } }] },
    ]);
    expect(JSON.stringify(events)).not.toContain("Secret");
  },
);

it("names a reviewer without a version by its name alone", async () => {
  const reviewer = { agent: "draft-reviewer", runId: "child-1" };

  const { events } = await looping({
    runTurn: async (request) => answered(request),
    decide: ({ iteration }) => (iteration < 2 ? { ...MORE, reviewer } : STOP),
  });

  expect(events[0]?.text).toBe("iteration 1 continued by 'kind' (reviewer 'draft-reviewer')");
});

const STOP: CriterionOutcome = { decision: "stop" };
const MORE = { decision: "continue" } as const;

const bound = {
  provider: "test",
  modelId: "test-model",
  model: scriptedModel([]),
  needsToolDefinitions: false,
  combinesToolsAndFormat: true,
};

const AGENT: TurnAgent = {
  bound,
  send: ({ options }) => bound.model.doStream(options),
  callOptions: {},
  finalOptions: {},
  format: undefined,
  guards: undefined,
  tracing: undefined,
  tools: new Map(),
  limits: DEFAULT_TURN_LIMITS,
  allowConcurrentToolCalls: false,
  toolPolicy: {
    host: { sleep: () => new Promise(() => undefined), rulesFor: async () => [] },
    agentName: "agent",
    asksAlways: false,
  },
  offering: undefined,
};

/** A turn that says one word. */
function answered({ prompt, state }: Parameters<RunTurn>[0]) {
  const message = {
    role: "assistant" as const,
    content: [{ type: "text" as const, text: "Done." }],
  };
  prompt.push(message);
  state.transcript.add(message);
  return { text: "Done.", bound };
}

async function looping({
  runTurn,
  decide,
  state = new RunState(),
  loop = {},
}: {
  readonly runTurn: RunTurn;
  readonly decide: (iteration: EvaluatedIteration) => CriterionOutcome;
  readonly state?: RunState;
  readonly loop?: Partial<CompiledLoop>;
}) {
  const events: Extract<RunEventDraft, { type: "LoopIterationCompleted" }>[] = [];
  const criterion: Criterion = { kind: "kind", evaluate: async (iteration) => decide(iteration) };
  const scope = createRunScope({ startChild: startForever(), describeOutcome: () => "", state });
  const journal = {
    emit: (event: RunEventDraft) =>
      event.type === "LoopIterationCompleted" ? void events.push(event) : undefined,
    beginIteration: () => undefined,
    textDelta: () => undefined,
    reasoningDelta: () => undefined,
    committed: () => Promise.resolve(),
  };
  await runLoop(
    {
      criteria: [criterion],
      maxIterations: 10,
      freshContextPerIteration: false,
      onExhausted: "ReturnLastResponse",
      onCriterionError: "ReturnLastResponse",
      ...loop,
    },
    {
      agentName: "agent",
      journal,
      conversation: newConversation(),
      asked: { role: "user", contents: [{ $type: "text", text: "Write." }] },
      resumed: [],
      continuesTurn: false,
      runTurn,
      promptOf: (history) => [...history],
      request: {
        agent: AGENT,
        tenantId: "default",
        runId: "run",
        isStreaming: false,
        signal: new AbortController().signal,
        clock: manualClock(),
        log: memoryLog(),
        ...{ journal, scope },
      },
    },
  );
  return { events, scope };
}

/** Children that never end. */
function startForever(): StartChild {
  let started = 0;
  return async ({ agentName }) => ({
    kind: "started",
    child: { runId: `child-${++started}`, agentName, agentVersion: 1 },
    outcome: new Promise(() => undefined),
  });
}
