import { APICallError, type LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { type Tool, tool } from "@ai-sdk/provider-utils";
import type { ChatMessage, RunEventType } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

it("saves nothing of a turn that failed before anything was said, so that it can be sent again", async () => {
  const { say, spoken } = await session([{ throws: new Error("down") }, "Hello."]);

  const failed = await say("Hi.");
  const saved = await spoken();
  await say("Hi.");

  expect(failed.result.status).toBe("Failed");
  expect(saved).toEqual([]);
  expect(await spoken()).toEqual(["user: Hi.", "assistant: Hello."]);
});

it("saves what ran in a turn that failed afterwards", async () => {
  const { say, spoken, model } = await session([
    { text: "Counting.", toolCalls: [{ name: "count" }] },
    { throws: new Error("down") },
    "It was counted.",
  ]);

  const failed = await say("Count.");
  await say("Was it?");

  expect(failed.result.status).toBe("Failed");
  expect(await spoken()).toEqual([
    "user: Count.",
    "assistant: Counting. count",
    "tool: counted 1",
    "user: Was it?",
    "assistant: It was counted.",
  ]);
  model.assertDone();
});

it.each<[string, ScriptedStep, string]>([
  ["a stream that breaks off", { text: "Half an", ends: { streamError: new Error("reset") } }, ""],
  ["an answer that ends without saying why", { text: "Half an", ends: "cut" }, ""],
  [
    "an answer that is cut while it asks for tools",
    { text: "Half an", toolCalls: [{ name: "count" }], finishReason: "length" },
    "",
  ],
])("saves the text that was shown of %s", async (_, step) => {
  const { say, spoken, counted } = await session([step, "Go on."]);

  const failed = await say("Answer.");
  await say("Go on.");

  expect(failed.result.status).toBe("Failed");
  expect(await spoken()).toEqual([
    "user: Answer.",
    "assistant: Half an",
    "user: Go on.",
    "assistant: Go on.",
  ]);
  expect(counted()).toBe(0);
});

it("saves an answer without the calls that came too late", async () => {
  const late = { text: "I would.", toolCalls: [{ name: "count" }] };
  const { say, spoken } = await session([late, late], {
    agent: {
      harness: {
        maximumIterationsPerRequest: 1,
        disableCompaction: true,
        disableTodoProvider: true,
        disableAgentModeProvider: true,
      },
    },
  });

  const { result } = await say("Count.");

  expect(result.status).toBe("Completed");
  expect(await spoken()).toEqual([
    "user: Count.",
    "assistant: I would. count",
    "tool: counted 1",
    "assistant: I would.",
  ]);
});

it("saves the text a cancelled run has shown", async () => {
  const { start, cancelAt, say, spoken } = await session([
    { text: ["one ", "two"], ends: "hang" },
    "three",
  ]);
  const run = await start("Count.");

  await cancelAt(run.runId, "MessageDelta");
  await run.result;
  await say("Go on.");

  expect(await spoken()).toEqual([
    "user: Count.",
    "assistant: one two",
    "user: Go on.",
    "assistant: three",
  ]);
});

it("saves nothing of a run that was cancelled before anything was said", async () => {
  const { start, cancelAt, spoken } = await session([{ ends: "hang" }]);
  const run = await start("Count.");

  await cancelAt(run.runId, "RunStarted");

  expect(await run.result).toMatchObject({ status: "Canceled" });
  expect(await spoken()).toEqual([]);
});

it.each([false, true])(
  "closes the calls that were open when the run was cancelled (concurrent: %s)",
  async (allowConcurrentToolCalls) => {
    const calls = [{ name: "count" }, { name: "slow" }, { name: "slow", input: { again: true } }];
    const { start, cancelAt, say, spoken, counted, model } = await session(
      [{ toolCalls: calls }, "Canceled, I see."],
      {
        agent: { model: { provider: "test", model: "m", toolLoop: { allowConcurrentToolCalls } } },
      },
    );
    const run = await start("Work.");

    await cancelAt(run.runId, "ToolInvoked");
    await run.result;
    const next = await say("What happened?");

    expect(next.result.status).toBe("Completed");
    expect(await spoken()).toEqual([
      "user: Work.",
      "assistant: count slow slow",
      "tool: counted 1 canceled before it had a result canceled before it had a result",
      "user: What happened?",
      "assistant: Canceled, I see.",
    ]);
    expect(counted()).toBe(1);
    model.assertDone();
  },
);

it("saves what the last model said when another one took over, each call once", async () => {
  const spare = scriptedModel([{ toolCalls: [{ name: "count" }] }, "Counted."]);
  const { say, spoken, counted } = await session(
    [{ toolCalls: [{ name: "count" }] }, unreachable()],
    withSpare(spare),
  );

  const { result } = await say("Count.");

  expect(result.status).toBe("Completed");
  expect(counted()).toBe(1);
  expect(await spoken()).toEqual([
    "user: Count.",
    "assistant: count",
    "tool: counted 1",
    "assistant: Counted.",
  ]);
});

it("saves a call that ran although the model that took over does not know of it", async () => {
  const spare = scriptedModel(["Hello."]);
  const { say, spoken } = await session(
    [{ toolCalls: [{ name: "count" }] }, unreachable()],
    withSpare(spare),
  );

  await say("Count.");

  expect(await spoken()).toEqual([
    "user: Count.",
    "assistant: count",
    "tool: counted 1",
    "assistant: Hello.",
  ]);
});

it("saves the answer that an extension's ring gave in place of the model's", async () => {
  const { say, spoken } = await session(["The model's."], {
    agent: { extensionNames: ["house"] },
    extensions: {
      house: {
        apply: (it) =>
          it.useChatClient({
            slot: "Turn",
            middleware: {
              specificationVersion: "v4",
              async wrapStream({ doStream }) {
                const { stream } = await doStream();
                const renamed = new TransformStream<LanguageModelV4StreamPart>({
                  transform: (part, out) =>
                    out.enqueue(
                      part.type === "text-delta" ? { ...part, delta: "The house's." } : part,
                    ),
                });
                return { stream: stream.pipeThrough(renamed) };
              },
            },
          }),
      },
    },
  });

  await say("Whose?");

  expect(await spoken()).toEqual(["user: Whose?", "assistant: The house's."]);
});

it("saves the thinking that led to a call, with what its provider wants to see again", async () => {
  const { say, history, model } = await session([
    {
      parts: [
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: "hm" },
        { type: "reasoning-end", id: "r", providerMetadata: { p: { signature: "abc" } } },
        { type: "tool-call", toolCallId: "1", toolName: "count", input: "{}" },
      ],
      finishReason: "tool-calls",
    },
    "Done.",
    "Bye.",
  ]);

  await say("Count.");
  await say("Bye.");

  const reasoning = { text: "hm", providerOptions: { p: { signature: "abc" } } };
  expect((await history("s"))[1]?.contents[0]).toEqual({ $type: "reasoning", ...reasoning });
  expect(model.calls[2]?.prompt[1]?.content[0]).toEqual({ type: "reasoning", ...reasoning });
});

