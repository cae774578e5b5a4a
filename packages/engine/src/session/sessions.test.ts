import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
import type { ChatMessage, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { ToolLoopAgent } from "ai";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

it("continues a conversation where its last turn ended", async () => {
  const { say, prompt, spoken } = await session(["Hello.", "You said Hi."]);

  await say("Hi.");
  const { result, events } = await say("What did I say?");

  expect(result).toMatchObject({ status: "Completed", sessionId: "s" });
  expect(events[0]).toMatchObject({ type: "RunStarted", payload: { sessionId: "s" } });
  expect(prompt(1)).toEqual(["user: Hi.", "assistant: Hello.", "user: What did I say?"]);
  expect(await spoken()).toEqual([...prompt(1), "assistant: You said Hi."]);
});

it("opens a session with the end of its first run", async () => {
  const { engine, say, model } = await session([
    async () => {
      const early = await engine.sessions.list("default", {}, { skip: 0, take: 5 });
      return `${early.length} sessions so far`;
    },
  ]);

  const { result, runId } = await say("Hi.");

  expect(result.output).toBe("0 sessions so far");
  const { startedAt, completedAt } = await engine.runs.get("default", runId);
  expect(await engine.sessions.get("default", "s")).toMatchObject({
    id: "s",
    agentName: "agent",
    version: 1,
    itemCount: 2,
    createdAt: startedAt,
    messages: [{ role: "user" }, { role: "assistant" }],
  });
  expect(completedAt).toBeDefined();
  model.assertDone();
});

it("keeps nothing of a run without a session", async () => {
  const { engine, run } = await session(["Hello."]);

  const { result } = await run("Hi.");

  expect(result).not.toHaveProperty("sessionId");
  expect(await engine.sessions.list("default", {}, { skip: 0, take: 5 })).toEqual([]);
});

it("keeps sessions apart, also from those of other tenants", async () => {
  const { engine, say, prompt } = await session(["one", "two", "three"]);

  await say("A", "a");
  await say("B", "b");
  const other = await engine.runs.start("other", "agent", { message: "C", sessionId: "a" });
  await other.result;

  expect(prompt(1)).toEqual(["user: B"]);
  expect(prompt(2)).toEqual(["user: C"]);
  await expect(engine.sessions.get("other", "b")).rejects.toMatchObject({
    code: "session_not_found",
  });
});

it("keeps the calls of a turn with their results, and their ids unique over all turns", async () => {
  const calls = {
    text: "Looking.",
    toolCalls: [look("1"), { ...look("1"), input: { again: true } }],
  };
  const { say, history, model } = await session([calls, "Found.", calls, "Again."]);

  await say("Look.");
  await say("Look again.");

  model.assertDone();
  const ids = (await history("s")).flatMap(({ contents }) =>
    contents.flatMap((it) => (it.$type === "functionCall" ? [it.callId] : [])),
  );
  expect(new Set(ids).size).toBe(4);
  expect((await history("s"))[2]).toMatchObject({
    role: "tool",
    contents: [{ result: "found" }, { result: "found" }],
  });
});

it("refuses a session of another agent before anything is recorded, and names its agent", async () => {
  const agent = { name: "other", model: { provider: "test", model: "m" } };
  const { engine, say, model } = await session(["Hello."], { agents: [agent] });
  await say("Hi.");

  const start = engine.runs.start("default", "other", { message: "Hi.", sessionId: "s" });

  await expect(start).rejects.toMatchObject({
    code: "request_invalid",
    details: {
      findings: [
        {
          code: "session_agent_mismatch",
          path: "sessionId",
          message: expect.stringContaining("agent 'agent'"),
        },
      ],
    },
  });
  expect(await engine.runs.list("default", {}, { skip: 0, take: 5 })).toHaveLength(1);
  model.assertDone();
});

it("refuses a session that is full", async () => {
  const { say, save } = await session([]);
  await save(Array.from({ length: 10_000 }, () => message("user", "x")));

  await expect(say("One more.")).rejects.toMatchObject({
    details: { findings: [{ code: "session_full", path: "sessionId" }] },
  });
});

it.each<[string, unknown]>([
  ["a part it does not know", { role: "user", contents: [{ $type: "hologram" }] }],
  ["something else", "text"],
])("refuses a session with %s in it, and shows it without its history", async (_, item) => {
  const { engine, say, save } = await session([]);
  await save([message("user", "Hi."), item as ChatMessage]);

  await expect(say("Hm?")).rejects.toMatchObject({ code: "session_unreadable" });

  expect(await engine.sessions.get("default", "s")).toMatchObject({ itemCount: 2, messages: null });
});

it("closes a call that was left open, for the model and in the history", async () => {
  const { say, save, prompt, history, model } = await session(["It was interrupted."]);
  const open = { $type: "functionCall" as const, callId: "1", name: "look", arguments: {} };
  await save([message("user", "Look."), { role: "assistant", contents: [open] }]);

  await say("And?");

  expect(prompt(0)).toEqual([
    "user: Look.",
    "assistant: look",
    "tool: Error: The call was interrupted before it had a result.",
    "user: And?",
  ]);
  expect((await history("s")).map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
    "assistant",
  ]);
  model.assertDone();
});

