import type { LanguageModelV4Message, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
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
import { covers } from "../../../../e2e/requirements/covers.ts";

it("answers at once when the model asks for no tool", async () => {
  const { run, model } = await engine(["Hello."]);

  const { result, events } = await run("Hi.");

  expect(result).toMatchObject({ status: "Completed", output: "Hello." });
  expect(model.calls[0]?.prompt).toEqual([user("Hi.")]);
  expect(events.map(({ type }) => type)).toEqual([
    "RunStarted",
    "MessageDelta",
    "MessageCompleted",
    "RunCompleted",
  ]);
});

it("puts the results right behind the calls, in the order of the calls", async () => {
  const { run, model, ledger } = await engine([asking({ x: 1 }, { x: 2 }, { x: 3 }), "Done."]);

  const { result } = await run("Count.");

  expect(result.output).toBe("Done.");
  expect(ledger).toEqual([1, 2, 3]);
  expect(model.calls[1]?.prompt).toMatchObject([
    user("Count."),
    { role: "assistant", content: [called("call-1-1"), called("call-1-2"), called("call-1-3")] },
    { role: "tool", content: [answered("call-1-1"), answered("call-1-2"), answered("call-1-3")] },
  ]);
});

it("keeps text, reasoning and their metadata with the calls of an answer", async () => {
  const signature = { vendor: { signature: "s1" } };
  const { run, model } = await engine([
    {
      parts: [
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: "Hm." },
        { type: "reasoning-end", id: "r", providerMetadata: signature },
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "Let me look." },
        { type: "text-end", id: "t" },
        {
          type: "tool-call",
          toolCallId: "c1",
          toolName: "count",
          input: '{"x":1}',
          providerMetadata: signature,
        },
      ],
      finishReason: "tool-calls",
    },
    "Done.",
  ]);

  await run();

  expect(model.calls[1]?.prompt[1]).toEqual({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm.", providerOptions: signature },
      { type: "text", text: "Let me look." },
      {
        type: "tool-call",
        toolCallId: "c1",
        toolName: "count",
        input: { x: 1 },
        providerOptions: signature,
      },
    ],
  });
});

it(
  "makes one call more than the ceiling, the last one without tools",
  covers("harness.inner-ceiling-bounds-tool-loop", "harness.inner-ceiling-last-call-without-tools"),
  async () => {
    const { run, model, ledger } = await engine(
      [asking({ x: 1 }), asking({ x: 2 }), "I have to stop."],
      { agent: ceiling(2) },
    );

    const { result } = await run();

    expect(result).toMatchObject({ status: "Completed", output: "I have to stop." });
    expect(ledger).toEqual([1, 2]);
    expect(model.calls.map(({ tools }) => tools?.length ?? 0)).toEqual([1, 1, 0]);
    model.assertDone();
  },
);

it("never runs a call of the last round, and says why in the record", async () => {
  const { run, ledger } = await engine([asking({ x: 1 }), asking({ x: 2 })], {
    agent: ceiling(1),
  });

  const { result, events } = await run();

  expect(ledger).toEqual([1]);
  expect(result).toMatchObject({ status: "Failed", error: { type: "tool_limit_reached" } });
  expect(failuresOf(events)).toMatchObject([
    { kind: "NotRun", step: 1, error: expect.stringContaining("limit of tool rounds") },
  ]);
});

it("answers with the text of the last round, also beside calls that are not run", async () => {
  const { run } = await engine([asking({ x: 1 }), { ...asking({ x: 2 }), text: "Partly." }], {
    agent: ceiling(1),
  });

  const { result } = await run();

  expect(result).toMatchObject({ status: "Completed", output: "Partly." });
});

