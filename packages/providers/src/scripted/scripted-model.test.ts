import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { generateText, stepCountIs, tool } from "ai";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { type ScriptConfig, scriptSchema } from "./script.ts";
import { scriptedModel } from "./scripted-model.ts";

const ORDERS: ScriptConfig = {
  when: [
    {
      captures: { orderId: "word:ORD-" },
      turns: [
        { toolCalls: [{ name: "get_order_status", input: { orderId: "{{orderId}}" } }] },
        { text: "Order {{orderId}} is {{toolResult.status|unknown}}." },
      ],
    },
    { match: "hello", turns: [{ text: "Hello!" }] },
    { match: "*", turns: [{ text: "You said: {{input}}" }] },
  ],
};

it("calls a tool with a word of the question and answers with its result", async () => {
  const model = modelOf(ORDERS);

  const { text, steps } = await generateText({
    model,
    prompt: "Where is ord-3?",
    tools: {
      get_order_status: tool({
        inputSchema: z.object({ orderId: z.string() }),
        execute: ({ orderId }) => ({ orderId, status: "on its way" }),
      }),
    },
    stopWhen: stepCountIs(3),
  });

  expect(steps[0]?.toolCalls[0]?.input).toEqual({ orderId: "ORD-3" });
  expect(text).toBe("Order ORD-3 is on its way.");
});

it("reads a field of a result that is JSON in a text", async () => {
  const prompt = [
    ...asked("Where is ORD-3?"),
    called("call-1"),
    answered("call-1", '{"status":"lost"}'),
  ];

  expect(await textOf(modelOf(ORDERS), prompt)).toBe("Order ORD-3 is lost.");
});

it("writes the text after the bar where a field is missing", async () => {
  const prompt = [
    ...asked("Where is ORD-9?"),
    called("call-1"),
    answered("call-1", "no such order"),
  ];

  expect(await textOf(modelOf(ORDERS), prompt)).toBe("Order ORD-9 is unknown.");
});

it("takes the first rule that fits, in any case, and the star for the rest", async () => {
  const model = modelOf(ORDERS);

  expect(await textOf(model, asked("Well, HELLO there"))).toBe("Hello!");
  expect(await textOf(model, asked("Bye"))).toBe("You said: Bye");
});

it("starts again with every user message", async () => {
  const model = modelOf([{ text: "first" }, { text: "second" }]);
  const assistant: LanguageModelV4Message = {
    role: "assistant",
    content: [{ type: "text", text: "first" }],
  };

  expect(await textOf(model, [...asked("a"), assistant])).toBe("second");
  expect(await textOf(model, [...asked("a"), assistant, ...asked("b")])).toBe("first");
});

it("gives the calls of one conversation ids of their own", async () => {
  const prompt = [...asked("Where is ORD-1?"), called("call-1"), answered("call-1", "{}")];
  const parts = await partsOf(modelOf(ORDERS), [...prompt, ...asked("And ORD-2?")]);

  expect(parts.find((part) => part.type === "tool-call")).toMatchObject({ toolCallId: "call-2" });
});

it("refuses a call beyond the script instead of starting over", async () => {
  const model = modelOf([{ toolCalls: [{ name: "look" }] }]);
  const prompt = [...asked("Go"), called("call-1"), answered("call-1", "{}")];

  await expect(partsOf(model, prompt)).rejects.toThrow("has 1 turns, but call 2 came");
});

it("refuses a message no rule fits", async () => {
  const model = modelOf({ when: [{ match: "order", turns: [{ text: "Which?" }] }] });

  await expect(partsOf(model, asked("Hi"))).rejects.toThrow("has no rule for the message");
});

it("streams chunks that add up to the text and never cut a character", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      async (input, chunkSize) => {
        const model = modelOf({ turns: [{ text: "> {{input}}" }], chunkSize });

        const chunks = deltasOf(await partsOf(model, asked(input)));

        expect(chunks.join("")).toBe(`> ${input}`);
        expect(chunks.every((chunk) => chunk.isWellFormed())).toBe(true);
        expect(chunks.every((chunk) => chunk.length <= chunkSize + 1)).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});

it("answers equal calls equally, however many run at once", async () => {
  const model = modelOf(ORDERS);
  const questions = Array.from({ length: 50 }, (_, index) => asked(`Where is ORD-${index % 5}?`));

  const answers = await Promise.all(questions.map((prompt) => partsOf(model, prompt)));

  for (const [index, parts] of answers.entries()) {
    expect(parts).toEqual(answers[index % 5]);
    expect(parts.find((part) => part.type === "tool-call")).toMatchObject({
      input: `{"orderId":"ORD-${index % 5}"}`,
    });
  }
});