it("stores neither instructions nor what context providers add", async () => {
  const before = () => ({
    instructions: "Added instructions.",
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text: "a todo" }] }],
  });
  const { say, prompt, spoken } = await session(["Hello.", "Bye."], {
    agent: { instructions: "Be kind.", extensionNames: ["todo"] },
    extensions: { todo: { apply: (it) => it.addContextProvider({ name: "todo", before }) } },
  });

  await say("Hi.");
  await say("Bye?");

  expect(prompt(1)).toEqual([
    "system: Be kind.\nAdded instructions.",
    "user: Hi.",
    "assistant: Hello.",
    "user: a todo",
    "user: Bye?",
  ]);
  expect(await spoken()).toEqual([
    "user: Hi.",
    "assistant: Hello.",
    "user: Bye?",
    "assistant: Bye.",
  ]);
});

it("takes instructions, culture and parameters from each request and none from the history", async () => {
  const { say, prompt, run } = await session(["Hi.", "Hallo."], {
    agent: {
      instructions: "Say {{word}}.",
      instructionsByCulture: { de: "Sag {{word}}." },
      parameters: [{ name: "word", kind: "Text", required: true }],
    },
  });

  await run({ message: "One", sessionId: "s", parameters: { word: "hi" } });
  await run({ message: "Two", sessionId: "s", culture: "de", parameters: { word: "hallo" } });

  expect(prompt(0)[0]).toBe("system: Say hi.");
  expect(prompt(1)).toEqual(["system: Sag hallo.", "user: One", "assistant: Hi.", "user: Two"]);
  await expect(say("Three")).rejects.toMatchObject({ code: "request_invalid" });
});

it("keeps masked what a guard masked, and does not ask about it again", async () => {
  const asked: string[] = [];
  const { say, prompt, spoken } = await session(["The secret is out.", "What?"], {
    contentGuards: {
      words: {
        inspect({ text }) {
          asked.push(text);
          return text.includes("secret")
            ? { decision: "Mask", rule: "word", replacement: "[masked]" }
            : { decision: "Allow" };
        },
      },
    },
  });

  await say("My secret.");
  await say("Well?");

  expect(await spoken()).toEqual([
    "user: [masked]",
    "assistant: [masked]",
    "user: Well?",
    "assistant: What?",
  ]);
  expect(prompt(1).slice(0, 2)).toEqual(["user: [masked]", "assistant: [masked]"]);
  expect(asked.filter((text) => text.includes("secret"))).toHaveLength(2);
});

it("does not repair an answer in a session, and says that it would have", async () => {
  const { say, run, model } = await session(["no json", "no json", "{}"], {
    agent: { model: { provider: "test", model: "m", responseFormat: { kind: "Json" } } },
    structuredResponse: { enabled: true, maxRepairAttempts: 1 },
  });

  const { result, events } = await say("Answer.");
  const sessionless = await run("Answer.");

  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "structured_response_invalid" },
  });
  expect(events.find(({ type }) => type === "StructuredResponseRejected")?.payload).toMatchObject({
    repairSuppressedBySession: true,
  });
  expect(sessionless.result.status).toBe("Completed");
  model.assertDone();
});

