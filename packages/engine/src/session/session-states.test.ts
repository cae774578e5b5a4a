/** What features keep in a session, from run to run: the todo list and the mode stand for all of them. */

import { tool } from "@ai-sdk/provider-utils";
import type { AgentRunRequest, SessionRecord, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  storeMatrix,
  type TestEngineOptions,
} from "@tracon/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { MAX_SESSION_STATE_BYTES } from "./session-state.ts";

const TENANT = "default";
const AT = "2026-01-01T00:00:00.000Z";

describe.each(storeMatrix())("the state of a session on $engine", ({ engine, newUrl }) => {
  it("goes with the session into other runs, other processes and branches", async () => {
    const url = await newUrl();
    const stores = await openStores(url);
    const first = await start(stores, [add("Read", "Write"), remove(2), "One."]);
    await first.say("Go.");
    // A database in memory ends with its process.
    const isLasting = engine !== "memory";
    if (isLasting) await first.close();
    const later = isLasting ? await openStores(url) : stores;
    const second = await start(later, [add("Send"), complete(1), "Two."]);

    await second.engine.sessions.branch(TENANT, "s", { newSessionId: "copy", upToSequence: 0 });
    await second.say("Go on.");

    const { items } = (await second.state("s")).todos as { readonly items: unknown };
    expect(items).toEqual([
      { id: 1, title: "Read", isComplete: true },
      { id: 3, title: "Send", isComplete: false },
    ]);
    expect((await second.state("copy")).todos).toEqual({
      nextId: 3,
      items: [{ id: 1, title: "Read", isComplete: false }],
    });
    expect(second.shown(0)).toEqual(["Your todo list:\n- 1 [open] Read"]);
    const detail = await second.engine.sessions.get(TENANT, "s");
    expect(detail).toMatchObject({ version: 2, state: { mode: { current: "plan" } } });
  });
});

it("keeps what others left in the session, whatever it is", async () => {
  const { seed, say, state } = await memory([add("Read"), "One."]);
  const left = { later: { list: [1, null] }, nothing: null, todos: "another version's" };
  await seed(left);

  await say("Go.");

  expect(await state()).toMatchObject({ later: left.later, nothing: null });
  expect(await state()).toMatchObject({ todos: { items: [{ id: 1, title: "Read" }] } });
});

it("writes no state when a turn changes none", async () => {
  const { stores, seed, say, state } = await memory(["One."], { agent: { harness: undefined } });
  await seed({ kept: 1 });
  const written: unknown[] = [];
  const { commit } = stores.journal;
  stores.journal.commit = (batch) => {
    written.push(...batch.flatMap(({ session }) => session ?? []));
    return commit(batch);
  };

  await say("Go.");

  expect(written).toHaveLength(1);
  expect(written[0]).not.toHaveProperty("state");
  expect(await state()).toEqual({ kept: 1 });
});

it.each<[string, ScriptedStep, string]>([
  ["fails", { throws: new Error("no") }, "Failed"],
  ["is cancelled", { text: "Half", ends: "hang" }, "Canceled"],
])(
  "saves the state with the turn of a run that %s after something was done",
  async (_, step, status) => {
    const { engine, state } = await memory([add("Read"), step]);
    const abort = new AbortController();
    const handle = await engine.runs.start(
      TENANT,
      "agent",
      { message: "Go.", sessionId: "s" },
      { isStreaming: true, signal: abort.signal },
    );
    for await (const batch of handle.frames()) {
      const isHalf = batch.some(({ event, data }) => event === "update" && data.kind === "text");
      if (isHalf) abort.abort();
    }

    expect((await handle.result).status).toBe(status);
    expect(await state()).toMatchObject({ todos: { items: [{ title: "Read" }] } });
  },
);

it("saves nothing of a run that failed before anything was said or done", async () => {
  const { engine, say } = await memory([{ throws: new Error("no") }]);

  await say("Go.");

  await expect(engine.sessions.get(TENANT, "s")).rejects.toMatchObject({
    code: "session_not_found",
  });
});

