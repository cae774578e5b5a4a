import { type Tool, tool } from "@ai-sdk/provider-utils";
import type { RunEvent } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ManualClock,
  manualClock,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import type { GuardDecision, GuardedContent } from "../model/content-guard.ts";
import type { ToolCallView, ToolRegistration } from "./tool-registration.ts";

it.each<[string, Authorize, string]>([
  ["says no", () => false, "Error: The call is not allowed."],
  [
    "says why",
    () => ({ allowed: false, reason: "only staff" }),
    "Error: The call is not allowed: only staff",
  ],
  ["answers later", async () => ({ allowed: false }), "Error: The call is not allowed."],
  ["answers nothing", () => undefined as never, "Error: The call is not allowed."],
  ["answers a text", () => "yes" as never, "Error: The call is not allowed."],
  ["answers a number", () => 1 as never, "Error: The call is not allowed."],
  ["has no clear yes", () => ({ allowed: "true" }) as never, "Error: The call is not allowed."],
  [
    "throws",
    () => {
      throw new Error("key sk-1");
    },
    "Error: The call is not allowed.",
  ],
  ["rejects", () => Promise.reject(new Error("key sk-1")), "Error: The call is not allowed."],
])("does not run a call when its authorization %s", async (_, authorize, error) => {
  const { run, ran, model } = await engine({ authorize });

  const { result, events } = await run();

  expect(result.status).toBe("Completed");
  expect(ran).toEqual([]);
  expect(faults(events)).toMatchObject([{ kind: "Denied", error }]);
  expect(lastResults(model)).toEqual([{ type: "error-text", value: error }]);
  expect(JSON.stringify(events)).not.toContain("sk-1");
});

it.each<[string, Authorize]>([
  ["true", () => true],
  ["allowed", async () => ({ allowed: true })],
])("runs a call when its authorization answers %s", async (_, authorize) => {
  const { run, ran } = await engine({ authorize });

  await run();

  expect(ran).toEqual([{ n: 1 }]);
});

it("tells the authorization who calls what, before the arguments are checked", async () => {
  const seen: ToolCallView[] = [];
  const { run } = await engine(
    { authorize: (call) => seen.push(call) > 0, requiredPermission: "refund" },
    [{ toolCalls: [{ name: "work", input: { n: "many" } }] }, "Done."],
  );

  const { runId, events } = await run();

  expect(seen).toMatchObject([
    {
      toolName: "work",
      agentName: "agent",
      tenantId: "default",
      runId,
      arguments: { n: "many" },
      requiredPermission: "refund",
    },
  ]);
  expect(faults(events)).toMatchObject([{ kind: "InvalidArguments" }]);
});

it.each([
  ["a text for a number", '{"n":"lots"}'],
  ["a number beyond all numbers", '{"n":1e999}'],
  ["nothing for a number", '{"n":null}'],
  ["no arguments", "{}"],
  ["broken JSON", "{bad"],
  ["a list", "[1]"],
])("never runs a call whose arguments are %s", async (_, inputText) => {
  const { run, ran } = await engine({}, [{ toolCalls: [{ name: "work", inputText }] }, "Done."]);

  const { result, events } = await run();

  expect(result.status).toBe("Completed");
  expect(ran).toEqual([]);
  expect(faults(events)).toMatchObject([{ kind: "InvalidArguments" }]);
});

it("waits no longer than the tool's limit, and tells the tool by its signal", async () => {
  const told = Promise.withResolvers<unknown>();
  const begun = Promise.withResolvers<void>();
  const clock = manualClock();
  const { run, model } = await engine({
    timeout: "5s",
    clock,
    body: (signal) => {
      begun.resolve();
      signal.addEventListener("abort", () => told.resolve(signal.reason));
      return new Promise(() => undefined);
    },
  });

  const running = run();
  await begun.promise;
  clock.advance(5_000);
  const { result, events } = await running;

  expect(result.status).toBe("Completed");
  expect(await told.promise).toMatchObject({ name: "TimeoutError" });
  const error = "Error: The tool did not answer within 5 s. It may still finish.";
  expect(faults(events)).toMatchObject([{ kind: "TimedOut", error }]);
  expect(lastResults(model)).toEqual([{ type: "error-text", value: error }]);
});

