/** What a model reads in an iteration, and what the session keeps of them: both kinds of context. */

import type { Tool } from "@ai-sdk/provider-utils";
import { openStores } from "@tracon/store";
import {
  type LoopEngineOptions,
  promptLines,
  type ScriptedStep,
  scriptedModel,
  startLoopEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { ContentGuard } from "../model/content-guard.ts";
import type { LoopContext, LoopEvaluation } from "./loop-evaluator.ts";

const FRESH = { freshContextPerIteration: true };
const STOP: LoopEvaluation = { decision: "stop" };
const MORE: LoopEvaluation = { decision: "continue" };

it("keeps everything that was said, with the feedback between", async () => {
  const { say, spoken } = await looping(["One.", "Two.", "Three."], {
    criteria: { good: inTurn(again("Longer."), MORE, STOP) },
  });

  await say("Write.");

  expect(await spoken()).toEqual([
    "user: Write.",
    "assistant: One.",
    "user: Longer.",
    "assistant: Two.",
    "assistant: Three.",
  ]);
});

it(
  "begins each iteration afresh with the request and all feedback so far",
  covers("loop.fresh-context", "loop.fresh-context-keeps-request-and-feedback"),
  async () => {
    const decide = inTurn(again("Longer."), MORE, again("Shorter."), STOP);
    const { say, asked, spoken } = await looping(["Before.", "One.", "Two.", "Three.", "Four."], {
      criteria: { good: (it) => (isGreeting(it) ? STOP : decide(it)) },
      loop: FRESH,
    });
    await say("Hi.");

    await say("Write.");

    const before = ["user: Hi.", "assistant: Before."];
    expect(asked().slice(1)).toEqual([
      [...before, "user: Write."],
      [...before, "user: Write.", "user: Feedback on your earlier attempts:\n- Longer."],
      [...before, "user: Write.", "user: Feedback on your earlier attempts:\n- Longer."],
      [
        ...before,
        "user: Write.",
        "user: Feedback on your earlier attempts:\n- Longer.\n- Shorter.",
      ],
    ]);
    expect(await spoken()).toEqual([
      ...before,
      "user: Write.",
      "user: Feedback on your earlier attempts:\n- Longer.\n- Shorter.",
      "assistant: Four.",
    ]);
  },
);

it("begins afresh with nothing but the request when there is no feedback, also without a session", async () => {
  const { run, asked } = await looping(["One.", "Two."], {
    criteria: { good: inTurn(MORE, STOP) },
    loop: FRESH,
  });

  const { result } = await run("Write.");

  expect(result.output).toBe("Two.");
  expect(asked()).toEqual([["user: Write."], ["user: Write."]]);
});

it("begins afresh with the messages of a criterion as they are, and only with those", async () => {
  const messages = ["First this.", "Then that."];
  const { say, asked } = await looping(["One.", "Two.", "Three."], {
    criteria: { good: inTurn({ decision: "continue", messages }, again("Longer."), STOP) },
    loop: FRESH,
  });

  await say("Write.");

  expect(asked()).toEqual([
    ["user: Write."],
    ["user: First this.", "user: Then that."],
    ["user: Write.", "user: Feedback on your earlier attempts:\n- Longer."],
  ]);
});

it("gives the instructions to every iteration, once", async () => {
  const { say, asked } = await looping(["One.", "Two."], {
    criteria: { good: inTurn(again("Longer."), STOP) },
    loop: FRESH,
    agent: { instructions: "Be brief." },
  });

  await say("Write.");

  expect(asked().map((lines) => lines.filter((line) => line.startsWith("system")))).toEqual([
    ["system: Be brief."],
    ["system: Be brief."],
  ]);
});

it("forgets the tool calls of an earlier iteration in a fresh context, and not the ids they had", async () => {
  const call = { text: "Looking.", toolCalls: [{ name: "look", id: "same" }] };
  const { say, spoken, history, model } = await looping([call, "One.", call, "Two."], {
    criteria: { good: inTurn(MORE, STOP) },
    loop: FRESH,
    tools: { look: looking },
  });

  await say("Find it.");

  expect(model.calls[2]?.prompt.map(({ role }) => role)).toEqual(["user"]);
  expect(await spoken()).toEqual([
    "user: Find it.",
    "assistant: Looking.[functionCall]",
    "tool: [functionResult]",
    "assistant: Two.",
  ]);
  expect(JSON.stringify(await history("s"))).not.toContain('"callId":"same"');
});

it.each([
  [false, ["user: Write.", "assistant: One."]],
  [true, ["user: Write.", "assistant: One."]],
])(
  "keeps the iteration before one that failed before it said anything (fresh: %s)",
  async (freshContextPerIteration, kept) => {
    const { say, spoken } = await looping(["One.", { throws: new Error("down") }], {
      criteria: { good: inTurn(again("Longer.")) },
      loop: { freshContextPerIteration },
    });

    const { result } = await say("Write.");

    expect(result).toMatchObject({
      status: "Failed",
      error: { type: "provider_error" },
      iterations: 2,
    });
    expect(await spoken()).toEqual(kept);
  },
);

it("has guards inspect feedback before the agent reads it and the session keeps it", async () => {
  const { say, asked, spoken, events } = await looping(["One.", "Two."], {
    criteria: { good: inTurn(again("Use the key 4711."), STOP) },
    loop: FRESH,
    contentGuards: { keys },
  });

  const { runId } = await say("Write.");

  const line = "user: Feedback on your earlier attempts:\n- Use the key ****.";
  expect(asked().at(-1)?.at(-1)).toBe(line);
  expect(await spoken()).toContain(line);
  expect((await events(runId)).filter(({ type }) => type === "ContentMasked")).toHaveLength(1);
});

it("fails a run whose feedback a guard blocks, and sends it to nobody", async () => {
  const { say, model, spoken } = await looping(["One."], {
    criteria: { good: inTurn({ decision: "continue", messages: ["Fine.", "Say poison."] }) },
    contentGuards: { keys },
  });

  const { result } = await say("Write.");

  expect(result).toMatchObject({ status: "Failed", error: { type: "content_blocked" } });
  expect(model.calls).toHaveLength(1);
  expect(await spoken()).toEqual(["user: Write.", "assistant: One."]);
});

/** Masks digits that follow the word key, and blocks poison. */
const keys: ContentGuard = {
  inspect({ text }) {
    if (text.includes("poison")) return { decision: "Block", rule: "poison" };
    const start = text.indexOf("4711");
    if (start < 0) return { decision: "Allow" };
    const spans = [{ start, end: start + 4, replacement: "****" }];
    return { decision: "Mask", rule: "key", spans };
  },
};

/** One decision after the other, by iteration. */
function inTurn(...evaluations: readonly LoopEvaluation[]) {
  return ({ iteration }: LoopContext): LoopEvaluation => evaluations[iteration - 1] ?? MORE;
}

const again = (feedback: string): LoopEvaluation => ({ decision: "continue", feedback });

const looking: Tool = { inputSchema: z.object({}), execute: async () => "found" };

const isGreeting = ({ initialMessages: [first] }: LoopContext): boolean =>
  first?.contents.some((it) => it.$type === "text" && it.text === "Hi.") === true;

async function looping(
  script: readonly ScriptedStep[],
  options: Omit<LoopEngineOptions, "stores" | "model">,
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const started = await startLoopEngine({ ...options, stores, model });
  const { engine, run, history } = started;
  onTestFinished(() => engine.close({ graceMs: 0 }));
  onTestFinished(() => model.assertDone());
  const spoken = async () =>
    (await history("s")).map(({ role, contents }) => {
      const words = contents.map((it) => (it.$type === "text" ? it.text : `[${it.$type}]`));
      return `${role}: ${words.join("")}`;
    });
  const say = (message: string) => run({ message, sessionId: "s" });
  return { ...started, model, say, spoken, asked: () => model.calls.map(promptLines) };
}
