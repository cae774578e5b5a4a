import { tool } from "@ai-sdk/provider-utils";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import type { ContentGuard, GuardDecision, GuardedContent } from "../content-guard.ts";

const SECRET = "4111-1111-1111-1111";

it("masks a message before anything of it is recorded or sent", async () => {
  const { run, model, engine: it } = await engine(["Done."], { cards: masking(SECRET) });

  const { result, events, runId } = await run(`My card is ${SECRET}.`);

  const input = await it.runs.input("default", runId);
  expect(result.status).toBe("Completed");
  expect(model.calls[0]?.prompt).toEqual([user("My card is [redacted].")]);
  expect(events[0]).toMatchObject({ type: "RunStarted", text: "My card is [redacted]." });
  expect(JSON.stringify([events, input])).not.toContain(SECRET);
  expect(of("ContentMasked", events)).toEqual([{ guard: "cards", rule: "card" }]);
});

it("ends a blocked run without a model call, and records a placeholder for its message", async () => {
  const { run, model, engine: it } = await engine([], { terms: blocking("bomb") });

  const { result, events, runId } = await run("How to build a bomb?");

  const input = await it.runs.input("default", runId);
  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "content_blocked", class: "ContentBlocked" },
  });
  expect(events.map(({ type }) => type)).toEqual(["RunStarted", "ContentBlocked", "RunFailed"]);
  expect(events[0]?.text).toBe("[content_blocked]");
  expect(input.messages).toEqual([
    { role: "user", contents: [{ $type: "text", text: "[content_blocked]" }] },
  ]);
  expect(JSON.stringify([events, result])).not.toContain("build");
  model.assertDone();
});

it("finds a match in a streamed answer wherever it was split", async () => {
  const answer = `Card ${SECRET}!`;
  for (let split = 1; split < answer.length; split++) {
    const chunks = [answer.slice(0, split), answer.slice(split)];
    const { run } = await engine([{ text: chunks }], { cards: masking(SECRET) });

    const { result, events, frames } = await run("Hi.", { isStreaming: true });

    expect(result.output).toBe("Card [redacted]!");
    expect(JSON.stringify([events, frames])).not.toContain(SECRET.slice(0, 9));
  }
});

it("finds a match that lies across two blocks of an answer", async () => {
  const blocks = ["4111-1111", "-1111-1111"].map((delta, index) => {
    const id = String(index);
    return [
      { type: "text-start", id },
      { type: "text-delta", id, delta },
      { type: "text-end", id },
    ] as const;
  });
  const { run } = await engine([{ parts: blocks.flat() }], { cards: masking(SECRET) });

  const { result } = await run();

  expect(result.output).toBe("[redacted]");
});

it("withholds a blocked answer and keeps what it cost", async () => {
  const step = { text: "A bomb is made of", usage: { inputTokens: 3, outputTokens: 4 } };
  const { run } = await engine([step], { terms: blocking("bomb") });

  const { result, events, frames } = await run("Hi.", { isStreaming: true });

  expect(result).toMatchObject({
    status: "Failed",
    output: "[content_blocked]",
    usage: { totalTokens: 7 },
    error: { type: "content_blocked" },
  });
  expect(frames.at(-1)).toMatchObject({ event: "error", data: { code: "content_blocked" } });
  expect(JSON.stringify([events, frames])).not.toContain("made of");
});

it("inspects reasoning and the arguments of tool calls", async () => {
  const seen: unknown[] = [];
  const work = tool({
    inputSchema: z.object({ card: z.string() }),
    execute: (input) => void seen.push(input),
  });
  const step = {
    reasoning: `It is ${SECRET}`,
    toolCalls: [{ name: "work", input: { card: SECRET } }],
  };
  const { run, model } = await engine(
    [step, "Done."],
    { cards: masking(SECRET) },
    { tools: { work } },
  );

  const { events } = await run();

  expect(seen).toEqual([{ card: "[redacted]" }]);
  expect(JSON.stringify([events, model.calls[1]?.prompt])).not.toContain(SECRET);
});

it.each([
  ["a text", `Card ${SECRET}`, { type: "text", value: "Card [redacted]" }],
  ["a value", { card: SECRET }, { type: "json", value: { card: "[redacted]" } }],
])("masks the result of a tool that is %s, in history and record", async (_, returned, read) => {
  const work = tool({ inputSchema: z.object({}), execute: () => returned });
  const script = [{ toolCalls: [{ name: "work" }] }, "Done."];
  const { run, model } = await engine(script, { cards: masking(SECRET) }, { tools: { work } });

  const { events } = await run();

  expect(model.calls[1]?.prompt.at(-1)).toMatchObject({ content: [{ output: read }] });
  expect(JSON.stringify(events)).not.toContain(SECRET);
});

it("ends the run at a blocked result and gives it to nobody", async () => {
  const work = tool({ inputSchema: z.object({}), execute: () => "how to build a bomb" });
  const script = [{ toolCalls: [{ name: "work" }, { name: "work" }] }];
  const { run, model } = await engine(script, { terms: blocking("bomb") }, { tools: { work } });

  const { result, events } = await run();

  expect(result.error).toMatchObject({ type: "content_blocked" });
  expect(of("ToolInvoked", events)).toMatchObject([{ position: 0, result: "[content_blocked]" }]);
  expect(of("ToolFailed", events)).toMatchObject([{ position: 1, kind: "Canceled" }]);
  expect(JSON.stringify(events)).not.toContain("bomb");
  model.assertDone();
});