it("discards what a tool answers too late", async () => {
  const late = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const clock = manualClock();
  const body = () => {
    begun.resolve();
    return late.promise;
  };
  const { run, model } = await engine({ timeout: "1s", clock, body }, [
    asking,
    async () => {
      late.resolve("late");
      await late.promise;
      return "Done.";
    },
  ]);

  const running = run();
  await begun.promise;
  clock.advance(1_000);
  const { events } = await running;

  expect(events.map(({ type }) => type)).not.toContain("ToolInvoked");
  expect(JSON.stringify(model.calls)).not.toContain('"late"');
});

it("does not begin a body that nobody waits for any more", async () => {
  const clock = manualClock();
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const commit = stores.journal.commit.bind(stores.journal);
  const journal: typeof stores.journal = {
    async commit(batch) {
      // The disk takes longer than the tool has.
      if (batch.some(({ events }) => events?.lines.includes("ToolInvoking"))) clock.advance(1_000);
      return commit(batch);
    },
  };
  const { run, ran } = await engine({ timeout: "1s", clock, stores: { ...stores, journal } });

  const { events } = await run();

  expect(ran).toEqual([]);
  expect(faults(events)).toMatchObject([{ kind: "TimedOut" }]);
});

it.each([57, 58, 100, 1_000])(
  "keeps a result within %i bytes and says what is gone",
  async (max) => {
    const returned = 'é"\n😀'.repeat(500);
    const { run, model } = await engine({ maxOutputBytes: max, body: () => returned });

    const { events } = await run();

    const [output] = lastResults(model);
    const value = output?.type === "json" ? (output.value as Envelope) : undefined;
    expect(value?.truncated).toBe(true);
    expect(returned.startsWith(value?.content ?? "?")).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(max);
    expect(value?.omittedBytes).toBe(
      Buffer.byteLength(returned) - Buffer.byteLength(value?.content ?? ""),
    );
    expect(events.filter(({ type }) => type === "ToolOutputTruncated")).toMatchObject([
      { payload: { toolName: "work", position: 0, omittedBytes: value?.omittedBytes } },
    ]);
  },
);

it("passes a result on as it is when it just fits", async () => {
  const { run, model } = await engine({ maxOutputBytes: 57, body: () => "x".repeat(57) });

  const { events } = await run();

  expect(lastResults(model)).toEqual([{ type: "text", value: "x".repeat(57) }]);
  expect(events.map(({ type }) => type)).not.toContain("ToolOutputTruncated");
});

it("cuts the text beside a file and leaves the file whole", async () => {
  const file = { type: "file-data" as const, data: "A".repeat(500), mediaType: "image/png" };
  const drawing = tool({
    inputSchema: z.object({ n: z.number() }),
    execute: () => "drawn",
    toModelOutput: () => ({
      type: "content",
      value: [{ type: "text", text: "t".repeat(200) }, file],
    }),
  }) as Tool;
  const { run, model } = await engine({ maxOutputBytes: 60, tool: drawing });

  await run();

  const [output] = lastResults(model);
  expect(output).toMatchObject({
    type: "content",
    value: [{ text: '{"truncated":true,"omittedBytes":190,"content":"tttttttttt"}' }, file],
  });
});

it("streams what a tool reports while it works", async () => {
  const { run } = await engine({
    async *body() {
      yield { done: 1 };
      yield "half";
      yield { done: 2 };
    },
  });

  const { events, frames } = await run("Go.", { isStreaming: true });

  const reported = events.filter(({ type }) => type === "Custom").map(({ payload }) => payload);
  const call = { iteration: 1, step: 0, position: 0, toolName: "work" };
  expect(reported).toMatchObject(
    ['{"done":1}', "half", '{"done":2}'].map((preliminary) => ({
      customType: "tracon.tool.progress",
      data: { ...call, preliminary },
    })),
  );
  expect(frames.filter(({ event }) => event === "custom")).toHaveLength(3);
});

