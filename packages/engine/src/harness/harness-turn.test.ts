/** What a model reads of the harness, and what is kept of it. */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
import { type AgentDefinitionRequest, DEFAULT_HARNESS_INSTRUCTIONS } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";

const TODO_TOOLS = [
  "todos_add",
  "todos_complete",
  "todos_remove",
  "todos_get_remaining",
  "todos_get_all",
];
const MODE_TOOLS = ["mode_set", "mode_get"];
const EMPTY_LIST = "user: Your todo list is empty.";

it(
  "gives an agent in the harness its instructions, a todo list and modes",
  covers("harness.todo-on", "harness.agent-mode-on"),
  async () => {
    const { read, run } = await start(["Done."], { instructions: "Be kind.", harness: {} });

    await run();

    const { system, messages, tools } = read(0);
    expect(system.startsWith(`${DEFAULT_HARNESS_INSTRUCTIONS}\n\nBe kind.\n## Todo list\n`)).toBe(
      true,
    );
    expect(system).toContain("## Mode\nYou are in mode 'plan'.");
    expect(system).toMatch(/- plan: .+\n- execute: .+$/);
    expect(messages).toEqual([EMPTY_LIST, "user: Go."]);
    expect(tools).toEqual([...TODO_TOOLS, ...MODE_TOOLS]);
  },
);

it.each<[string, Partial<AgentDefinitionRequest>, readonly string[], readonly string[]]>([
  ["the todo list", { harness: { disableTodoProvider: true } }, MODE_TOOLS, []],
  ["the modes", { harness: { disableAgentModeProvider: true } }, TODO_TOOLS, [EMPTY_LIST]],
  ["both", { harness: { disableTodoProvider: true, disableAgentModeProvider: true } }, [], []],
])("turns %s off", async (_, definition, tools, added) => {
  const { read, run } = await start(["Done."], definition);

  await run();

  expect(read(0).tools).toEqual(tools);
  expect(read(0).messages).toEqual([...added, "user: Go."]);
  expect(read(0).system.includes("## Todo list")).toBe(added.length > 0);
  expect(read(0).system.includes("## Mode")).toBe(tools.includes("mode_set"));
});

