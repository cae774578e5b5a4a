import { type Tool, tool } from "@ai-sdk/provider-utils";
import type { RunEvent } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type GatedEngineOptions,
  manualClock,
  type ScriptedModelTurn,
  type ScriptedStep,
  startGatedEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import type { ToolCallView } from "../tools/tool-registration.ts";

const TENANT = "default";

it("ends a run with the calls that wait, and shows them in result, frames, row and mailbox", async () => {
  const { engine, run, waiting, ledger } = await gated([calling("gate", 1, "gate", 2)]);

  const { runId, result, frames, events } = await run("Go.", { isStreaming: true });

  const [first, second] = await waiting();
  expect(result).toMatchObject({
    status: "AwaitingApproval",
    sessionId: first?.sessionId,
    approvals: [
      { requestId: first?.id, toolName: "gate", arguments: '{"x":1}' },
      { requestId: second?.id, toolName: "gate", arguments: '{"x":2}' },
    ],
  });
  expect(frames.slice(-2)).toMatchObject([
    { event: "approvals", data: { approvals: result.approvals } },
    { event: "done", data: { status: "AwaitingApproval" } },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "RunAwaitingInput" });
  expect(await engine.runs.get(TENANT, runId)).toMatchObject({
    status: "AwaitingApproval",
    sessionId: first?.sessionId,
  });
  expect(first).toMatchObject({
    runId,
    agentName: "agent",
    status: "Pending",
    requestId: first?.id,
  });
  expect(first).not.toHaveProperty("argumentsHash");
  expect(ledger).toEqual([]);
});

it("runs an approved call once, in a run of its own, and tells the model its result", async () => {
  const { engine, run, waiting, ended, ledger, model } = await gated([calling("gate", 1), "Done."]);
  const { runId } = await run();
  const [approval] = await waiting();
  const { id = "", continuationRunId = "" } = approval ?? {};

  const decided = await engine.approvals.decide(
    TENANT,
    id,
    { approved: true },
    { decidedBy: "ada" },
  );
  const events = await ended(continuationRunId);

  expect(decided).toMatchObject({ status: "Approved", decidedBy: "ada" });
  expect(ledger).toEqual(["gate(1)"]);
  expect(typesOf(events)).toEqual([
    "RunStarted",
    "ToolInvoking",
    "ToolInvoked",
    "MessageDelta",
    "MessageCompleted",
    "RunCompleted",
  ]);
  expect(await engine.runs.get(TENANT, continuationRunId)).toMatchObject({
    status: "Completed",
    continuedFromRunId: runId,
  });
  expect(lastResults(model)).toEqual([{ type: "json", value: { done: 1 } }]);
  expect(await waiting()).toEqual([]);
});

it("never runs a declined call, and tells the model why", async () => {
  const { engine, run, waiting, ended, ledger, model } = await gated([calling("gate", 1), "Done."]);
  await run();
  const [{ id = "", continuationRunId = "" } = {}] = await waiting();

  const decision = { approved: false, reason: "use ticket 7 instead" };
  await engine.approvals.decide(TENANT, id, decision);
  const events = await ended(continuationRunId);

  const error = "Error: Not run: the call was declined: use ticket 7 instead";
  expect(ledger).toEqual([]);
  expect(lastResults(model)).toEqual([{ type: "error-text", value: error }]);
  expect(events).toContainEqual(
    expect.objectContaining({ payload: expect.objectContaining({ kind: "Declined", error }) }),
  );
});

it.each([undefined, "", "  "])(
  "gives a reason where the decision has none (%j)",
  async (reason) => {
    const { engine, run, waiting, ended, model } = await gated([calling("gate", 1), "Done."]);
    await run();
    const [{ id = "", continuationRunId = "" } = {}] = await waiting();

    await engine.approvals.decide(TENANT, id, { approved: false, reason });
    await ended(continuationRunId);

    expect(lastResults(model)).toMatchObject([
      { value: expect.stringMatching(/was declined: no reason was given; do not call it again/) },
    ]);
  },
);

