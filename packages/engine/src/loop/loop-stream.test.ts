/** A loop as the native stream shows it. */

import type { RunFrame, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type LoopEngineOptions,
  type ScriptedStep,
  scriptedModel,
  startLoopEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { LoopContext, LoopEvaluation } from "./loop-evaluator.ts";

const STOP: LoopEvaluation = { decision: "stop" };
const MORE: LoopEvaluation = { decision: "continue" };

it(
  "shows each iteration with its decision behind it, as the journal has it",
  covers(
    "loop.native-stream-every-iteration",
    "loop.native-stream-iteration-frame",
    "loop-event.one-per-evaluated-iteration",
    "loop-event.frame-mirrors-event",
    "loop-event.frame-between-iterations",
  ),
  async () => {
    const { run } = await looping(
      [
        { reasoning: "Hm.", text: "Looking.", toolCalls: [{ name: "look" }] },
        { text: ["One", "."] },
        "Two.",
      ],
      {
        criteria: { good: inTurn(MORE, STOP) },
        tools: { look: { inputSchema: z.object({}), execute: async () => "found" } },
        recording: { recordReasoningDeltas: true },
      },
    );

    const { frames, events } = await run("Write.", { isStreaming: true });

    expect(frames.map(summary)).toEqual([
      "run",
      "1 reasoning",
      "1 text",
      "1 toolCall",
      "1 toolResult",
      "1 text",
      "loop.iteration-completed",
      "2 text",
      "loop.iteration-completed",
      "done",
    ]);
    const decided = events.filter(({ type }) => type === "LoopIterationCompleted");
    expect(frames.filter(({ event }) => event === "loop.iteration-completed")).toEqual(
      decided.map(({ sequence: id, payload: data }) => ({
        event: "loop.iteration-completed",
        id,
        data,
      })),
    );
    const ids = frames.map(({ id }) => id ?? -1);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const deltas = events.flatMap((it) => (it.type === "MessageDelta" ? [it] : []));
    expect(
      deltas.map(({ text, payload }) => `${payload.iteration}/${payload.step} ${text}`),
    ).toEqual(["1/0 Looking.", "1/1 One.", "2/0 Two."]);
  },
);

it("sends an iteration and its decision while the next one is still going on", async () => {
  const released = Promise.withResolvers<string>();
  const { engine } = await looping(["One.", () => released.promise], {
    criteria: { good: inTurn(MORE, STOP) },
  });
  const start = { isStreaming: true };
  const handle = await engine.runs.start("default", "agent", { message: "Write." }, start);
  const shown: string[] = [];

  for await (const frames of handle.frames()) {
    shown.push(...frames.map(summary));
    if (shown.at(-1) === "loop.iteration-completed") released.resolve("Two.");
  }

  expect(shown).toEqual([
    "run",
    "1 text",
    "loop.iteration-completed",
    "2 text",
    "loop.iteration-completed",
    "done",
  ]);
});

it.each<[string, readonly LoopEvaluation[], number]>([
  ["satisfied by its first draft", [STOP], 3],
  ["satisfied by its second draft", [MORE, STOP], 3],
  ["satisfied by its last evaluated draft", [MORE, MORE, STOP], 4],
  ["at its ceiling", [MORE, MORE, MORE], 3],
])(
  "lets a client find the answer of a loop %s by its last decision",
  covers("loop-event.answer-before-stop-frame", "loop-event.answer-after-ceiling-frame"),
  async (_, evaluations, maxIterations) => {
    const script = Array.from({ length: maxIterations }, (_, index) => `Draft ${index + 1}.`);
    const { run } = await looping(script, {
      criteria: { good: inTurn(...evaluations) },
      loop: { maxIterations },
    });

    const { frames, result } = await run("Write.", { isStreaming: true });

    expect(answerOf(frames)).toBe(result.output);
  },
);

it(
  "sends the text of the last turn before the error that fails the run",
  covers("fail-run.stream-text-before-error", "fail-run.one-more-evaluation"),
  async () => {
    const { run } = await looping(["One.", "Two."], {
      criteria: { never: () => MORE },
      loop: { maxIterations: 2, onExhausted: "FailRun" },
    });

    const { frames, result } = await run("Write.", { isStreaming: true });

    expect(frames.map(summary)).toEqual([
      "run",
      "1 text",
      "loop.iteration-completed",
      "2 text",
      "loop.iteration-completed",
      "error",
    ]);
    expect(frames.at(-1)?.data).toMatchObject({ code: "loop_unsatisfied" });
    expect(result.status).toBe("Failed");
  },
);

it(
  "sends no frame of a decision that could not be recorded, and goes on",
  covers("loop-event.unrecorded-event-sends-no-frame"),
  async () => {
    const memory = await openStores("memory:");
    const journal = { commit: () => Promise.reject(new Error("disk full")) };
    const { run } = await looping(
      ["One.", "Two."],
      { criteria: { good: inTurn(MORE, STOP) } },
      { ...memory, journal },
    );

    const { frames, result } = await run("Write.", { isStreaming: true });

    expect(frames.map(summary)).toEqual(["run", "1 text", "2 text", "done"]);
    expect(result).toMatchObject({ status: "Completed", output: "Two.", iterations: 2 });
  },
);

/** The answer as the documents tell clients to find it. */
function answerOf(frames: readonly RunFrame[]): string {
  const texts = new Map<number, string>();
  let last: { iteration: number; continued: boolean; ceilingReached?: boolean } | undefined;
  for (const frame of frames) {
    if (frame.event === "loop.iteration-completed") last = frame.data as typeof last;
    if (frame.event !== "update" || frame.data.kind !== "text") continue;
    const { iteration, text } = frame.data;
    texts.set(iteration, (texts.get(iteration) ?? "") + text);
  }
  const { iteration = 1, continued, ceilingReached } = last ?? {};
  if (continued === false) return texts.get(iteration) ?? "";
  return ceilingReached === true ? (texts.get(iteration + 1) ?? "") : "no answer";
}

const summary = (frame: RunFrame): string =>
  frame.event === "update" ? `${frame.data.iteration} ${frame.data.kind}` : frame.event;

/** One decision after the other, by iteration. */
function inTurn(...evaluations: readonly LoopEvaluation[]) {
  return ({ iteration }: LoopContext): LoopEvaluation => evaluations[iteration - 1] ?? MORE;
}

async function looping(
  script: readonly ScriptedStep[],
  options: Omit<LoopEngineOptions, "stores" | "model">,
  given?: Stores,
) {
  const stores = given ?? (await openStores("memory:"));
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const started = await startLoopEngine({ ...options, stores, model });
  onTestFinished(() => started.engine.close({ graceMs: 0 }));
  return started;
}
