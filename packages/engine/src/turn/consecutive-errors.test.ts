import { tool } from "@ai-sdk/provider-utils";
import { type RunEventDraft, TraconError } from "@tracon/core";
import { manualClock, memoryLog, type ScriptedModelTurn, scriptedModel } from "@tracon/testing";
import { expect, it } from "vitest";
import * as z from "zod";
import { compileTools } from "../compile/tools.ts";
import { createRunScope } from "../scope/run-scope.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { createTurnState } from "./step.ts";
import { runTurn } from "./turn.ts";

it("fails at the first error when none is tolerated, and runs no call after it", async () => {
  const { failure, ran, failures } = await turn({ maximumConsecutiveErrors: 0 });

  expect(TraconError.is(failure, "tool_failed")).toBe(true);
  expect(failure.cause).toEqual(new Error("first"));
  expect(ran).toEqual(["first"]);
  expect(failures).toMatchObject([
    { kind: "Failed", toolName: "first" },
    { kind: "NotRun", toolName: "second" },
  ]);
});

it("runs all calls of a round that run at the same time, and keeps every error", async () => {
  const { failure, ran } = await turn({
    maximumConsecutiveErrors: 0,
    allowConcurrentToolCalls: true,
  });

  expect(ran).toEqual(["first", "second"]);
  expect(failure.cause).toBeInstanceOf(AggregateError);
  expect(failure.cause).toMatchObject({ errors: [new Error("first"), new Error("second")] });
});

it("runs every call of a round while errors are still tolerated", async () => {
  const { ran } = await turn({ maximumConsecutiveErrors: 1 });

  expect(ran).toEqual(["first", "second", "first"]);
});

type Limits = {
  readonly maximumConsecutiveErrors: number;
  readonly allowConcurrentToolCalls?: boolean;
};

/** Runs a turn whose model asks for two broken tools again and again. */
async function turn({ maximumConsecutiveErrors, allowConcurrentToolCalls = false }: Limits) {
  const ran: string[] = [];
  const events: RunEventDraft[] = [];
  const broken = (name: string) =>
    tool({
      inputSchema: z.object({}),
      execute: () => {
        ran.push(name);
        return Promise.reject<string>(new Error(name));
      },
    });
  const { registry } = await createToolRegistry({
    first: broken("first"),
    second: broken("second"),
  });
  const { byName } = compileTools(["first", "second"], registry, [], []);
  const asking: ScriptedModelTurn = { toolCalls: [{ name: "first" }, { name: "second" }] };
  const bound = {
    provider: "test",
    modelId: "test-model",
    model: scriptedModel([asking, asking]),
    needsToolDefinitions: false,
    combinesToolsAndFormat: false,
  };
  const ended = runTurn({
    agent: {
      bound,
      send: ({ options }) => bound.model.doStream(options),
      callOptions: {},
      finalOptions: {},
      format: undefined,
      guards: undefined,
      tracing: undefined,
      tools: byName,
      limits: { maximumIterations: 40, maximumConsecutiveErrors },
      allowConcurrentToolCalls,
      toolPolicy: {
        host: { sleep: () => new Promise(() => undefined), rulesFor: async () => [] },
        agentName: "agent",
        asksAlways: false,
      },
      offering() {
        return this;
      },
    },
    prompt: [],
    tenantId: "default",
    runId: "run",
    isStreaming: false,
    state: createTurnState(),
    iteration: 1,
    signal: new AbortController().signal,
    journal: {
      emit: (event) => events.push(event),
      textDelta: () => undefined,
      reasoningDelta: () => undefined,
      committed: () => Promise.resolve(),
    },
    clock: manualClock(),
    log: memoryLog(),
    scope: createRunScope({ startChild: noChildren, describeOutcome: ({ kind }) => kind }),
  });
  const failure = await ended.then(
    () => new Error("the turn did not fail"),
    (error: Error) => error,
  );
  const failures = events.flatMap((it) => (it.type === "ToolFailed" ? [it.payload] : []));
  return { failure, ran, failures };
}

const noChildren = async () => ({
  kind: "refused" as const,
  code: "feature_unavailable" as const,
  reason: "none in this test",
});