it.each([false, true])(
  "runs safe siblings once and at once (concurrent: %s)",
  async (concurrent) => {
    const { engine, run, waiting, ended, ledger, model } = await gated(
      [calling("count", 1, "gate", 2, "count", 3), "Done."],
      { agent: agentWith(concurrent) },
    );

    await run();
    const before = [...ledger];
    const [{ id = "", continuationRunId = "" } = {}] = await waiting();
    await engine.approvals.decide(TENANT, id, { approved: true });
    await ended(continuationRunId);

    expect(before).toEqual(["count(1)", "count(3)"]);
    expect(ledger).toEqual(["count(1)", "count(3)", "gate(2)"]);
    const results = lastResults(model).map((it) => (it.type === "json" ? it.value : it));
    expect(results).toEqual([{ done: 1 }, { done: 2 }, { done: 3 }]);
  },
);

it("waits for all decisions of the run, in whatever order they come", async () => {
  const { engine, run, waiting, ended, ledger, model } = await gated([
    calling("gate", 1, "gate", 2, "gate", 3),
    "Done.",
  ]);
  await run();
  const [one, two, three] = await waiting();

  await engine.approvals.decide(TENANT, three?.id ?? "", { approved: true });
  await engine.approvals.decide(TENANT, one?.id ?? "", { approved: true });
  const early = [...ledger];
  await engine.approvals.decide(TENANT, two?.id ?? "", { approved: false, reason: "not 2" });
  await ended(one?.continuationRunId ?? "");

  expect(early).toEqual([]);
  expect(ledger).toEqual(["gate(1)", "gate(3)"]);
  expect(lastResults(model).map(({ type }) => type)).toEqual(["json", "error-text", "json"]);
});

it("takes decisions that come with the next request of the session", async () => {
  const { send, ledger, model } = await gated([calling("gate", 1, "gate", 2), "Done."]);
  const stopped = await send({ message: "Go.", sessionId: "s" });
  const [one, two] = stopped.approvals ?? [];

  const result = await send({
    sessionId: "s",
    approvals: [
      { requestId: two?.requestId, approved: false, reason: "no" },
      { requestId: one?.requestId, approved: true },
    ],
  });

  expect(result).toMatchObject({ status: "Completed", output: "Done.", sessionId: "s" });
  expect(ledger).toEqual(["gate(1)"]);
  const [system, ...said] = model.calls[1]?.prompt ?? [];
  expect([system?.role, ...said.map(({ role }) => role)]).toEqual(["user", "assistant", "tool"]);
});

it("takes decisions first and the message behind them", async () => {
  const { send, model } = await gated([calling("gate", 1), "Done.", "Bye."]);
  const stopped = await send({ message: "Go.", sessionId: "s" });
  const requestId = stopped.approvals?.[0]?.requestId;

  await send({ message: "And?", sessionId: "s", approvals: [{ requestId, approved: true }] });
  await send({ message: "Thanks.", sessionId: "s" });

  expect(model.calls[1]?.prompt.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
  ]);
  expect(model.calls[2]?.prompt.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
    "assistant",
    "user",
  ]);
});

it("takes an ordinary message for the end of the wait, and handles it", async () => {
  const { engine, send, waiting, ledger, model } = await gated([calling("gate", 1), "Sure."]);
  const stopped = await send({ message: "Go.", sessionId: "s" });
  const id = stopped.approvals?.[0]?.requestId ?? "";

  const result = await send({ message: "Never mind.", sessionId: "s" });

  expect(result).toMatchObject({ status: "Completed", output: "Sure." });
  expect(ledger).toEqual([]);
  expect(lastResults(model)).toMatchObject([
    { value: expect.stringMatching(/declined: superseded by a new message/) },
  ]);
  expect(await waiting()).toEqual([]);
  expect(await engine.approvals.get(TENANT, id)).toMatchObject({ status: "Rejected" });
});

it("asks again when an approved call leads to another one, and keeps the history whole", async () => {
  const { engine, send, waiting, ended, ledger, model } = await gated([
    { text: "First.", ...calling("gate", 1) },
    { text: "Second.", ...calling("gate", 2) },
    "Done.",
    "Hi.",
    "Hi.",
  ]);
  await send({ message: "Go.", sessionId: "s" });
  const [first] = await waiting();
  await engine.approvals.decide(TENANT, first?.id ?? "", { approved: true });
  await ended(first?.continuationRunId ?? "");
  const [second] = await waiting();

  await engine.approvals.decide(TENANT, second?.id ?? "", { approved: true });
  await ended(second?.continuationRunId ?? "");
  await send({ message: "Hello.", sessionId: "s" });
  await send({ message: "Hello?", sessionId: "s" });

  expect(second?.sessionId).toBe("s");
  expect(ledger).toEqual(["gate(1)", "gate(2)"]);
  expect(await waiting()).toEqual([]);
  const session = await engine.sessions.get(TENANT, "s");
  const contents = session.messages?.flatMap(({ contents: parts }) => parts) ?? [];
  expect(contents.filter(({ $type }) => $type === "functionCall")).toHaveLength(2);
  expect(contents.filter(({ $type }) => $type === "functionResult")).toHaveLength(2);
  model.assertDone();
});

