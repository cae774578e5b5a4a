import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { generateText, streamText } from "ai";
import { expect, it } from "vitest";
import { manualClock } from "../manual-clock.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

it("streams a turn's reasoning, text and tool calls in that order", async () => {
  const model = scriptedModel([
    {
      reasoning: "Look it up.",
      text: ["One ", "moment."],
      toolCalls: [{ name: "look", input: { id: 7 } }],
      usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 6, reasoningTokens: 2 },
    },
  ]);

  const parts = await partsOf(model);

  expect(parts.map((part) => part.type)).toEqual([
    "stream-start",
    "reasoning-start",
    "reasoning-delta",
    "reasoning-end",
    "text-start",
    "text-delta",
    "text-delta",
    "text-end",
    "tool-input-start",
    "tool-input-delta",
    "tool-input-end",
    "tool-call",
    "finish",
  ]);
  expect(parts.at(-2)).toMatchObject({
    toolCallId: "call-1-1",
    toolName: "look",
    input: '{"id":7}',
  });
  expect(parts.at(-1)).toMatchObject({
    finishReason: { unified: "tool-calls" },
    usage: {
      inputTokens: { total: 10, noCache: 6, cacheRead: 4 },
      outputTokens: { total: 6, text: 4, reasoning: 2 },
    },
  });
});

it("records each call with the messages it had then", async () => {
  const model = scriptedModel(["first", "second"]);
  const call = question("one");

  await partsOf(model, call);
  call.prompt.push({ role: "user", content: [{ type: "text", text: "two" }] });
  await partsOf(model, call);

  expect(model.calls.map((it) => it.prompt.length)).toEqual([1, 2]);
});

it("fails on a call the script does not have, now and in the end", async () => {
  const model = scriptedModel(["only"]);
  await partsOf(model);

  const extra = partsOf(model);

  await expect(extra).rejects.toThrow("unexpected model call 2: the script has 1 turns");
  expect(() => model.assertDone()).toThrow("unexpected model call 2");
});

it("fails in the end on a turn nobody asked for", async () => {
  const model = scriptedModel(["used", "unused"]);
  await partsOf(model);

  expect(() => model.assertDone()).toThrow("called 1 times, but the script has 2 turns");
});

it("lets a step decide from the call", async () => {
  const model = scriptedModel([(call, index) => `${call.prompt.length} message, call ${index}`]);

  const parts = await partsOf(model);

  expect(textOf(parts)).toBe("1 message, call 0");
});

it("rejects the call itself when the turn throws", async () => {
  const model = scriptedModel([{ throws: new Error("HTTP 529") }]);

  await expect(model.doStream(question())).rejects.toThrow("HTTP 529");
});

it("sends an error part and still finishes", async () => {
  const model = scriptedModel([{ text: "par", ends: { errorPart: new Error("overloaded") } }]);

  const parts = await partsOf(model);

  expect(parts.slice(-3)).toMatchObject([
    { type: "text-end" },
    { type: "error", error: new Error("overloaded") },
    { type: "finish", finishReason: { unified: "error" } },
  ]);
});

it("cuts a stream inside its last block", async () => {
  const model = scriptedModel([{ text: "par", ends: "cut" }]);

  const parts = await partsOf(model);

  expect(parts.at(-1)).toMatchObject({ type: "text-delta", delta: "par" });
});

it("breaks a stream with an error", async () => {
  const model = scriptedModel([{ text: "par", ends: { streamError: new Error("reset") } }]);

  await expect(partsOf(model)).rejects.toThrow("reset");
});

it("hangs until the call is aborted, and ends with its reason", async () => {
  const model = scriptedModel([{ text: "par", ends: "hang" }]);
  const run = new AbortController();
  const { stream } = await model.doStream({ ...question(), abortSignal: run.signal });
  const reader = stream.getReader();
  for (let part = 0; part < 3; part += 1) await reader.read();

  const pending = reader.read();
  run.abort(new Error("canceled by the caller"));

  await expect(pending).rejects.toThrow("canceled by the caller");
});

it("ends a hanging stream when its reader cancels", async () => {
  const model = scriptedModel([{ ends: "hang" }]);
  const { stream } = await model.doStream(question());
  const reader = stream.getReader();
  await reader.read();
  const pending = reader.read();

  await reader.cancel();

  await expect(pending).resolves.toMatchObject({ done: true });
});

it("waits by the clock it is given", async () => {
  const clock = manualClock();
  const model = scriptedModel([{ text: "late", delayMs: 60_000 }], { sleep: clock.sleep });
  const answer = partsOf(model);

  await clock.sleeping();
  clock.advance(60_000);

  expect(textOf(await answer)).toBe("late");
});

it("answers without streaming from the same script", async () => {
  const model = scriptedModel([
    { reasoning: "Hm.", text: ["He", "llo"], usage: { outputTokens: 3 } },
  ]);

  const result = await generateText({ model, prompt: "Hi" });

  expect(result).toMatchObject({ text: "Hello", reasoningText: "Hm.", finishReason: "stop" });
  expect(result.usage.outputTokens).toBe(3);
});

it("drives the AI SDK's own stream", async () => {
  const model = scriptedModel([{ text: ["He", "llo"] }]);

  const { textStream } = streamText({ model, prompt: "Hi" });

  expect(await Array.fromAsync(textStream)).toEqual(["He", "llo"]);
  model.assertDone();
});

function question(text = "Hi"): LanguageModelV4CallOptions {
  return { prompt: [{ role: "user", content: [{ type: "text", text }] }] };
}

async function partsOf(
  model: ScriptedModel,
  call = question(),
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream(call);
  return Array.fromAsync(stream);
}

const textOf = (parts: readonly LanguageModelV4StreamPart[]): string =>
  parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