it("estimates the prompt with the history in it", async () => {
  const { engine, say } = await session([`${"long ".repeat(100)}.`]);
  await say("Hi.");
  const estimate = (request: object) => engine.runs.estimate("default", "agent", request);

  const alone = await estimate({ message: "Hi." });
  const behind = await estimate({ message: "Hi.", sessionId: "s" });

  expect(behind.promptTokens - alone.promptTokens).toBeGreaterThan(120);
});

it("gives an agent that code builds its history, and keeps what it says", async () => {
  const own = scriptedModel([
    { text: "Let me see.", toolCalls: [look("1")] },
    "Found.",
    "As I said.",
  ]);
  const { engine, spoken } = await session([], {
    agentFactories: { built: () => new ToolLoopAgent({ model: own, tools: { look: lookTool } }) },
  });
  const say = async (text: string) =>
    (await engine.runs.start("default", "built", { message: text, sessionId: "s" })).result;

  await say("Look.");
  const { status } = await say("Again?");

  expect(status).toBe("Completed");
  expect(described(own.calls[2]?.prompt ?? [])).toEqual([
    "user: Look.",
    "assistant: Let me see. look",
    "tool: found",
    "assistant: Found.",
    "user: Again?",
  ]);
  expect(await spoken()).toEqual([
    ...described(own.calls[2]?.prompt ?? []),
    "assistant: As I said.",
  ]);
  own.assertDone();
});

const lookTool = tool({ inputSchema: z.object({}), execute: () => "found" });
const look = (id: string) => ({ name: "look", id });
const message = (role: ChatMessage["role"], text: string): ChatMessage => ({
  role,
  contents: [{ $type: "text", text }],
});

async function session(script: readonly ScriptedStep[], options: Partial<TestEngineOptions> = {}) {
  const stores = await openStores("memory:");
  const model = scriptedModel(script);
  const tools = { look: lookTool };
  const started = await startTestEngine({ stores, model, tools, ...options });
  onTestFinished(async () => {
    await started.engine.close();
    await stores.close();
  });
  const { run, history } = started;
  return {
    ...started,
    model,
    say: (text: string, sessionId = "s") => run({ message: text, sessionId }),
    /** What the model read with its n-th call. */
    prompt: (index: number) => described(model.calls[index]?.prompt ?? []),
    spoken: async () => (await history("s")).map(describedMessage),
    save: (items: readonly ChatMessage[]) => saveSession(stores, items),
  };
}

/** A session `s` that a run of another time left behind. */
async function saveSession(stores: Stores, items: readonly ChatMessage[]): Promise<void> {
  const at = "2026-01-01T00:00:00.000Z";
  const record = { agentName: "agent", kind: "Agent", status: "Completed", startedAt: at } as const;
  const counts = { isStreaming: false, eventCount: 0, depth: 0, childRunCount: 0 };
  const opened = { record: { ...record, ...counts, id: "earlier" } };
  const session = { sessionId: "s", agentName: "agent", openedAt: at, savedAt: at, items };
  const entry = { tenantId: "default", runId: "earlier", opened, session };
  await stores.journal.commit([entry]);
}

const described = (prompt: LanguageModelV4Prompt): readonly string[] =>
  prompt.map(({ role, content }) =>
    typeof content === "string"
      ? `${role}: ${content}`
      : `${role}: ${content
          .map((part) => {
            if (part.type === "tool-call") return part.toolName;
            if (part.type === "tool-result" && "value" in part.output) return part.output.value;
            return "text" in part ? part.text : part.type;
          })
          .join(" ")}`,
  );

const describedMessage = ({ role, contents }: ChatMessage): string =>
  `${role}: ${contents
    .map((it) => {
      if (it.$type === "functionCall") return it.name;
      if (it.$type === "functionResult") return it.result;
      return "text" in it ? it.text : it.$type;
    })
    .join(" ")}`;