it("goes on with an approved call that fails as with any other", async () => {
  const execute = (): Promise<unknown> => Promise.reject(new Error("key sk-1"));
  const broken: Tool = tool({ inputSchema, execute });
  const { send, model } = await gated([calling("broken", 1), "Sorry."], {
    tools: { broken: { tool: broken, requiresApproval: true } },
  });
  const stopped = await send({ message: "Go.", sessionId: "s" });
  const approvals = stopped.approvals?.map(({ requestId }) => ({ requestId, approved: true }));

  const result = await send({ sessionId: "s", approvals });

  expect(result).toMatchObject({ status: "Completed", output: "Sorry." });
  expect(lastResults(model)).toEqual([{ type: "error-text", value: "Error: Function failed." }]);
});

it("shows a person what the tool says of a call, and nothing when that fails", async () => {
  const shown = tool({ inputSchema, execute: () => "shown" }) as Tool;
  const present = (call: ToolCallView) => {
    const { x } = call.arguments as { x: number };
    if (x === 2) throw new Error("sk-1");
    const presentation = { entityName: `Order ${x}`, message: "Refund?" };
    return x === 3 ? ({ entityName: 5 } as never) : presentation;
  };
  const { run } = await gated([calling("shown", 1, "shown", 2, "shown", 3)], {
    tools: { shown: { tool: shown, requiresApproval: true, present } },
  });

  const { result } = await run();

  expect(result.approvals?.map(({ presentation }) => presentation)).toEqual([
    { entityName: "Order 1", message: "Refund?" },
    undefined,
    undefined,
  ]);
});

it("waits for a presenter no longer than it may take", async () => {
  const clock = manualClock();
  const asked = Promise.withResolvers<void>();
  const slow = tool({ inputSchema, execute: () => "slow" }) as Tool;
  const present = () => {
    asked.resolve();
    return new Promise<never>(() => undefined);
  };
  const { run } = await gated([calling("slow", 1)], {
    tools: { slow: { tool: slow, requiresApproval: true, present } },
    clock,
    sleep: clock.sleep,
  });

  const running = run();
  await asked.promise;
  clock.advance(2_000);
  const { result } = await running;

  expect(result.approvals).toMatchObject([{ toolName: "slow" }]);
});

it("keeps arguments to itself when payloads are not recorded, and runs them all the same", async () => {
  const { engine, run, waiting, ended, ledger } = await gated([calling("gate", 1), "Done."], {
    recording: { recordToolPayloads: false },
  });

  const { result, events } = await run();
  const [approval] = await waiting();
  await engine.approvals.decide(TENANT, approval?.id ?? "", { approved: true });
  await ended(approval?.continuationRunId ?? "");

  expect(JSON.stringify([result, events, approval])).not.toContain('"x');
  expect(ledger).toEqual(["gate(1)"]);
});

const inputSchema = z.object({ x: z.number() });
const typesOf = (events: readonly RunEvent[]) => events.map(({ type }) => type);

/** `calling("gate", 1, "count", 2)` asks for both, in this order. */
function calling(...pairs: readonly (string | number)[]): ScriptedModelTurn {
  const toolCalls = [];
  for (let at = 0; at < pairs.length; at += 2) {
    toolCalls.push({ name: String(pairs[at]), input: { x: pairs[at + 1] } });
  }
  return { toolCalls };
}

const agentWith = (allowConcurrentToolCalls: boolean) => ({
  model: { provider: "test", model: "test-model", toolLoop: { allowConcurrentToolCalls } },
});

async function gated(script: readonly ScriptedStep[], options: Partial<GatedEngineOptions> = {}) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const started = await startGatedEngine({ ...options, stores, script });
  onTestFinished(() => started.engine.close({ graceMs: 0 }));
  return started;
}

const lastResults = (model: { calls: readonly { prompt: readonly unknown[] }[] }) => {
  const prompt = (model.calls.at(-1)?.prompt ?? []) as readonly {
    role: string;
    content: readonly { type: string; output: { type: string; value?: unknown } }[];
  }[];
  return prompt
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content.map(({ output }) => output));
};
