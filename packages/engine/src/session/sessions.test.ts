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

it("continues a conversation where its last turn ended", async () => {
  const { say, prompts, messages } = await session(["Hello.", "You said Hi."]);

  await say("Hi.");
  const second = await say("What did I say?");

  expect(second).toMatchObject({ status: "Completed", sessionId: "s" });
  expect(prompts()[1]).toEqual([
    ["user", "Hi."],
    ["assistant", "Hello."],
    ["user", "What did I say?"],
  ]);
  expect((await messages()).map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
});

type Prompts = readonly (readonly [role: string, text: string])[];

async function session(script: readonly ScriptedStep[], options: Partial<TestEngineOptions> = {}) {
  const stores = options.stores ?? (await openStores("memory:"));
  const model = scriptedModel(script);
  const look = tool({ inputSchema: z.object({}), execute: () => "found" });
  const { engine } = await startTestEngine({ stores, model, tools: { look }, ...options });
  onTestFinished(async () => {
    await engine.close();
    await stores.close();
  });

  async function say(message: string, sessionId = "s") {
    return (await engine.runs.start("default", "agent", { message, sessionId })).result;
  }
  async function messages(sessionId = "s") {
    const items = await stores.sessions.history("default", sessionId, { after: -1, take: 1_000 });
    return items.map(({ json }) => JSON.parse(json));
  }
  const prompts = (): readonly Prompts[] =>
    model.calls.map(({ prompt }) =>
      prompt.map(({ role, content }) => [
        role,
        typeof content === "string"
          ? content
          : content.map((part) => ("text" in part ? part.text : part.type)).join(""),
      ]),
    );
  return { engine, stores, say, messages, prompts };
}
