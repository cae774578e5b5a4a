import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { INTERRUPTED_TEXT } from "./call-results.ts";

const TENANT = "default";

it("branches a whole session into one that goes on by itself", async () => {
  const { sessions, say, history, model } = await session(["One.", "Two.", "Other."]);
  await say("1");
  await say("2");

  const branch = await sessions.branch(TENANT, "s", {});
  await say("3", branch.sessionId);

  expect(branch).toEqual({
    sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    conversationId: branch.sessionId,
    parentSessionId: "s",
    parentConversationId: "s",
    branchFromSequence: 3,
    copiedItemCount: 4,
  });
  expect(model.calls[2]?.prompt).toHaveLength(5);
  expect(await history("s")).toHaveLength(4);
  expect(await history(branch.sessionId)).toHaveLength(6);
});

it("branches from any message, under the id that is asked for", async () => {
  const { sessions, say, history } = await session(["One.", "Two."]);
  await say("1");
  await say("2");

  const branch = await sessions.branch(TENANT, "s", { upToSequence: 1, newSessionId: "t" });

  expect(branch).toMatchObject({ sessionId: "t", branchFromSequence: 1, copiedItemCount: 2 });
  expect(await history("t")).toEqual((await history("s")).slice(0, 2));
  expect(await sessions.get(TENANT, "t")).toMatchObject({
    agentName: "agent",
    parentSessionId: "s",
    branchFromSequence: 1,
    version: 1,
  });
});

it("closes in the copy a call whose result is not copied", async () => {
  const { sessions, say, history } = await session([
    { toolCalls: [{ name: "nothing" }] },
    "No such tool.",
  ]);
  await say("Do it.");

  const branch = await sessions.branch(TENANT, "s", { upToSequence: 1, newSessionId: "t" });

  expect(branch.copiedItemCount).toBe(2);
  expect((await history("t")).at(-1)).toMatchObject({
    role: "tool",
    contents: [{ result: INTERRUPTED_TEXT }],
  });
});

it.each([
  ["a message that is not there", { upToSequence: 2 }, "sequence_unknown", "upToSequence"],
  ["a number that is none", { upToSequence: -1 }, "invalid_value", "upToSequence"],
  ["an id that is no address", { newSessionId: ".." }, "invalid_value", "newSessionId"],
  ["an empty id", { newSessionId: "" }, "invalid_value", "newSessionId"],
  ["an unknown member", { upTo: 1 }, "unknown_member", "upTo"],
])("refuses to branch at %s", async (_, request, code, path) => {
  const { sessions, say } = await session(["One."]);
  await say("1");

  await expect(sessions.branch(TENANT, "s", request)).rejects.toMatchObject({
    code: "request_invalid",
    details: { findings: [{ code, path }] },
  });
});

it("says when there is no such session, and when the new one is there already", async () => {
  const { sessions, say } = await session(["One."]);
  await say("1");

  await expect(sessions.get(TENANT, "t")).rejects.toMatchObject({ code: "session_not_found" });
  await expect(sessions.delete(TENANT, "t")).rejects.toMatchObject({ code: "session_not_found" });
  await expect(sessions.branch(TENANT, "t", {})).rejects.toMatchObject({
    code: "session_not_found",
  });
  await expect(sessions.branch("other", "s", {})).rejects.toMatchObject({
    code: "session_not_found",
  });
  await expect(sessions.branch(TENANT, "s", { newSessionId: "s" })).rejects.toMatchObject({
    code: "session_exists",
  });
});

it("deletes a session and keeps its runs; its id can begin another one", async () => {
  const { engine, sessions, say, history, model } = await session(["One.", "Anew."]);
  const { runId } = await say("1");

  await sessions.delete(TENANT, "s");
  await say("2");

  expect((await engine.runs.get(TENANT, runId)).sessionId).toBe("s");
  expect(model.calls[1]?.prompt).toHaveLength(1);
  expect(await history("s")).toHaveLength(2);
});

async function session(script: readonly ScriptedStep[]) {
  const stores = await openStores("memory:");
  const model = scriptedModel(script);
  const started = await startTestEngine({ stores, model });
  onTestFinished(async () => {
    await started.engine.close();
    await stores.close();
  });
  return {
    ...started,
    model,
    sessions: started.engine.sessions,
    say: (message: string, sessionId = "s") => started.run({ message, sessionId }),
  };
}
