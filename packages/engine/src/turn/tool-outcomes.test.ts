import { type Tool, tool } from "@ai-sdk/provider-utils";
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

it.each([
  ["undefined", undefined, { type: "text", value: "The tool finished and returned no value." }],
  ["null", null, { type: "text", value: "The tool finished and returned no value." }],
  ["an empty text", "", { type: "text", value: "" }],
  ["a text", "Sunny.", { type: "text", value: "Sunny." }],
  ["false", false, { type: "json", value: false }],
  ["a list", [1, null], { type: "json", value: [1, null] }],
  ["a date", new Date(0), { type: "json", value: "1970-01-01T00:00:00.000Z" }],
  ["an undefined member", { a: 1, b: undefined }, { type: "json", value: { a: 1 } }],
  ["not a number", Number.NaN, { type: "json", value: null }],
])("shows the model what a tool returned: %s", async (_, returned, shown) => {
  const { run, model } = await engine([asking("work"), "Done."], { work: () => returned });

  const { result } = await run();

  expect(result.status).toBe("Completed");
  expect(outputsOf(model)).toEqual([shown]);
});

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

it.each([
  ["a cycle", cyclic],
  ["a bigint", { count: 1n }],
  ["a function", () => "later"],
  ["a symbol", Symbol("s")],
])("takes %s that JSON cannot express for a failed call", async (_, returned) => {
  const { run, model } = await engine([asking("work"), "Done."], { work: () => returned });

  const { result, events } = await run();

  expect(result.status).toBe("Completed");
  expect(outputsOf(model)).toEqual([{ type: "error-text", value: "Error: Function failed." }]);
  expect(failuresOf(events)).toMatchObject([{ kind: "Failed" }]);
});

it("passes a large result on whole and records its beginning", async () => {
  const large = "😀".repeat(500_000);
  const unlimited = { agentGraph: { maxTotalTokens: 0 } };
  const { run, model } = await engine(
    [asking("work"), "Done."],
    { work: () => large },
    undefined,
    unlimited,
  );

  const { events } = await run();

  expect(outputsOf(model)).toEqual([{ type: "text", value: large }]);
  const invoked = events.find(({ type }) => type === "ToolInvoked");
  expect(invoked?.payload).toMatchObject({
    result: `${"😀".repeat(4_096)}… [991808 more characters]`,
  });
});

it.each([
  ["an error", new Error("key sk-1 refused")],
  ["nothing", undefined],
  ["a text", "key sk-1 refused"],
  ["something without a text", Object.create(null)],
])("hides what a tool threw from model and record: %s", async (_, thrown) => {
  const { run, model, log } = await engine([asking("work"), "Done."], {
    work: () => {
      throw thrown;
    },
  });

  const { result, events } = await run();

  expect(result.status).toBe("Completed");
  expect(outputsOf(model)).toEqual([{ type: "error-text", value: "Error: Function failed." }]);
  expect(JSON.stringify(events)).not.toContain("sk-1");
  expect(log.entries).toMatchObject([{ level: "warn", message: "a tool failed" }]);
});

it("takes a tool's own abort for a failed call and goes on", async () => {
  const { run } = await engine([asking("work"), "Done."], {
    work: () => Promise.reject(new DOMException("too slow", "AbortError")),
  });

  const { result, events } = await run();

  expect(result).toMatchObject({ status: "Completed", output: "Done." });
  expect(failuresOf(events)).toMatchObject([{ kind: "Failed" }]);
});

it("takes the last of the results that a tool yields", async () => {
  const { run, model } = await engine([asking("work"), "Done."], {
    async *work() {
      yield "half";
      yield "whole";
    },
  });

  await run();

  expect(outputsOf(model)).toEqual([{ type: "text", value: "whole" }]);
});

it("lets a tool say what the model reads of its result", async () => {
  const lookUp: Tool = tool({
    inputSchema: z.object({}),
    execute: () => ({ rows: [1, 2] }),
    toModelOutput: ({ output }) => ({
      type: "content",
      value: [{ type: "text", text: `${output.rows.length} rows` }],
    }),
  });
  const { run, model } = await engine([asking("lookUp"), "Done."], { lookUp });

  const { events } = await run();

  expect(outputsOf(model)).toEqual([
    { type: "content", value: [{ type: "text", text: "2 rows" }] },
  ]);
  expect(events.find(({ type }) => type === "ToolInvoked")?.payload).toMatchObject({
    result: '[{"type":"text","text":"2 rows"}]',
  });
});

it("gives a tool the conversation before its call, its call id and a signal", async () => {
  const seen: unknown[] = [];
  const { run } = await engine([{ ...asking("work"), text: "Working." }, "Done."], {
    work: tool({
      inputSchema: z.object({}),
      execute: (_, { messages, toolCallId, abortSignal }) => {
        seen.push(messages, toolCallId, abortSignal?.aborted);
      },
    }),
  });

  await run("Go on.");

  const conversation = [{ role: "user", content: [{ type: "text", text: "Go on." }] }];
  expect(seen).toEqual([conversation, "call-1-1", false]);
});