it("counts a token for every four characters", async () => {
  const parts = await partsOf(modelOf([{ text: "12345" }]), asked("12345678"));

  expect(parts.at(-1)).toMatchObject({
    usage: { inputTokens: { total: 2 }, outputTokens: { total: 2 } },
  });
});

it("counts what a call offers beside its messages: tools by name, description and schema, and the schema of the answer", async () => {
  const model = modelOf([{ toolCalls: [{ name: "look", input: { at: 1 } }] }]);
  const inputSchema = { type: "object" } as const;
  const tools = [{ type: "function", name: "look", description: "Looks.", inputSchema }] as const;
  const responseFormat = { type: "json", schema: { type: "object" } } as const;

  const { usage } = await model.doGenerate({
    prompt: asked("1234"),
    tools: [...tools],
    responseFormat,
  });

  const schemaLength = '{"type":"object"}'.length;
  const input = "1234".length + "look".length + "Looks.".length + 2 * schemaLength;
  expect(usage.inputTokens.total).toBe(Math.ceil(input / 4));
  expect(usage.outputTokens.total).toBe(Math.ceil('look{"at":1}'.length / 4));
});

it("reports the usage and the finish reason the script names", async () => {
  const turn = {
    text: "cut",
    finishReason: "length",
    usage: { inputTokens: 7, outputTokens: 9 },
  } as const;

  const parts = await partsOf(modelOf([turn]), asked("Hi"));

  expect(parts.at(-1)).toMatchObject({
    finishReason: { unified: "length" },
    usage: { inputTokens: { total: 7 }, outputTokens: { total: 9 } },
  });
});

it("fails like a remote provider where the script says so", async () => {
  const model = modelOf([{ error: { statusCode: 503, message: "overloaded" } }]);

  await expect(partsOf(model, asked("Hi"))).rejects.toMatchObject({
    name: "AI_APICallError",
    statusCode: 503,
    isRetryable: true,
  });
});

it("rejects with the reason of an abort before the answer", async () => {
  const run = new AbortController();
  const model = modelOf({ turns: [{ text: "late" }], delayMs: 600_000 });
  const opening = model.doStream({ prompt: asked("Hi"), abortSignal: run.signal });

  run.abort(new Error("canceled by the caller"));

  await expect(opening).rejects.toThrow("canceled by the caller");
});

it("breaks the stream with the reason of an abort between two chunks", async () => {
  const run = new AbortController();
  const model = modelOf({ turns: [{ text: "abcdef" }], chunkSize: 3, chunkDelayMs: 600_000 });
  const { stream } = await model.doStream({ prompt: asked("Hi"), abortSignal: run.signal });
  const reader = stream.getReader();
  for (let part = 0; part < 3; part += 1) await reader.read();

  const pending = reader.read();
  run.abort(new Error("canceled by the caller"));

  await expect(pending).rejects.toThrow("canceled by the caller");
});

it("ends the wait between two chunks when the reader cancels", async () => {
  const model = modelOf({ turns: [{ text: "abcdef" }], chunkSize: 3, chunkDelayMs: 600_000 });
  const { stream } = await model.doStream({ prompt: asked("Hi") });
  const reader = stream.getReader();
  for (let part = 0; part < 3; part += 1) await reader.read();
  const pending = reader.read();

  await reader.cancel();

  await expect(pending).resolves.toMatchObject({ done: true });
});

function modelOf(script: ScriptConfig): LanguageModelV4 {
  return scriptedModel("demo", "support", scriptSchema.parse(script));
}

const asked = (text: string): LanguageModelV4Prompt => [
  { role: "user", content: [{ type: "text", text }] },
];

const called = (toolCallId: string): LanguageModelV4Message => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId, toolName: "look", input: {} }],
});

const answered = (toolCallId: string, value: string): LanguageModelV4Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "look", output: { type: "text", value } }],
});

async function partsOf(
  model: LanguageModelV4,
  prompt: LanguageModelV4CallOptions["prompt"],
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream({ prompt });
  return Array.fromAsync(stream);
}

const deltasOf = (parts: readonly LanguageModelV4StreamPart[]): readonly string[] =>
  parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));

async function textOf(model: LanguageModelV4, prompt: LanguageModelV4Prompt): Promise<string> {
  return deltasOf(await partsOf(model, prompt)).join("");
}