it("tells the model which tool does not exist, and runs the ones that do", async () => {
  const { run, model, ledger } = await engine([
    { toolCalls: [{ name: "missing" }, { name: "count", input: { x: 1 } }] },
    "Done.",
  ]);

  const { result, events } = await run();

  expect(result.status).toBe("Completed");
  expect(ledger).toEqual([1]);
  expect(resultsOf(model.calls[1]?.prompt)).toEqual([
    { type: "error-text", value: "Error: There is no tool named 'missing'." },
    { type: "json", value: { counted: 1 } },
  ]);
  expect(failuresOf(events)).toMatchObject([{ kind: "UnknownTool", toolName: "missing" }]);
});

it.each(["count now! ç", "x".repeat(300), "", "a\nb", "😀😀"])(
  "sends back a legal name for the tool %j that the model made up, and records the name it used",
  async (name) => {
    const { run, model } = await engine([{ toolCalls: [{ name }] }, "Done."]);

    const { result, events } = await run();

    expect(result.status).toBe("Completed");
    const [, assistant, results] = model.calls[1]?.prompt ?? [];
    for (const message of [assistant, results]) {
      expect(message?.content[0]).toMatchObject({
        toolName: expect.stringMatching(/^[\w-]{1,64}$/),
      });
    }
    expect(failuresOf(events)).toMatchObject([{ toolName: name }]);
  },
);

it("lets the model correct arguments that are not JSON, and sends an object back for them", async () => {
  const { run, model, ledger } = await engine([
    { toolCalls: [{ name: "count", inputText: '{"x":' }] },
    asking({ x: 1 }),
    "Done.",
  ]);

  const { result, events } = await run();

  expect(result.status).toBe("Completed");
  expect(ledger).toEqual([1]);
  expect(model.calls[1]?.prompt[1]?.content).toMatchObject([{ type: "tool-call", input: {} }]);
  expect(events.find(({ type }) => type === "ToolInvoking")?.payload).toMatchObject({
    arguments: '{"x":',
  });
  expect(failuresOf(events)).toMatchObject([
    {
      kind: "InvalidArguments",
      error: "Error: Invalid arguments: the arguments are not valid JSON",
    },
  ]);
});

it.each([
  ["a missing argument", {}, /x: /],
  ["an argument of the wrong type", { x: "one" }, /x: .*number/],
  ["arguments that are a list", [1], /arguments: /],
])("answers %s with what is wrong", async (_, input, problem) => {
  const { run, ledger } = await engine([{ toolCalls: [{ name: "count", input }] }, "Done."]);

  const { result, events } = await run();

  expect(result.status).toBe("Completed");
  expect(ledger).toEqual([]);
  expect(failuresOf(events)).toMatchObject([
    { kind: "InvalidArguments", error: expect.stringMatching(problem) },
  ]);
});

it.each(["length", "content-filter", "error", "interrupted"] as const)(
  "runs no tool when the answer ended with %s, and says so of each call",
  async (finishReason) => {
    const { run, ledger } = await engine([{ ...asking({ x: 1 }, { x: 2 }), finishReason }]);

    const { result, events } = await run();

    expect(ledger).toEqual([]);
    expect(result).toMatchObject({ status: "Failed", error: { type: "response_truncated" } });
    expect(failuresOf(events)).toMatchObject([
      { kind: "NotRun", position: 0 },
      { kind: "NotRun", position: 1 },
    ]);
  },
);

it.each(["cut", "other"] as const)(
  "runs no tool when the provider never said that it had finished (%s)",
  async (how) => {
    const ending: ScriptedModelTurn = how === "cut" ? { ends: "cut" } : { finishReason: "other" };
    const { run, ledger } = await engine([{ ...asking({ x: 1 }), ...ending }]);

    const { result, events } = await run();

    expect(ledger).toEqual([]);
    expect(result.status).toBe("Failed");
    expect(failuresOf(events)).toMatchObject([
      { kind: "NotRun", error: "not run: the answer was interrupted" },
    ]);
  },
);