it("has the state there when a run goes on behind an approval, also without a session of its own", async () => {
  const { engine, run, shown, state } = await memory(
    [add("Ask"), { toolCalls: [{ name: "refund" }] }, complete(1), "Done."],
    { tools: { refund } },
  );

  const { result } = await run("Go.");
  const { sessionId = "", approvals = [] } = result;
  const stopped = await state(sessionId);
  const decisions = approvals.map(({ requestId }) => ({ requestId, approved: true }));
  const resumed = await engine.runs.start(TENANT, "agent", { sessionId, approvals: decisions });

  expect((await resumed.result).status).toBe("Completed");
  expect(stopped).toMatchObject({ todos: { items: [{ id: 1, isComplete: false }] } });
  expect(shown(2)).toEqual(["Your todo list:\n- 1 [open] Ask"]);
  expect(await state(sessionId)).toMatchObject({ todos: { items: [{ id: 1, isComplete: true }] } });
});

it("tells the model once that somebody else changed its mode", async () => {
  const { seed, say, shown } = await memory(["One.", "Two."]);
  await seed({ mode: { current: "execute", seen: "plan" } });

  await say("Go.");
  await say("Go on.");

  const notice = "Your mode was changed from 'plan' to 'execute'. Go on as mode 'execute' says.";
  expect(shown(0)).toEqual(["Your todo list is empty.", notice]);
  expect(shown(1)).toEqual(["Your todo list is empty."]);
});

it("fails a run whose state is too large, and keeps the turn and the state that was there", async () => {
  const { seed, say, state, history } = await memory([add("x".repeat(200)), "Done."]);
  // Room for the mode that the model was shown, and not for a title more.
  const large = { large: "x".repeat(MAX_SESSION_STATE_BYTES - 200) };
  await seed(large);

  const { result, events } = await say("Go.");

  expect(result).toMatchObject({ status: "Failed", error: { type: "session_state_too_large" } });
  expect(events.at(-1)?.type).toBe("RunFailed");
  expect(await state()).toEqual(large);
  expect((await history("s")).map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

const refund = {
  tool: tool({ inputSchema: z.object({}), execute: () => "refunded" }),
  requiresApproval: true,
};

const call = (name: string, input: unknown): ScriptedStep => ({ toolCalls: [{ name, input }] });
const add = (...titles: readonly string[]) =>
  call("todos_add", { todos: titles.map((title) => ({ title })) });
const complete = (id: number) => call("todos_complete", { items: [{ id, reason: "done" }] });
const remove = (id: number) => call("todos_remove", { ids: [id] });

async function memory(script: readonly ScriptedStep[], options: Partial<TestEngineOptions> = {}) {
  return start({ ...(await openStores("memory:")) }, script, options);
}

async function start(
  stores: Stores,
  script: readonly ScriptedStep[],
  options: Partial<TestEngineOptions> = {},
) {
  const model = scriptedModel(script);
  const started = await startTestEngine({ stores, model, agent: { harness: {} }, ...options });
  const close = async () => {
    await started.engine.close();
    await stores.close();
  };
  onTestFinished(close);
  return {
    ...started,
    stores,
    close,
    say: (message: string) => started.run({ message, sessionId: "s" } satisfies AgentRunRequest),
    state: async (id = "s") => (await stores.sessions.get(TENANT, id))?.state ?? {},
    /** A session `s` that somebody else left behind. */
    seed: (state: SessionRecord["state"]) => seed(stores, state),
    /** What the harness added to the messages of the n-th model call. */
    shown: (index: number) =>
      (model.calls[index]?.prompt ?? []).flatMap(({ role, content }) => {
        const [part] = typeof content === "string" ? [] : content;
        const text = part?.type === "text" ? part.text : "";
        return role === "user" && /^Your (todo list|mode)/.test(text) ? [text] : [];
      }),
  };
}

async function seed({ journal }: Stores, state: SessionRecord["state"]): Promise<void> {
  const record = { agentName: "agent", kind: "Agent", status: "Completed", startedAt: AT } as const;
  const counts = { isStreaming: false, eventCount: 0, depth: 0, childRunCount: 0 };
  const opened = { record: { ...record, ...counts, id: "earlier" } };
  const session = {
    sessionId: "s",
    agentName: "agent",
    openedAt: AT,
    savedAt: AT,
    items: [],
    state,
  };
  await journal.commit([{ tenantId: TENANT, runId: "earlier", opened, session }]);
}