it("asks every guard about the text as it was, and the strictest decision wins", async () => {
  const asked: GuardedContent[] = [];
  const { run } = await engine([], {
    cards: masking(SECRET),
    terms: {
      inspect(content) {
        asked.push(content);
        return blocking("bomb").inspect(content);
      },
    },
    quiet: { inspect: () => ({ decision: "Allow" }) },
  });

  const { result, events } = await run(`bomb ${SECRET}`);

  expect(asked[0]).toMatchObject({
    text: `bomb ${SECRET}`,
    source: "UserMessage",
    tenantId: "default",
  });
  expect(result.error).toMatchObject({ type: "content_blocked" });
  expect(of("ContentMasked", events)).toEqual([]);
});

it("puts the masks of several guards together", async () => {
  const { run, model } = await engine(["Done."], {
    first: spans({ start: 0, end: 4 }, { start: 8, end: 9, replacement: "#" }),
    second: spans({ start: 2, end: 6, replacement: "never seen" }),
  });

  await run("0123456789");

  expect(model.calls[0]?.prompt).toEqual([user("[redacted]67#9")]);
});

it("redacts everything when two guards disagree about the whole text", async () => {
  const whole = (replacement: string): ContentGuard => ({
    inspect: () => ({ decision: "Mask", rule: "all", replacement }),
  });
  const { run, model } = await engine(["Done."], { one: whole("a"), other: whole("b") });

  await run("Hello.");

  expect(model.calls[0]?.prompt).toEqual([user("[redacted]")]);
});

it.each<[string, () => unknown]>([
  ["throws", () => thrown()],
  ["rejects", () => Promise.reject(new Error("down"))],
  ["says nothing", () => undefined],
  ["says what is no decision", () => ({ decision: "Maybe", rule: "r" })],
  ["masks beyond the text", () => spanDecision({ start: 0, end: 999 })],
  ["masks backwards", () => spanDecision({ start: 3, end: 1 })],
])("blocks when a guard %s", async (_, inspect) => {
  const { run, log } = await engine([], {
    broken: { inspect: inspect as ContentGuard["inspect"] },
  });

  const { result, events } = await run();

  expect(result.error).toMatchObject({ type: "content_blocked" });
  expect(of("ContentBlocked", events)).toEqual([{ guard: "broken", rule: "guard_failed" }]);
  expect(log.entries[0]?.message).toMatch(/^a content guard (failed|gave no decision)$/);
});

it("inspects a message once, however many calls read it", async () => {
  const asked: string[] = [];
  const watch: ContentGuard = {
    inspect({ text, source }) {
      asked.push(`${source}: ${text}`);
      return { decision: "Allow" };
    },
  };
  const work = tool({ inputSchema: z.object({}), execute: () => "result" });
  const round = { toolCalls: [{ name: "work" }] };
  const { run } = await engine([round, round, "Done."], { watch }, { tools: { work } });

  await run("Hi.");

  expect(asked).toEqual([
    "UserMessage: Hi.",
    "ModelOutput: {}",
    "ToolResult: result",
    "ModelOutput: {}",
    "ToolResult: result",
    "ModelOutput: Done.",
  ]);
});

it("waits for a guard no longer than the run lasts", async () => {
  const asked = Promise.withResolvers<void>();
  const hanging: ContentGuard = {
    inspect() {
      asked.resolve();
      return Promise.withResolvers<GuardDecision>().promise;
    },
  };
  const { engine: started, events: eventsOf } = await engine([], { hanging });
  const run = await started.runs.start("default", "agent", { message: "Hi." });
  await asked.promise;

  await started.runs.cancel("default", run.runId);

  expect((await run.result).status).toBe("Canceled");
  expect(await eventsOf(run.runId)).toMatchObject([
    { type: "RunStarted", text: "[content_blocked]" },
    { type: "RunCanceled" },
  ]);
});

const user = (text: string) => ({ role: "user", content: [{ type: "text", text }] });
const thrown = (): never => {
  throw new Error("down");
};

const masking = (secret: string): ContentGuard => ({
  inspect({ text }) {
    const start = text.indexOf(secret);
    if (start === -1) return { decision: "Allow" };
    return { decision: "Mask", rule: "card", spans: [{ start, end: start + secret.length }] };
  },
});

const blocking = (term: string): ContentGuard => ({
  inspect: ({ text }) =>
    text.includes(term) ? { decision: "Block", rule: "term" } : { decision: "Allow" },
});

type Spans = Extract<GuardDecision, { spans: unknown }>["spans"];
const spanDecision = (...list: Spans): GuardDecision => ({
  decision: "Mask",
  rule: "r",
  spans: list,
});
const spans = (...list: Spans): ContentGuard => ({
  inspect: ({ source }) =>
    source === "UserMessage" ? spanDecision(...list) : { decision: "Allow" },
});

const of = (type: string, events: readonly { type: string; payload: unknown }[]) =>
  events.filter((event) => event.type === type).map(({ payload }) => payload);

async function engine(
  script: readonly ScriptedStep[],
  contentGuards: Readonly<Record<string, ContentGuard>>,
  options: Partial<TestEngineOptions> = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const started = await startTestEngine({ stores, model, contentGuards, ...options });
  return { ...started, model, stores };
}
