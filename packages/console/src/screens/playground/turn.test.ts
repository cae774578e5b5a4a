import type { RunFrame, RunUpdate } from "@tracon/core";
import { expect, it } from "vitest";
import { foldFrames, newTurn } from "./turn.ts";

it("joins text and reasoning until something else comes between", () => {
  const turn = fold(
    text("Hel"),
    text("lo"),
    { iteration: 1, kind: "reasoning", text: "hm" },
    text("again"),
  );

  expect(turn.parts).toEqual([
    { kind: "text", text: "Hello" },
    { kind: "reasoning", text: "hm" },
    { kind: "text", text: "again" },
  ]);
});

it("gives results to the open calls of their id, in order", () => {
  const turn = fold(
    call("same"),
    call("same"),
    { iteration: 1, kind: "toolResult", callId: "same", toolName: "t", result: "first" },
    { iteration: 1, kind: "toolResult", callId: "same", toolName: "t", error: "second failed" },
  );

  expect(turn.parts).toMatchObject([
    { outcome: "answered", result: "first" },
    { outcome: "failed", result: "second failed" },
  ]);
});

it("keeps open what waits for a decision, and says what that is", () => {
  const request = { requestId: "a1", callId: "asked", toolName: "t", expiresAt: "" };

  const turn = foldFrames(fold(call("asked"), call("lost")), [
    { event: "approvals", data: { approvals: [request] } },
    { event: "done", data: { status: "AwaitingApproval" } } as RunFrame,
  ]);

  expect(turn.approvals).toEqual([request]);
  expect(turn.parts).toMatchObject([{ outcome: "waiting" }, { outcome: "failed" }]);
});

it("marks where the loop goes on", () => {
  const turn = fold(text("draft"), { iteration: 2, kind: "text", text: "better" });

  expect(turn.parts).toEqual([
    { kind: "text", text: "draft" },
    { kind: "iteration", number: 2 },
    { kind: "text", text: "better" },
  ]);
});

it("ends with its result, and takes nothing more", () => {
  const result = { runId: "r", status: "Completed", output: "hi", agentName: "a" } as const;
  const ended = foldFrames(newTurn("?"), [
    { event: "run", id: 0, data: { runId: "r", agentName: "a", startedAt: "" } },
    { event: "done", id: 1, data: result },
  ]);

  const after = foldFrames(ended, [frame(text("late"))]);

  expect(ended).toMatchObject({ state: "completed", runId: "r", result });
  expect(after).toBe(ended);
});

it("is stopped when the run was canceled, and closes the tools that were open", () => {
  const problem = { type: "", title: "", status: 409, detail: "asked", code: "canceled" };

  const turn = foldFrames(fold(call("c")), [{ event: "error", data: problem }]);

  expect(turn).toMatchObject({ state: "stopped", parts: [{ outcome: "failed" }] });
});

it("fails with the server's problem", () => {
  const problem = { type: "", title: "Timeout", status: 504, detail: "too slow", code: "timeout" };

  expect(foldFrames(newTurn("?"), [{ event: "error", data: problem }])).toMatchObject({
    state: "failed",
    problem,
  });
});

const text = (part: string): RunUpdate => ({ iteration: 1, kind: "text", text: part });
const call = (callId: string): RunUpdate => ({
  iteration: 1,
  kind: "toolCall",
  callId,
  toolName: "t",
  arguments: "{}",
});
const frame = (data: RunUpdate): RunFrame => ({ event: "update", data });
const fold = (...updates: RunUpdate[]) => foldFrames(newTurn("?"), updates.map(frame));
