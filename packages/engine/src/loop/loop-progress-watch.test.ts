/** Loops that get nowhere: what is recorded, and what is done where a definition asks for it. */

import { tool } from "@ai-sdk/provider-utils";
import type { RunEvent, RunEventDraft } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type LoopEngineOptions,
  type ScriptedStep,
  scriptedModel,
  startLoopEngine,
  startTestEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { RunProgress } from "../progress/run-progress.ts";
import { followProgress } from "./follow-progress.ts";

it("records drafts that no longer change once, and takes every iteration there is", async () => {
  const { run, model } = await engine(times(10, "The same."), { escalate: false });

  const { result, events } = await run();

  expect(result).toMatchObject({ status: "Completed", output: "The same." });
  expect(model.calls).toHaveLength(10);
  expect(iterationsOf(events)).toBe(9);
  expect(stepsOf(events)).toMatchObject([
    { kind: "UnchangedDraft", action: "Recorded", repeats: 2, iteration: 3 },
  ]);
});

it("tells the agent, lets it only answer, and stops at the fifth equal draft", async () => {
  const { run, model } = await engine(times(5, "The same."));

  const { result, events } = await run();

  expect(result.error).toMatchObject({ type: "no_progress", class: "LoopUnsatisfied" });
  expect(model.calls.map(({ tools = [] }) => tools.length)).toEqual([1, 1, 1, 1, 0]);
  expect(JSON.stringify(model.calls[3]?.prompt.at(-1))).toContain("You are repeating yourself");
  expect(iterationsOf(events)).toBe(5);
  expect(stepsOf(events)).toMatchObject([
    { action: "Note", iteration: 3 },
    { action: "ForcedAnswer", iteration: 4 },
    { action: "Stop", iteration: 5 },
  ]);
});

it("says the note behind the feedback, also where every iteration begins afresh", async () => {
  const { run, model } = await engine([...times(3, "The same."), "Another one.", "Done."], {
    escalate: true,
    loop: { freshContextPerIteration: true },
  });

  const { result } = await run();

  const users = model.calls.map(({ prompt }) => prompt.filter(({ role }) => role === "user"));
  expect(result.output).toBe("Done.");
  expect(users.map(({ length }) => length)).toEqual([1, 2, 2, 3, 2]);
  expect(JSON.stringify(users[3]?.at(-1))).toContain("You are repeating yourself");
});

it("finds nothing in iterations that say the same and do something else", async () => {
  const turns = Array.from({ length: 6 }, (_, id): ScriptedStep[] => [
    { toolCalls: [{ name: "complete", input: { id } }] },
    "Done with one.",
  ]);
  const { run } = await engine([...turns.flat(), "Done."]);

  const { result, events } = await run();

  expect(result.output).toBe("Done.");
  expect(stepsOf(events)).toEqual([]);
});

it("finds nothing in the same call at the beginning of every iteration", async () => {
  const turns = Array.from({ length: 6 }, (_, id): ScriptedStep[] => [
    { toolCalls: [{ name: "complete", input: { id: 1 } }] },
    `Draft ${id}`,
  ]);
  const { run } = await engine([...turns.flat(), "Done."]);

  const { events } = await run();

  expect(stepsOf(events)).toEqual([]);
});

it("stops a reviewer that repeats itself, whatever the drafts are", async () => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const review = '{"approved":false,"feedback":"Add sources."}';
  const { run } = await startTestEngine({
    stores,
    model: scriptedModel(Array.from({ length: 5 }, (_, number) => `Draft ${number}`)),
    providers: { reviewer: scriptedModel(times(5, review)) },
    agents: [{ name: "reviewer", model: { provider: "reviewer", model: "reviewer-model" } }],
    agent: {
      harness: {
        ...BARE,
        progress: { escalate: true },
        loop: { criteria: [{ kind: "agentReview", reviewerAgent: "reviewer" }] },
      },
    },
  });

  const { result, events } = await run();

  expect(result.error).toMatchObject({ type: "no_progress" });
  expect(stepsOf(events)).toMatchObject([
    { kind: "RepeatedReview", action: "Note", iteration: 3, criteria: ["agentReview"] },
    { kind: "RepeatedReview", action: "ForcedAnswer", iteration: 4 },
    { kind: "RepeatedReview", action: "Stop", iteration: 5 },
  ]);
});

it("hears what models object, and not what code does", () => {
  const said = (by: string) => {
    const events: RunEventDraft[] = [];
    const agent = { settings: { escalate: true, maxRepeats: 4 }, hasDrafts: true };
    const progress = new RunProgress(agent, (event) => events.push(event));
    const turns = Array.from({ length: 3 }, (_, iteration) =>
      followProgress(
        progress,
        { iteration, text: `draft ${iteration}`, isForced: false },
        verdict(by, "Add sources."),
      ),
    );
    return { events, last: turns.at(-1) };
  };

  expect(said("hasCitations")).toEqual({ events: [], last: { mustAnswer: false } });
  expect(said("agentReview")).toMatchObject({
    events: [{ payload: { data: { kind: "RepeatedReview", criteria: ["agentReview"] } } }],
    last: { mustAnswer: false, note: expect.stringContaining("objected the same") },
  });
});

it("takes an unchanged draft for none while tasks of the run still go on", () => {
  const events: RunEventDraft[] = [];
  const agent = { settings: { escalate: true, maxRepeats: 4 }, hasDrafts: true };
  const progress = new RunProgress(agent, (event) => events.push(event));

  for (let iteration = 1; iteration < 9; iteration++) {
    const ended = { iteration, text: "Not back yet.", isForced: false };
    followProgress(progress, ended, verdict("backgroundTaskCompletion", ""));
  }

  expect(events).toEqual([]);
});

const BARE = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
};

const times = (count: number, text: string): string[] => Array.from({ length: count }, () => text);

const verdict = (by: string, feedback: string) => ({
  decision: "continue" as const,
  by,
  continuation: { decision: "continue" as const, feedback },
  entries: [],
});

const stepsOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === "Custom" ? [event.payload.data] : []));

const iterationsOf = (events: readonly RunEvent[]) =>
  events.filter(({ type }) => type === "LoopIterationCompleted").length;

/** An engine whose agent has a tool and goes on until it says that it is done. */
async function engine(
  script: readonly ScriptedStep[],
  {
    escalate = true,
    loop = {},
  }: { readonly escalate?: boolean; readonly loop?: LoopEngineOptions["loop"] } = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const complete = tool({
    inputSchema: z.object({ id: z.number() }),
    execute: ({ id }) => `completed ${id}`,
  });
  const started = await startLoopEngine({
    stores,
    model,
    tools: { complete },
    loop,
    agent: { harness: { progress: { escalate } } },
    criteria: {
      done: ({ lastResponse }) =>
        lastResponse.text === "Done."
          ? { decision: "stop" }
          : { decision: "continue", feedback: "Go on." },
    },
  });
  return { ...started, model };
}