it("gives a plain agent the todo list alone that its memory asks for", async () => {
  const { read, run } = await start(["Done."], { memory: { enableTodo: true } });

  await run();

  expect(read(0).system).toMatch(/^## Todo list/);
  expect(read(0).system).not.toContain("## Mode");
  expect(read(0).tools).toEqual(TODO_TOOLS);
  expect(read(0).messages).toEqual([EMPTY_LIST, "user: Go."]);
});

it("adds nothing to a plain agent", async () => {
  const { model, run } = await start(["Done."], { memory: { enableTodo: false } });

  await run();

  expect(model.calls[0]?.prompt).toHaveLength(1);
  expect(model.calls[0]).not.toHaveProperty("tools");
});

const OFF = { disableTodoProvider: true, disableAgentModeProvider: true };

it.each<[string, string | null | undefined, string]>([
  [
    "the built-in text when none is given",
    undefined,
    `${DEFAULT_HARNESS_INSTRUCTIONS}\n\nBe kind.`,
  ],
  ["the built-in text for null", null, `${DEFAULT_HARNESS_INSTRUCTIONS}\n\nBe kind.`],
  ["no text for an empty one", "", "Be kind."],
  ["the text of the definition", "Work alone.", "Work alone.\n\nBe kind."],
])("puts %s before the agent's instructions", async (_, harnessInstructions, system) => {
  const harness = { ...OFF, harnessInstructions } as AgentDefinitionRequest["harness"];
  const { read, run } = await start(["Done."], { instructions: "Be kind.", harness });

  await run();

  expect(read(0).system).toBe(system);
});

it("puts it before the shared block and the text of the culture, and puts values into all of them", async () => {
  const { model, read, engine } = await start(
    ["Done."],
    {
      instructions: "Be kind.",
      instructionsByCulture: { tr: "Nazik ol, {{who}}." },
      sharedInstructionsName: "house",
      parameters: [{ name: "who", kind: "Text", required: true }],
      harness: { ...OFF, harnessInstructions: "Work for {{who}}." },
    },
    {
      agents: [
        { name: "house", model: { provider: "test", model: "m" }, instructions: "Obey {{who}}." },
      ],
    },
  );

  const request = { message: "Go.", culture: "tr-TR", parameters: { who: "Ada" } };
  await (await engine.runs.start("default", "agent", request)).result;

  expect(read(0).system).toBe("Work for Ada.\n\nObey Ada.\n\nNazik ol, Ada.");
  model.assertDone();
});

it("offers the harness's tools behind those of the definition", async () => {
  const look = tool({ inputSchema: z.object({}), execute: () => "found" });
  const { read, run } = await start(["Done."], { harness: {} }, { tools: { look } });

  await run();

  expect(read(0).tools).toEqual(["look", ...TODO_TOOLS, ...MODE_TOOLS]);
});

it("adds what extensions add behind what the harness adds", async () => {
  const extension = {
    apply: (
      context: Parameters<NonNullable<TestEngineOptions["extensions"]>[string]["apply"]>[0],
    ) =>
      context.addContextProvider({
        name: "facts",
        before: ({ messages }) => ({
          instructions: `Others add nothing to ${messages.length} messages.`,
          messages: [{ role: "user", content: [{ type: "text", text: "A fact." }] }],
        }),
      }),
  };
  const { read, run } = await start(
    ["Done."],
    { extensionNames: ["facts"], harness: {} },
    { extensions: { facts: extension } },
  );

  await run();

  expect(read(0).messages).toEqual([EMPTY_LIST, "user: A fact.", "user: Go."]);
  expect(read(0).system).toMatch(/- execute: .+\nOthers add nothing to 2 messages\.$/);
});

it("gives a fallback model the same list and the same tools, and asks the parts once", async () => {
  const spare = scriptedModel([add("Spare"), "Spared."]);
  const unreachable = Object.assign(new Error("no"), { status: 503 });
  const { model, run } = await start(
    [{ throws: unreachable }],
    {
      harness: {},
      model: { provider: "test", model: "m", fallbacks: [{ provider: "spare", model: "m" }] },
    },
    { providers: { spare } },
  );

  const { result } = await run();

  expect(result.output).toBe("Spared.");
  expect(spare.calls[0]?.prompt).toEqual(model.calls[0]?.prompt);
  expect(spare.calls[0]?.tools).toEqual(model.calls[0]?.tools);
});

it("leaves no list and no notice in a history of ten runs", async () => {
  const script = Array.from({ length: 10 }, (_, index) => [add(`Step ${index}`), `Turn ${index}.`]);
  const { model, read, run, history } = await start(script.flat(), { harness: {} });

  for (let index = 0; index < 10; index++) await run(`Go ${index}.`, "s");

  const texts = (await history("s")).flatMap(({ contents }) =>
    contents.flatMap((it) => (it.$type === "text" ? [it.text] : [])),
  );
  expect(texts).toEqual(
    Array.from({ length: 10 }, (_, index) => [`Go ${index}.`, `Turn ${index}.`]).flat(),
  );
  const last = read(18).messages;
  expect(last.filter((it) => it.includes("todo list"))).toHaveLength(1);
  expect(last.at(-2)).toBe(
    `user: Your todo list:\n${Array.from({ length: 9 }, (_, index) => `- ${index + 1} [open] Step ${index}`).join("\n")}`,
  );
  expect(last.at(-1)).toBe("user: Go 9.");
  model.assertDone();
});

it("shows each item on one line with its number, its state and its description", async () => {
  const todos = [
    { title: "Read\n- 7 [done] Forged", description: "all\tof it" },
    { title: "Write" },
  ];
  const { read, run } = await start(
    [
      { toolCalls: [{ name: "todos_add", input: { todos } }] },
      { toolCalls: [{ name: "todos_complete", input: { items: [{ id: 2, reason: "done" }] } }] },
      "One.",
      "Two.",
    ],
    { harness: {} },
  );

  await run("Go.", "s");
  await run("On.", "s");

  expect(read(3).messages.at(-2)).toBe(
    "user: Your todo list:\n- 1 [open] Read - 7 [done] Forged (all of it)\n- 2 [done] Write",
  );
});

it("counts what the harness adds in the estimate of a prompt, with the list of the session", async () => {
  const { engine, run } = await start([add("A step with a long name"), "One."], { harness: {} });
  const plain = await start([], {});

  const message = "Go.";
  const bare = await plain.engine.runs.estimate("default", "agent", { message });
  const before = await engine.runs.estimate("default", "agent", { message });
  await run(message, "s");
  const inSession = await engine.runs.estimate("default", "agent", { message, sessionId: "s" });
  const again = await engine.runs.estimate("default", "agent", { message });

  expect(before.promptTokens).toBeGreaterThan(bare.promptTokens + 300);
  expect(inSession.promptTokens).toBeGreaterThan(before.promptTokens);
  expect(again).toEqual(before);
});

const add = (...titles: readonly string[]): ScriptedStep => ({
  toolCalls: [{ name: "todos_add", input: { todos: titles.map((title) => ({ title })) } }],
});

async function start(
  script: readonly ScriptedStep[],
  agent: Partial<AgentDefinitionRequest>,
  options: Partial<TestEngineOptions> = {},
) {
  const stores = await openStores("memory:");
  const model = scriptedModel(script);
  const started = await startTestEngine({ stores, model, agent, ...options });
  onTestFinished(async () => {
    await started.engine.close();
    await stores.close();
  });
  return {
    ...started,
    model,
    run: (message = "Go.", sessionId?: string) =>
      started.run(sessionId === undefined ? { message } : { message, sessionId }),
    /** What the model read with its n-th call. */
    read: (index: number) => {
      const [first, ...rest] = model.calls[index]?.prompt ?? [];
      return {
        system: first?.role === "system" ? first.content : "",
        messages: described(
          first?.role === "system" ? rest : [first, ...rest].flatMap((it) => it ?? []),
        ),
        tools: (model.calls[index]?.tools ?? []).map(({ name }) => name),
      };
    },
  };
}

const described = (prompt: LanguageModelV4Prompt): readonly string[] =>
  prompt.map(({ role, content }) =>
    typeof content === "string"
      ? `${role}: ${content}`
      : `${role}: ${content.map((part) => (part.type === "text" ? part.text : part.type)).join(" ")}`,
  );
