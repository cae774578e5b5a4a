/** What an agent is asked in each iteration, and which criteria are asked about it. */

import type { Tool } from "@ai-sdk/provider-utils";
import { openStores } from "@tracon/store";
import {
  BARE_HARNESS,
  type DecideIteration,
  type LoopEngineOptions,
  promptLines,
  type ScriptedStep,
  scriptedModel,
  startLoopEngine,
  startTestEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { LoopContext, LoopEvaluation } from "./loop-evaluator.ts";

const STOP: LoopEvaluation = { decision: "stop" };
const MORE: LoopEvaluation = { decision: "continue" };

it(
  "invokes the agent again until its criterion is satisfied, and answers with the last answer",
  covers(
    "loop.reinvokes-until-stop",
    "loop.json-answer-is-final",
    "loop.every-iteration-recorded",
    "loop.context-carried-by-default",
    "loop-event.carries-iteration",
    "loop-event.carries-continued",
    "loop-event.carries-continued-by",
    "loop-event.criteria-kind-and-decision",
    "loop-event.satisfied-has-no-ceiling-reached",
  ),
  async () => {
    const { run, asked } = await looping(["Draft.", "Better."], {
      criteria: { good: inTurn(again("Longer."), STOP) },
    });

    const { result, events } = await run("Write.");

    expect(result).toMatchObject({ status: "Completed", output: "Better.", iterations: 2 });
    expect(asked()).toEqual([
      ["user: Write."],
      ["user: Write.", "assistant: Draft.", "user: Longer."],
    ]);
    const recorded = events.filter(({ type }) => type === "LoopIterationCompleted");
    expect(recorded.map(({ text, payload }) => ({ text, payload }))).toEqual([
      {
        text: "iteration 1 continued by 'good'",
        payload: {
          iteration: 1,
          continued: true,
          continuedBy: "good",
          criteria: [{ kind: "good", decision: "continue" }],
        },
      },
      {
        text: "iteration 2 satisfied every criterion",
        payload: { iteration: 2, continued: false, criteria: [{ kind: "good", decision: "stop" }] },
      },
    ]);
  },
);

it(
  "invokes an agent once whose harness has no loop",
  covers("loop.off-by-default", "loop.nothing-turns-it-on"),
  async () => {
    const stores = await openStores("memory:");
    onTestFinished(() => stores.close());
    const model = scriptedModel(["Draft."]);
    const evaluate = vi.fn<DecideIteration>(() => MORE);
    const { run, engine } = await startTestEngine({
      stores,
      model,
      loopEvaluators: { good: { evaluate } },
      agent: {
        harness: {
          ...BARE_HARNESS,
        },
      },
    });
    onTestFinished(() => engine.close({ graceMs: 0 }));

    const { result, events } = await run("Write.");

    expect(result).not.toHaveProperty("iterations");
    expect(evaluate).not.toHaveBeenCalled();
    expect(events.map(({ type }) => type)).not.toContain("LoopIterationCompleted");
  },
);

it.each<[string, LoopEvaluation]>([
  ["without feedback", MORE],
  ["with blank feedback", { decision: "continue", feedback: " \n " }],
  ["with no messages", { decision: "continue", messages: [] }],
])("goes on %s from what was said, and repeats no older feedback", async (_, evaluation) => {
  const { run, asked } = await looping(["One.", "Two.", "Three."], {
    criteria: { good: inTurn(again("More."), evaluation, STOP) },
  });

  await run("Write.");

  expect(asked().at(-1)).toEqual([
    "user: Write.",
    "assistant: One.",
    "user: More.",
    "assistant: Two.",
  ]);
});

it("sends feedback as it is, also where it has several lines and spaces around it", async () => {
  const feedback = "  Fix:\n- the title\n- {the} $end ";
  const { run, asked } = await looping(["One.", "Two."], {
    criteria: { good: inTurn(again(feedback), STOP) },
  });

  await run("Write.");

  expect(asked().at(-1)?.at(-1)).toBe(`user: ${feedback}`);
});

it("sends the messages of a criterion in the place of its feedback", async () => {
  const messages = ["First this.", "Then that."];
  const seen: (readonly (string | undefined)[])[] = [];
  const decide = inTurn({ decision: "continue", feedback: "Unsaid.", messages }, STOP);
  const { run, asked } = await looping(["One.", "Two."], {
    criteria: {
      good(context) {
        seen.push(context.feedback);
        return decide(context);
      },
    },
  });

  await run("Write.");

  expect(asked().at(-1)?.slice(2)).toEqual(["user: First this.", "user: Then that."]);
  expect(seen.at(-1)).toEqual([undefined]);
});

it(
  "asks criteria in their order up to the first that asks for another iteration",
  covers(
    "loop.criteria-in-order",
    "loop.first-objection-wins",
    "loop.rest-not-evaluated",
    "loop.stops-when-all-satisfied",
    "loop-event.criteria-in-order",
    "loop-event.criteria-ends-at-objection",
    "loop-event.other-entries-bare",
  ),
  async () => {
    const called: string[] = [];
    const noting =
      (kind: string, ...evaluations: readonly LoopEvaluation[]): DecideIteration =>
      (context) => {
        called.push(`${context.iteration}:${kind}`);
        return inTurn(...evaluations)(context);
      };
    const { run, asked } = await looping(["One.", "Two.", "Three.", "Four."], {
      criteria: {
        first: noting("first", again("by first"), STOP, STOP, STOP),
        second: noting("second", STOP, again("by second"), STOP, STOP),
        third: noting("third", STOP, STOP, again("by third"), STOP),
      },
    });

    const { events } = await run("Write.");

    expect(called).toEqual([
      "1:first",
      "2:first",
      "2:second",
      "3:first",
      "3:second",
      "3:third",
      "4:first",
      "4:second",
      "4:third",
    ]);
    expect(
      asked()
        .at(-1)
        ?.filter((line) => line.startsWith("user")),
    ).toEqual(["user: Write.", "user: by first", "user: by second", "user: by third"]);
    const lists = events.flatMap((it) =>
      it.type === "LoopIterationCompleted" ? [it.payload.criteria] : [],
    );
    expect(lists).toEqual([
      [{ kind: "first", decision: "continue" }],
      [
        { kind: "first", decision: "stop" },
        { kind: "second", decision: "continue" },
      ],
      [
        { kind: "first", decision: "stop" },
        { kind: "second", decision: "stop" },
        { kind: "third", decision: "continue" },
      ],
      [
        { kind: "first", decision: "stop" },
        { kind: "second", decision: "stop" },
        { kind: "third", decision: "stop" },
      ],
    ]);
  },
);

it(
  "shows a criterion the iteration, what the loop began with, and the feedback so far",
  covers("loop-event.no-feedback-text", "loop-event.no-content"),
  async () => {
    const seen: Partial<LoopContext>[] = [];
    const decide = inTurn(again("Longer."), MORE, STOP);
    const { run } = await looping(["Draft.", "Secret draft.", "Final."], {
      criteria: {
        good(context) {
          const { initialMessages, feedback, lastResponse, ...rest } = context;
          seen.push({ ...rest, initialMessages, feedback, lastResponse });
          return decide(context);
        },
      },
    });

    const { runId, events } = await run({ message: "Write.", sessionId: "s" });

    const initialMessages = [{ role: "user", contents: [{ $type: "text", text: "Write." }] }];
    const shared = { agentName: "agent", tenantId: "default", runId, sessionId: "s" };
    expect(seen).toMatchObject([
      { ...shared, iteration: 1, initialMessages, feedback: [] },
      { ...shared, iteration: 2, initialMessages, feedback: ["Longer."] },
      { ...shared, iteration: 3, initialMessages, feedback: ["Longer.", undefined] },
    ]);
    expect(seen[1]?.lastResponse).toEqual({
      text: "Secret draft.",
      lastMessage: "Secret draft.",
      messages: [{ role: "assistant", contents: [{ $type: "text", text: "Secret draft." }] }],
    });
    const decisions = events.filter(({ type }) => type === "LoopIterationCompleted");
    expect(JSON.stringify(decisions)).not.toMatch(/Longer|draft|Write/);
  },
);

it("shows all text of an iteration and its last message, without reasoning and tool results", async () => {
  const responses: LoopContext["lastResponse"][] = [];
  const { run } = await looping(
    [
      { text: ["Look", "ing."], reasoning: "Hm.", toolCalls: [{ name: "look" }] },
      { text: "Found.", reasoning: "So." },
    ],
    {
      tools: { look: looking },
      criteria: {
        good({ lastResponse }) {
          responses.push(lastResponse);
          return STOP;
        },
      },
    },
  );

  await run("Find it.");

  expect(responses).toMatchObject([{ text: "Looking.\nFound.", lastMessage: "Found." }]);
  expect(responses[0]?.messages.map(({ role }) => role)).toEqual([
    "assistant",
    "tool",
    "assistant",
  ]);
});

it("gives criteria a feedback log that they cannot change", async () => {
  const sizes: number[] = [];
  const decide = inTurn(again("Longer."), MORE, STOP);
  const { run } = await looping(["One.", "Two.", "Three."], {
    criteria: {
      good(context) {
        sizes.push(context.feedback.length);
        expect(Object.isFrozen(context.feedback)).toBe(true);
        return decide(context);
      },
    },
  });

  const { result } = await run("Write.");

  expect(result).toMatchObject({ status: "Completed", iterations: 3 });
  expect(sizes).toEqual([0, 1, 2]);
});

it("keeps properties from iteration to iteration, and not from run to run", async () => {
  const { run } = await looping(["One.", "Two.", "Three.", "Four."], {
    criteria: {
      good({ properties }) {
        if (properties.has("seen")) return STOP;
        properties.set("seen", true);
        return MORE;
      },
    },
  });

  const first = await run({ message: "Write.", sessionId: "s" });
  const second = await run({ message: "Again.", sessionId: "s" });

  expect([first.result.iterations, second.result.iterations]).toEqual([2, 2]);
});

it("proceeds with an iteration that yields nothing", async () => {
  const responses: string[] = [];
  const decide = inTurn(MORE, again("Say something."), STOP);
  const { run, asked } = await looping([{ text: "" }, { text: "" }, "Done."], {
    criteria: {
      good(context) {
        responses.push(context.lastResponse.text);
        return decide(context);
      },
    },
  });

  const { result } = await run("Write.");

  expect(result).toMatchObject({ status: "Completed", output: "Done.", iterations: 3 });
  expect(responses).toEqual(["", "", "Done."]);
  expect(asked().at(-1)).toEqual(["user: Write.", "user: Say something."]);
});

it("counts steps anew in each iteration and gives no two calls of a conversation one id", async () => {
  const call = (id: string) => ({ text: "", toolCalls: [{ name: "look", id }] });
  const { run, model } = await looping(
    [
      call("same"),
      "One.",
      call("same"),
      { text: "", toolCalls: [{ name: "look", id: "same" }] },
      "Two.",
    ],
    { tools: { look: looking }, criteria: { good: inTurn(MORE, STOP) } },
  );

  const { events } = await run("Find it.");

  const answers = events.flatMap((it) => (it.type === "MessageCompleted" ? [it.payload] : []));
  expect(answers.map(({ iteration, step }) => `${iteration}/${step}`)).toEqual([
    "1/0",
    "1/1",
    "2/0",
    "2/1",
    "2/2",
  ]);
  const ids = model.calls
    .at(-1)
    ?.prompt.flatMap(({ role, content }) =>
      role === "assistant"
        ? content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))
        : [],
    );
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
});