it("passes on only so many reports of one call", async () => {
  const { run } = await engine({
    async *body() {
      for (let n = 0; n < 500; n++) yield n;
    },
  });

  const { events, result } = await run();

  expect(result.status).toBe("Completed");
  expect(events.filter(({ type }) => type === "Custom")).toHaveLength(100);
});

it("tells the calls beside one that ends the run to stop, and records nothing after the end", async () => {
  const told = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow: Tool = tool({
    inputSchema: z.object({}),
    execute: (_, { abortSignal }): unknown => {
      begun.resolve();
      abortSignal?.addEventListener("abort", () => told.resolve());
      return new Promise(() => undefined);
    },
  });
  const toolLoop = { allowConcurrentToolCalls: true };
  const toolCalls = [{ name: "work", input: { n: 1 } }, { name: "slow" }];
  const { run } = await engine(
    {
      body: () => begun.promise.then(() => "secret"),
      others: { slow },
      agent: { model: { provider: "test", model: "test-model", toolLoop } },
      contentGuards: { all: { inspect: blockSecrets } },
    },
    [{ toolCalls }],
  );

  const { result, events } = await run();

  await told.promise;
  expect(result).toMatchObject({ status: "Failed", error: { type: "content_blocked" } });
  expect(faults(events)).toMatchObject([{ toolName: "slow", kind: "Canceled" }]);
  expect(events.at(-1)).toMatchObject({ type: "RunFailed" });
});

it("counts a tool that never answers as one that fails", async () => {
  const clock = manualClock();
  const { run } = await engine(
    { timeout: "1s", clock, body: () => new Promise(() => undefined) },
    Array.from({ length: 4 }, () => asking),
  );

  const running = run();
  for (let round = 0; round < 4; round++) {
    await clock.sleeping();
    clock.advance(1_000);
  }
  const { result } = await running;

  expect(result).toMatchObject({ status: "Failed", error: { type: "tool_failed" } });
});

type Authorize = NonNullable<ToolRegistration["authorize"]>;
type Envelope = { truncated: boolean; omittedBytes: number; content: string };

const asking: ScriptedStep = { toolCalls: [{ name: "work", input: { n: 1 } }] };

type EngineParts = Omit<ToolRegistration, "tool"> & {
  readonly tool?: Tool;
  readonly body?: (signal: AbortSignal) => unknown;
  readonly clock?: ManualClock;
  readonly stores?: Awaited<ReturnType<typeof openStores>>;
  readonly others?: Readonly<Record<string, Tool>>;
} & Pick<Parameters<typeof startTestEngine>[0], "agent" | "contentGuards">;

async function engine(parts: EngineParts, script: readonly ScriptedStep[] = [asking, "Done."]) {
  const { body = () => "ran", clock, stores: given, tool: own, others, ...rest } = parts;
  const { agent = {}, contentGuards = {}, ...registration } = rest;
  const stores = given ?? (await openStores("memory:"));
  if (given === undefined) onTestFinished(() => stores.close());
  const ran: unknown[] = [];
  const work: Tool = tool({
    inputSchema: z.object({ n: z.number() }),
    execute: (input, { abortSignal }): unknown => {
      ran.push(input);
      return body(abortSignal ?? new AbortController().signal);
    },
  });
  const model = scriptedModel(script);
  const tools = { work: { ...registration, tool: own ?? work }, ...others };
  const time = clock === undefined ? {} : { clock, sleep: clock.sleep };
  const started = await startTestEngine({ stores, model, tools, agent, contentGuards, ...time });
  return { ...started, model, ran };
}

const blockSecrets = ({ text }: GuardedContent): GuardDecision =>
  text.includes("secret") ? { decision: "Block", rule: "r" } : { decision: "Allow" };

const faults = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === "ToolFailed" ? [event.payload] : []));

const lastResults = (model: ReturnType<typeof scriptedModel>) =>
  (model.calls.at(-1)?.prompt ?? []).flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))
      : [],
  );
