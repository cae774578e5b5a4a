import { openStores } from "@tracon/store";
import { type GatedEngineOptions, type ScriptedModelTurn, startGatedEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import type { ContentGuard } from "../model/content-guard.ts";

const TENANT = "default";

it("ends a run with the client's calls, and tells them", async () => {
  const { engine, run, ledger } = await gated([
    { text: "One moment.", ...calling("count", 1, "ask_user", 2) },
  ]);

  const { runId, result, frames, events } = await run("Go.", { isStreaming: true });

  expect(result).toMatchObject({
    status: "Completed",
    output: "One moment.",
    clientToolCalls: [{ toolName: "ask_user", arguments: '{"x":2}' }],
  });
  expect(ledger).toEqual(["count(1)"]);
  expect(frames.at(-1)).toMatchObject({
    event: "done",
    data: { clientToolCalls: result.clientToolCalls, sessionId: result.sessionId },
  });
  expect(events.at(-1)).toMatchObject({ type: "RunCompleted" });
  expect(result.sessionId).toBeTruthy();
  expect(await engine.runs.get(TENANT, runId)).toMatchObject({ sessionId: result.sessionId });
});

it("goes on with what the client answered, in the order of the calls", async () => {
  const { send, model } = await gated([calling("ask_user", 1, "count", 2, "ask_user", 3), "Done."]);
  const stopped = await send({ message: "Go.", sessionId: "s" });
  const [first, second] = stopped.clientToolCalls ?? [];

  const result = await send({
    sessionId: "s",
    toolResults: [
      { callId: second?.callId, errorMessage: "no such user" },
      { callId: first?.callId, result: "42" },
    ],
  });

  expect(result).toMatchObject({ status: "Completed", output: "Done." });
  expect(lastResults(model)).toEqual([
    { type: "text", value: "42" },
    { type: "json", value: { done: 2 } },
    { type: "error-text", value: "Error: no such user" },
  ]);
});

it("closes a call that the client never answered", async () => {
  const { send, model } = await gated([calling("ask_user", 1), "Fine.", "Hi."]);
  await send({ message: "Go.", sessionId: "s" });

  await send({ message: "Never mind.", sessionId: "s" });
  await send({ message: "Hello.", sessionId: "s" });

  expect(lastResults(model)).toEqual([
    { type: "error-text", value: "Error: the client gave no result" },
  ]);
  model.assertDone();
});

it.each([
  ["an unknown id", () => [{ callId: "nothing", result: "x" }], ["tool_call_unknown"]],
  ["the id of a tool that ran here", () => [{ callId: "call-1-1", result: "x" }], undefined],
  ["neither result nor error", (id: string) => [{ callId: id }], ["invalid_value"]],
  [
    "both result and error",
    (id: string) => [{ callId: id, result: "x", errorMessage: "y" }],
    ["invalid_value"],
  ],
  [
    "two answers to one call",
    (id: string) => [
      { callId: id, result: "x" },
      { callId: id, result: "y" },
    ],
    ["duplicate_name"],
  ],
])("refuses %s before anything starts", async (_, toolResults, codes) => {
  const { send } = await gated([calling("count", 1, "ask_user", 2)]);
  const stopped = await send({ message: "Go.", sessionId: "s" });
  const id = stopped.clientToolCalls?.[0]?.callId ?? "";

  const refusal = send({ sessionId: "s", toolResults: toolResults(id) });

  await expect(refusal).rejects.toMatchObject(
    codes === undefined
      ? { code: "tool_result_conflict" }
      : { code: "request_invalid", details: { findings: codes.map((code) => ({ code })) } },
  );
});

it("refuses a second answer, and one without its session", async () => {
  const { send } = await gated([calling("ask_user", 1), "Done."]);
  const stopped = await send({ message: "Go.", sessionId: "s" });
  const toolResults = [{ callId: stopped.clientToolCalls?.[0]?.callId, result: "42" }];
  await send({ sessionId: "s", toolResults });

  await expect(send({ sessionId: "s", toolResults })).rejects.toMatchObject({
    code: "tool_result_conflict",
  });
  await expect(send({ toolResults })).rejects.toMatchObject({ code: "request_invalid" });
  await expect(send({ sessionId: "t", toolResults })).rejects.toMatchObject({
    code: "request_invalid",
  });
});

it("lets a call of the client wait for no decision beside it", async () => {
  const { send, ledger, model } = await gated([calling("ask_user", 1, "gate", 2), "Done."]);
  const stopped = await send({ message: "Go.", sessionId: "s" });

  const approvals = stopped.approvals?.map(({ requestId }) => ({ requestId, approved: true }));
  await send({ sessionId: "s", approvals });

  expect(stopped.status).toBe("AwaitingApproval");
  expect(stopped.clientToolCalls).toBeUndefined();
  expect(ledger).toEqual(["gate(2)"]);
  expect(lastResults(model)).toMatchObject([
    { type: "error-text", value: expect.stringContaining("waits for a decision") },
    { type: "json" },
  ]);
});

it("never runs a client's call with arguments that do not fit", async () => {
  const { send } = await gated([
    { toolCalls: [{ name: "ask_user", input: { x: "many" } }] },
    "Sorry.",
  ]);

  const result = await send({ message: "Go.", sessionId: "s" });

  expect(result).toMatchObject({ status: "Completed", output: "Sorry." });
  expect(result.clientToolCalls).toBeUndefined();
});

it("passes what the client answers by the content guards", async () => {
  const seen: string[] = [];
  const mask: ContentGuard = {
    inspect({ source, text }) {
      seen.push(`${source}: ${text}`);
      const start = text.indexOf("secret");
      if (start === -1) return { decision: "Allow" };
      return { decision: "Mask", rule: "r", spans: [{ start, end: start + 6 }] };
    },
  };
  const { send, model } = await gated([calling("ask_user", 1), "Done."], {
    contentGuards: { mask },
  });
  const stopped = await send({ message: "Go.", sessionId: "s" });
  const toolResults = [{ callId: stopped.clientToolCalls?.[0]?.callId, result: "my secret" }];

  await send({ sessionId: "s", toolResults });

  expect(seen).toContain("ToolResult: my secret");
  expect(JSON.stringify(model.calls[1]?.prompt)).not.toContain("secret");
});

function calling(...pairs: readonly (string | number)[]): ScriptedModelTurn {
  const toolCalls = [];
  for (let at = 0; at < pairs.length; at += 2) {
    toolCalls.push({ name: String(pairs[at]), input: { x: pairs[at + 1] } });
  }
  return { toolCalls };
}

async function gated(
  script: GatedEngineOptions["script"],
  options: Partial<GatedEngineOptions> = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const gate = await startGatedEngine({ ...options, stores, script });
  onTestFinished(() => gate.engine.close({ graceMs: 0 }));
  return gate;
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