it("hands a tool the arguments as its schema reads them", async () => {
  const seen: unknown[] = [];
  const { run } = await engine([{ toolCalls: [{ name: "work", inputText: "" }] }, "Done."], {
    work: tool({
      inputSchema: z.object({ limit: z.number().default(5) }),
      execute: (input) => void seen.push(input),
    }),
  });

  await run();

  expect(seen).toEqual([{ limit: 5 }]);
});

it("tolerates failed calls in three rounds in a row and fails in the fourth", async () => {
  const rounds = Array.from({ length: 4 }, () => asking("broken"));
  const { run, model } = await engine(rounds, { broken });

  const { result } = await run();

  expect(result).toMatchObject({
    status: "Failed",
    error: {
      type: "tool_failed",
      class: "ToolError",
      message: "tools failed in 4 rounds in a row (limit 3)",
    },
  });
  model.assertDone();
});

it("begins to count anew after a round without a failed call", async () => {
  const round = asking("broken");
  const script = [round, round, round, asking("fine"), round, round, round, "Done."];
  const { run } = await engine(script, { broken, fine: () => "ok" });

  const { result } = await run();

  expect(result.status).toBe("Completed");
});

it("counts a round in which one of two calls failed", async () => {
  const rounds = Array.from({ length: 4 }, () => asking("fine", "broken"));
  const { run } = await engine(rounds, { broken, fine: () => "ok" });

  const { result } = await run();

  expect(result).toMatchObject({ status: "Failed", error: { type: "tool_failed" } });
});

it("does not count calls of tools that do not exist", async () => {
  const rounds = Array.from({ length: 6 }, () => asking("missing"));
  const { run } = await engine([...rounds, "Done."], { fine: () => "ok" });

  const { result } = await run();

  expect(result.status).toBe("Completed");
});

it("runs the calls of an answer one after the other", async () => {
  const { run, trace } = await engine([asking("first", "second"), "Done."], (record) => ({
    first: () => record("first"),
    second: () => record("second"),
  }));

  await run();

  expect(trace).toEqual(["first begins", "first ends", "second begins", "second ends"]);
});

it("runs the calls of an answer at the same time when the model's settings say so", async () => {
  const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const { run } = await engine(
    [asking("first", "second"), "Done."],
    {
      first: () => {
        arrivals[0].resolve();
        return arrivals[1].promise.then(() => "met");
      },
      second: () => {
        arrivals[1].resolve();
        return arrivals[0].promise.then(() => "met");
      },
    },
    { allowConcurrentToolCalls: true },
  );

  const { events } = await run();

  expect(events.map(({ type }) => type).filter((type) => type.startsWith("Tool"))).toEqual([
    "ToolInvoking",
    "ToolInvoking",
    "ToolInvoked",
    "ToolInvoked",
  ]);
});

it("writes a call's intent to disk before its body runs", async () => {
  const { run, stores, trace } = await engine([asking("work"), "Done."], (record) => ({
    work: () => record("work"),
  }));
  const commit = stores.journal.commit.bind(stores.journal);
  stores.journal.commit = async (batch) => {
    const outcome = await commit(batch);
    if (batch.some(({ events }) => events?.lines.includes("ToolInvoking"))) trace.push("on disk");
    return outcome;
  };

  await run();

  expect(trace).toEqual(["on disk", "work begins", "work ends"]);
});

const asking = (...names: readonly string[]): ScriptedModelTurn => ({
  toolCalls: names.map((name) => ({ name })),
});
const broken = () => Promise.reject(new Error("broken"));

const outputsOf = (model: ReturnType<typeof scriptedModel>) =>
  (model.calls.at(-1)?.prompt ?? []).flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))
      : [],
  );

const failuresOf = (events: readonly { type: string; payload: unknown }[]) =>
  events.filter(({ type }) => type === "ToolFailed").map(({ payload }) => payload);

type Body = () => unknown;
type Bodies = Readonly<Record<string, Body | Tool>>;
type Recorder = (name: string) => Promise<void>;

async function engine(
  script: readonly ScriptedStep[],
  bodies: Bodies | ((record: Recorder) => Bodies),
  toolLoop = { allowConcurrentToolCalls: false },
  options: Partial<TestEngineOptions> = {},
) {
  const stores = { ...(await openStores("memory:")) };
  const journal = { commit: stores.journal.commit };
  const observed = { ...stores, journal };
  onTestFinished(() => stores.close());
  const trace: string[] = [];
  const record = async (name: string) => {
    trace.push(`${name} begins`);
    await Promise.resolve();
    trace.push(`${name} ends`);
  };
  const made = typeof bodies === "function" ? bodies(record) : bodies;
  const tools = Object.fromEntries(
    Object.entries(made).map(([name, body]) => [
      name,
      typeof body === "function" ? tool({ inputSchema: z.object({}), execute: body }) : body,
    ]),
  );
  const model = scriptedModel(script);
  const agent = { model: { provider: "test", model: "test-model", toolLoop } };
  const started = await startTestEngine({ stores: observed, model, tools, agent, ...options });
  return { ...started, model, trace, stores: observed };
}