it.each([
  [{ ends: "cut", text: "Hel" }, "provider_error"],
  [{ finishReason: "other", text: "Hel" }, "provider_error"],
  [{ finishReason: "error", text: "Hel" }, "provider_error"],
  [{ finishReason: "content-filter" }, "content_filtered"],
  [{ finishReason: "length" }, "response_truncated"],
] satisfies [ScriptedModelTurn, string][])("does not pass %j for an answer", async (turn, code) => {
  const { run } = await engine([turn]);

  const { result } = await run();

  expect(result).toMatchObject({ status: "Failed", error: { type: code } });
});

it("answers with a text that was cut at its length limit", async () => {
  const { run } = await engine([{ text: "Long", finishReason: "length" }]);

  const { result } = await run();

  expect(result).toMatchObject({ status: "Completed", output: "Long" });
});

it("gives calls with one id a result each, within an answer and across answers", async () => {
  const call = (x: number) => ({ name: "count", id: "c0", input: { x } });
  const { run, model, ledger } = await engine([
    { toolCalls: [call(1), call(2)] },
    { toolCalls: [call(3)] },
    "Done.",
  ]);

  const { events } = await run();

  expect(ledger).toEqual([1, 2, 3]);
  const last = model.calls[2]?.prompt ?? [];
  const pairs = last.flatMap((message) => (message.role === "system" ? [] : idsOf(message)));
  expect(new Set(pairs).size).toBe(3);
  expect(pairs).toEqual([...pairs.slice(0, 2), ...pairs.slice(0, 2), pairs[4], pairs[4]]);
  expect(events.filter(({ type }) => type === "ToolInvoked").map((it) => it.payload)).toMatchObject(
    [
      { step: 0, position: 0, callId: "c0" },
      { step: 0, position: 1, callId: "c0" },
      { step: 1, position: 0, callId: "c0" },
    ],
  );
});

it("gives every call an id of its own, whatever ids the provider sends", async () => {
  const call = (id: string, x: number) => ({ name: "count", id, input: { x } });
  const { run, model } = await engine([
    { toolCalls: [call("", 1), call("c0", 2), call("c0_0_3", 3), call("c0", 4), call("", 5)] },
    "Done.",
  ]);

  await run();

  const [, assistant, results] = model.calls[1]?.prompt ?? [];
  const ids = assistant === undefined ? [] : idsOf(assistant);
  expect(new Set(ids).size).toBe(5);
  expect(ids).not.toContain("");
  expect(results === undefined ? [] : idsOf(results)).toEqual(ids);
});

it("takes a call that the provider sent twice for one call", async () => {
  const twice: LanguageModelV4StreamPart = {
    type: "tool-call",
    toolCallId: "c1",
    toolName: "count",
    input: '{"x":1}',
  };
  const { run, ledger } = await engine([
    { parts: [twice, twice], finishReason: "tool-calls" },
    "Done.",
  ]);

  await run();

  expect(ledger).toEqual([1]);
});

it.each([true, undefined])(
  "does not run a call that the provider answered itself (marked: %s)",
  async (providerExecuted) => {
    const parts: LanguageModelV4StreamPart[] = [
      {
        type: "tool-call",
        toolCallId: "c1",
        toolName: "count",
        input: '{"x":1}',
        ...(providerExecuted && { providerExecuted }),
      },
      {
        type: "tool-result",
        toolCallId: "c1",
        toolName: "count",
        result: "half",
        preliminary: true,
      },
      { type: "tool-result", toolCallId: "c1", toolName: "count", result: "found" },
    ];
    const own = { name: "count", input: { x: 2 } };
    const { run, model, ledger } = await engine([{ toolCalls: [own], parts }, "Done."]);

    await run();

    expect(ledger).toEqual([2]);
    expect(model.calls[1]?.prompt[1]?.content).toMatchObject([
      { type: "tool-call", toolCallId: "call-1-1" },
      { type: "tool-call", toolCallId: "c1", providerExecuted: true },
      { type: "tool-result", toolCallId: "c1", output: { type: "json", value: "found" } },
    ]);
  },
);

