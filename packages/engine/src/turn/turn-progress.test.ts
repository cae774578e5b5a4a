/** A turn whose model repeats itself: what is recorded, and what is done where a definition asks for it. */

import { APICallError } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
import type { RunEvent } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedModelTurn,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

it("records a call that repeats itself once, and changes nothing where nothing is asked for", async () => {
  const { run, model, looked } = await engine([...times(6, look()), "Done."], "records");

  const { result, events } = await run();

  expect(result).toMatchObject({ status: "Completed", output: "Done." });
  expect([model.calls.length, looked.length]).toEqual([7, 6]);
  expect(model.calls.at(-1)?.prompt.filter(({ role }) => role === "user")).toHaveLength(1);
  expect(progressOf(events)).toEqual([
    {
      text: "'look' gave the same result for the same call 2 more times",
      payload: {
        customType: "tracon.progress",
        data: {
          kind: "RepeatedCall",
          repeats: 2,
          action: "Recorded",
          iteration: 1,
          step: 2,
          tools: ["look"],
        },
      },
    },
  ]);
});

it("tells the model, and then lets it only answer", async () => {
  const { run, model, looked } = await engine([...times(4, look()), "There is nothing."]);

  const { result, events } = await run();

  expect(result).toMatchObject({ status: "Completed", output: "There is nothing." });
  expect(looked).toHaveLength(4);
  expect(model.calls[3]?.prompt.at(-1)).toEqual({
    role: "user",
    content: [{ type: "text", text: expect.stringContaining("You are repeating yourself") }],
  });
  expect(model.calls.map(({ tools = [] }) => tools.length)).toEqual([1, 1, 1, 1, 0]);
  expect(actionsOf(events)).toEqual([
    ["Note", 2, 2],
    ["ForcedAnswer", 3, 3],
  ]);
});

it("stops the run when the model does not answer then, without running its calls", async () => {
  const { run, looked } = await engine(times(5, look()));

  const { result, events } = await run();

  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "no_progress", class: "LoopUnsatisfied" },
  });
  expect(looked).toHaveLength(4);
  expect(actionsOf(events)).toEqual([
    ["Note", 2, 2],
    ["ForcedAnswer", 3, 3],
    ["Stop", 3, 4],
  ]);
  expect(events.filter(({ type }) => type === "ToolFailed")).toMatchObject([
    { payload: { kind: "NotRun", step: 4 } },
  ]);
});

it("takes the text beside such calls for the answer", async () => {
  const { run } = await engine([...times(4, look()), { text: "Nothing there.", ...look() }]);

  const { result } = await run();

  expect(result).toMatchObject({ status: "Completed", output: "Nothing there." });
});

it("lets a model go on that takes the note, and forces an answer when it comes back", async () => {
  const other = { toolCalls: [{ name: "look", input: { at: "elsewhere" } }] };
  const { run, model } = await engine([
    ...times(3, look()),
    other,
    ...times(3, look()),
    "It is not there.",
  ]);

  const { result, events } = await run();

  expect(result.output).toBe("It is not there.");
  expect(model.calls.at(-1)?.tools).toBeUndefined();
  expect(actionsOf(events)).toEqual([
    ["Note", 2, 2],
    ["ForcedAnswer", 2, 6],
  ]);
});

it("keeps the note in the session, as it was said to the model", async () => {
  const { run, model } = await engine([...times(3, look()), "Nothing.", "As I said."]);
  const sessionId = "s1";

  await run({ message: "Look.", sessionId });
  await run({ message: "And now?", sessionId });

  const users = model.calls.at(-1)?.prompt.filter(({ role }) => role === "user");
  expect(users?.map(({ content }) => JSON.stringify(content))).toEqual([
    expect.stringContaining("Look."),
    expect.stringContaining("You are repeating yourself"),
    expect.stringContaining("And now?"),
  ]);
});

it("lets tools be polled that are registered for it, and answers that say to wait", async () => {
  const script = [...times(8, look()), "Done."];
  const polled = await engine(script, "escalates", { polling: true });
  const waiting = await engine(script, "escalates", { result: { status: "queued" } });

  const runs = [await polled.run(), await waiting.run()];

  expect(runs.map(({ result }) => result.output)).toEqual(["Done.", "Done."]);
  expect(runs.flatMap(({ events }) => actionsOf(events))).toEqual([]);
});

it("counts no call again that a fallback finds answered", async () => {
  const failing: ScriptedStep = {
    throws: new APICallError({
      message: "no",
      url: "https://api.example",
      requestBodyValues: {},
      statusCode: 503,
    }),
  };
  const { run, looked } = await engine([...times(2, look()), failing], "records", {
    spare: [...times(2, look()), "Spared."],
  });

  const { result, events } = await run();

  expect(result.output).toBe("Spared.");
  expect(looked).toHaveLength(2);
  expect(actionsOf(events)).toEqual([]);
});

const times = (count: number, step: ScriptedModelTurn): ScriptedModelTurn[] =>
  Array.from({ length: count }, () => step);

const look = (): ScriptedModelTurn => ({
  toolCalls: [{ name: "look", input: { at: "here" } }],
});

const progressOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) =>
    event.type === "Custom" ? [{ text: event.text, payload: event.payload }] : [],
  );

type Data = { readonly action: string; readonly repeats: number; readonly step: number };

const actionsOf = (events: readonly RunEvent[]) =>
  progressOf(events).map(({ payload: { data } }) => {
    const { action, repeats, step } = data as Data;
    return [action, repeats, step];
  });

const BARE = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
};

type Options = {
  readonly polling?: boolean;
  readonly result?: unknown;
  readonly spare?: readonly ScriptedStep[];
};

/** An engine whose agent has the tool `look`, which finds nothing. */
async function engine(
  script: readonly ScriptedStep[],
  asked: "records" | "escalates" = "escalates",
  { polling = false, result = "nothing", spare }: Options = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const looked: string[] = [];
  const inputSchema = z.object({ at: z.string() });
  const execute = ({ at }: z.output<typeof inputSchema>) => {
    looked.push(at);
    return at === "here" ? result : "something";
  };
  const model = scriptedModel(script);
  const fallbacks = spare === undefined ? [] : [{ provider: "spare", model: "spare-model" }];
  const options: TestEngineOptions = {
    stores,
    model,
    tools: { look: { tool: tool({ inputSchema, execute }), polling } },
    ...(spare === undefined ? {} : { providers: { spare: scriptedModel(spare) } }),
    agent: {
      model: { provider: "test", model: "test-model", fallbacks },
      harness: { ...BARE, ...(asked === "records" ? {} : { progress: { escalate: true } }) },
    },
  };
  return { ...(await startTestEngine(options)), model, looked };
}