it(
  "bounds the tool rounds of each iteration apart from the number of iterations",
  covers("loop.outer-ceiling-is-not-inner", "loop.ceiling-counts-turns"),
  async () => {
    const call = { text: "", toolCalls: [{ name: "look" }] };
    const { run, model } = await looping(
      [call, call, "One.", call, call, "Two.", call, call, "Three."],
      {
        tools: { look: looking },
        criteria: { never: () => MORE },
        loop: { maxIterations: 3 },
        agent: { harness: { maximumIterationsPerRequest: 2 } },
      },
    );

    const { result } = await run("Find it.");

    expect(result).toMatchObject({ output: "Three.", iterations: 3 });
    const offers = model.calls.map(({ tools = [] }) => tools.length);
    expect(offers).toEqual([1, 1, 0, 1, 1, 0, 1, 1, 0]);
  },
);

it(
  "ends a loop without a ceiling of its own after 10 iterations",
  covers(
    "loop.default-ceiling",
    "loop.ceiling-never-open",
    "loop.own-default-not-framework",
    "loop.ceiling-returns-last",
    "loop-event.one-event-fewer-at-ceiling",
    "loop-event.ceiling-turn-not-evaluated",
    "loop-event.ceiling-reached",
  ),
  async () => {
    const evaluate = vi.fn<DecideIteration>(() => MORE);
    const script = Array.from({ length: 10 }, (_, index) => `Draft ${index + 1}.`);
    const { run } = await looping(script, { criteria: { never: evaluate } });

    const { result, events } = await run("Write.");

    expect(result).toMatchObject({ status: "Completed", output: "Draft 10.", iterations: 10 });
    expect(evaluate).toHaveBeenCalledTimes(9);
    const decisions = events.flatMap((it) => (it.type === "LoopIterationCompleted" ? [it] : []));
    expect(decisions).toHaveLength(9);
    expect(decisions.map(({ payload }) => payload.ceilingReached)).toEqual([
      ...Array.from({ length: 8 }, () => undefined),
      true,
    ]);
    expect(decisions.at(-1)?.text).toBe(
      "iteration 9 continued by 'never'; the next one is the last",
    );
  },
);