it("keeps its tools with the choice none for a provider that needs their definitions", async () => {
  const { run, model } = await engine([asking({ x: 1 }), "Done."], {
    agent: ceiling(1),
    needsToolDefinitions: true,
  });

  await run();

  expect(model.calls.map(({ tools, toolChoice }) => [tools?.length, toolChoice])).toEqual([
    [1, undefined],
    [1, { type: "none" }],
  ]);
});

it("sends the same request for the same run, whatever tool finished first", async () => {
  const requests = new Set<string>();
  for (let repetition = 0; repetition < 20; repetition++) {
    const gate = Promise.withResolvers<void>();
    const script = [{ toolCalls: [{ name: "slow" }, { name: "fast" }] }, "Done."];
    const { run, model } = await engine(script, {
      tools: {
        slow: plainTool(() => gate.promise.then(() => "slow")),
        fast: plainTool(() => {
          gate.resolve();
          return "fast";
        }),
      },
      agent: concurrent,
    });
    await run();
    requests.add(JSON.stringify(model.calls[1]?.prompt));
  }

  expect(requests.size).toBe(1);
  expect([...requests][0]).toMatch(/slow.*fast.*"value":"slow".*"value":"fast"/);
});

it(
  "sends instructions as system text, however long",
  covers("definition.instructions-are-system-text"),
  async () => {
    const instructions = `Be brief. ${"x".repeat(200_000)}`;
    const { run, model } = await engine(["Hi."], { agent: { instructions } });

    await run("Hello.");

    expect(model.calls[0]?.prompt).toEqual([
      { role: "system", content: instructions },
      user("Hello."),
    ]);
  },
);

const concurrent = {
  model: {
    provider: "test",
    model: "test-model",
    toolLoop: { allowConcurrentToolCalls: true },
  },
};
const ceiling = (maximumIterationsPerRequest: number) => ({
  harness: {
    maximumIterationsPerRequest,
    disableCompaction: true,
    disableTodoProvider: true,
    disableAgentModeProvider: true,
  },
});
const asking = (...inputs: readonly unknown[]): ScriptedModelTurn => ({
  toolCalls: inputs.map((input) => ({ name: "count", input })),
});
const user = (text: string) => ({ role: "user", content: [{ type: "text", text }] });
const called = (toolCallId: string) => ({ type: "tool-call", toolCallId, toolName: "count" });
const answered = (toolCallId: string) => ({ type: "tool-result", toolCallId, toolName: "count" });

const plainTool = (execute: () => unknown) => tool({ inputSchema: z.object({}), execute });

const idsOf = (message: LanguageModelV4Message): string[] =>
  typeof message.content === "string"
    ? []
    : message.content.flatMap((part) => ("toolCallId" in part ? [part.toolCallId] : []));

const resultsOf = (prompt: readonly LanguageModelV4Message[] = []) =>
  prompt.flatMap((message) =>
    message.role === "tool"
      ? message.content.map((part) => (part.type === "tool-result" ? part.output : part))
      : [],
  );

const failuresOf = (events: readonly { type: string; payload: unknown }[]) =>
  events.filter(({ type }) => type === "ToolFailed").map(({ payload }) => payload);

type Options = Partial<TestEngineOptions>;

/** An engine whose agent has the tool `count`, which writes what it counts into a ledger. */
async function engine(script: readonly ScriptedStep[], options: Options = {}) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const ledger: number[] = [];
  const count = tool({
    description: "Counts.",
    inputSchema: z.object({ x: z.number() }),
    execute: ({ x }) => {
      ledger.push(x);
      return { counted: x };
    },
  });
  const model = scriptedModel(script);
  const started = await startTestEngine({ stores, model, tools: { count }, ...options });
  return { ...started, model, ledger };
}