function unreachable(): ScriptedStep {
  const call = { message: "down", url: "https://a.test", requestBodyValues: {} };
  return { throws: new APICallError({ ...call, statusCode: 503 }) };
}

const withSpare = (spare: ReturnType<typeof scriptedModel>): Partial<TestEngineOptions> => ({
  providers: { spare },
  agent: {
    model: { provider: "test", model: "m", fallbacks: [{ provider: "spare", model: "m" }] },
  },
});

async function session(script: readonly ScriptedStep[], options: Partial<TestEngineOptions> = {}) {
  const stores = await openStores("memory:");
  const model = scriptedModel(script);
  let count = 0;
  const tools: Record<string, Tool> = {
    count: tool({ inputSchema: z.object({}), execute: () => `counted ${++count}` }),
    slow: tool({
      inputSchema: z.object({}),
      execute: () => new Promise<string>(() => undefined),
    }),
  };
  const started = await startTestEngine({ stores, model, tools, ...options });
  const { engine, run, history } = started;
  onTestFinished(async () => {
    await engine.close();
    await stores.close();
  });

  async function cancelAt(runId: string, type: RunEventType): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    for await (const batch of await engine.runs.events("default", runId, { after: -1, signal })) {
      if (!batch.some((it) => it.type === type)) continue;
      await engine.runs.cancel("default", runId);
      return;
    }
  }
  return {
    ...started,
    model,
    cancelAt,
    counted: () => count,
    say: (text: string) => run({ message: text, sessionId: "s" }),
    start: (text: string) =>
      engine.runs.start("default", "agent", { message: text, sessionId: "s" }),
    spoken: async () => (await history("s")).map(described),
  };
}

const described = ({ role, contents }: ChatMessage): string =>
  `${role}: ${contents
    .map((it) => {
      if (it.$type === "functionCall") return it.name;
      if (it.$type === "functionResult") return it.result;
      return "text" in it ? it.text : it.$type;
    })
    .join(" ")}`;