it("ends a loop with a ceiling out of reach by the budget of its tree", async () => {
  const { run } = await looping(
    Array.from({ length: 4 }, () => ({
      text: "On.",
      usage: { inputTokens: 300, outputTokens: 3 },
    })),
    {
      criteria: { never: () => MORE },
      loop: { maxIterations: 1_000_000_000 },
      agent: { model: { provider: "test", model: "test-model", maxOutputTokens: 10 } },
      agentGraph: { maxTotalTokens: 1_000 },
    },
  );

  const { result } = await run("Write.");

  expect(result).toMatchObject({ status: "Failed", error: { type: "budget_exceeded" } });
  expect(result.usage?.totalTokens).toBe(1_212);
});

/** One decision after the other, by iteration. */
function inTurn(...evaluations: readonly LoopEvaluation[]) {
  return ({ iteration }: LoopContext): LoopEvaluation => evaluations[iteration - 1] ?? MORE;
}

const again = (feedback: string): LoopEvaluation => ({ decision: "continue", feedback });

const looking: Tool = { inputSchema: z.object({}), execute: async () => "a secret result" };

async function looping(
  script: readonly ScriptedStep[],
  options: Omit<LoopEngineOptions, "stores" | "model">,
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const started = await startLoopEngine({ ...options, stores, model });
  onTestFinished(() => started.engine.close({ graceMs: 0 }));
  onTestFinished(() => model.assertDone());
  return { ...started, model, asked: () => model.calls.map(promptLines) };
}
