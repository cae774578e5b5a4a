import OpenAI from "openai";
import { afterEach, expect, it } from "vitest";
import { type FakeOpenAi, startFakeOpenAi } from "./start-fake-openai.ts";
import type { FakeFaults, FakeOpenAiTurn } from "./turn.ts";

/** The real client of OpenAI, so that the fake is held against what the world runs. */

let server: FakeOpenAi;
afterEach(() => server.close());

const CALL_TURN: FakeOpenAiTurn = {
  text: ["Let me ", "look."],
  toolCalls: [{ name: "look", arguments: ['{"or', 'derId":"O', 'RD-3"}'] }],
  usage: { inputTokens: 20, cachedInputTokens: 8, outputTokens: 9, reasoningTokens: 3 },
};

it("streams a chat completion with text, a tool call and usage", async () => {
  const client = await clientOf(CALL_TURN);

  const completion = await client.chat.completions
    .stream({ ...chat("Where is it?"), stream_options: { include_usage: true } })
    .finalChatCompletion();

  const [choice] = completion.choices;
  expect(choice?.message.content).toBe("Let me look.");
  expect(choice?.message.tool_calls?.[0]).toMatchObject({
    function: { name: "look", arguments: '{"orderId":"ORD-3"}' },
  });
  expect(choice?.finish_reason).toBe("tool_calls");
  expect(completion.usage).toMatchObject({
    prompt_tokens: 20,
    completion_tokens: 9,
    prompt_tokens_details: { cached_tokens: 8 },
    completion_tokens_details: { reasoning_tokens: 3 },
  });
});

it("sends no usage in a stream that did not ask for it", async () => {
  const client = await clientOf({ text: "Hi" });

  const chunks = await Array.fromAsync(
    await client.chat.completions.create({ ...chat("Hi"), stream: true }),
  );

  expect(chunks.every((chunk) => chunk.usage === undefined)).toBe(true);
});

it("answers a chat completion without streaming", async () => {
  const client = await clientOf(CALL_TURN);

  const { choices, usage } = await client.chat.completions.create(chat("Where is it?"));

  expect(choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { content: "Let me look.", tool_calls: [{ function: { name: "look" } }] },
  });
  expect(usage?.total_tokens).toBe(29);
});

it("streams a response with reasoning, text, a tool call and usage", async () => {
  const client = await clientOf({ ...CALL_TURN, reasoning: ["Hm", "m."] });

  const response = await client.responses
    .stream({ model: "gpt", input: "Where is it?" })
    .finalResponse();

  expect(response.status).toBe("completed");
  expect(response.output_text).toBe("Let me look.");
  expect(response.output).toMatchObject([
    { type: "reasoning", summary: [{ text: "Hmm." }] },
    { type: "message" },
    { type: "function_call", name: "look", arguments: '{"orderId":"ORD-3"}' },
  ]);
  expect(response.usage).toMatchObject({
    input_tokens: 20,
    input_tokens_details: { cached_tokens: 8 },
    output_tokens_details: { reasoning_tokens: 3 },
  });
});

it("answers a response without streaming and says why it is incomplete", async () => {
  const client = await clientOf({ text: "Once upon", finishReason: "length" });

  const response = await client.responses.create({ model: "gpt", input: "A story" });

  expect(response).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
    output_text: "Once upon",
  });
});

it("continues from a response it remembers", async () => {
  const client = await clientOf(CALL_TURN, { text: "It is here." });
  const first = await client.responses.create({ model: "gpt", input: "Where is it?" });

  const second = await client.responses.create({
    model: "gpt",
    previous_response_id: first.id,
    input: [{ type: "function_call_output", call_id: "call_1_1", output: "here" }],
  });

  expect(second.output_text).toBe("It is here.");
});

it("answers an HTTP error with its headers and body", async () => {
  const client = await clientOf({
    http: {
      status: 429,
      headers: { "Retry-After": "7" },
      body: { error: { message: "slow down", type: "requests", code: "rate_limit_exceeded" } },
    },
  });

  const answer = client.chat.completions.create(chat("Hi"));

  await expect(answer).rejects.toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  await expect(answer.catch((error) => error.headers.get("retry-after"))).resolves.toBe("7");
});

it("splits the bytes of a stream anywhere, also inside a character", async () => {
  const text = ["Grüße ", "aus 東京 ", "👩‍🚀!"];
  const client = await clientOf({ text, faults: { splitEveryBytes: 3 } });

  const completion = await client.chat.completions.stream(chat("Hi")).finalChatCompletion();

  expect(completion.choices[0]?.message.content).toBe("Grüße aus 東京 👩‍🚀!");
});

it.each<[string, FakeFaults]>([
  ["after so many bytes", { cutAfterBytes: 300 }],
  ["after so many events", { breaks: { afterEvents: 2, by: "cut" } }],
])("cuts the connection %s", async (_, faults) => {
  const client = await clientOf({ text: ["one", "two", "three", "four"], faults });

  const reading = Array.fromAsync(
    await client.chat.completions.create({ ...chat("Hi"), stream: true }),
  );

  await expect(reading).rejects.toThrow();
  expect(server.requests[0]?.state).toBe("cut");
});

it("ends a stream properly but early", async () => {
  const faults: FakeFaults = { breaks: { afterEvents: 2, by: "end" } };
  const client = await clientOf({ text: ["one", "two"], faults });

  const chunks = await Array.fromAsync(
    await client.chat.completions.create({ ...chat("Hi"), stream: true }),
  );

  expect(chunks.map((chunk) => chunk.choices[0]?.delta.content)).toEqual(["", "one"]);
});

it("sends an event that is not JSON", async () => {
  const faults: FakeFaults = { breaks: { afterEvents: 1, by: "malformed" } };
  const client = await clientOf({ text: "one", faults });

  const reading = Array.fromAsync(
    await client.chat.completions.create({ ...chat("Hi"), stream: true }),
  );

  await expect(reading).rejects.toThrow(SyntaxError);
});

it.each(["chat", "responses"])("sends an error in the middle of a %s stream", async (surface) => {
  const error = { message: "overloaded", code: "server_error" };
  const faults: FakeFaults = { breaks: { afterEvents: 2, by: { error } } };
  const client = await clientOf({ text: ["one", "two"], faults });

  const reading =
    surface === "chat"
      ? Array.fromAsync(await client.chat.completions.create({ ...chat("Hi"), stream: true }))
      : Array.fromAsync(
          await client.responses.create({ model: "gpt", input: "Hi", stream: true }),
        ).then((events) => {
          throw new Error(JSON.stringify(events.at(-1)));
        });

  await expect(reading).rejects.toThrow("overloaded");
});

it.each<[string, FakeFaults]>([
  ["while it hangs", { hangsBeforeHeaders: true }],
  ["during a delay", { delayMs: 600_000 }],
])("reports a client that disconnects before the headers, %s", async (_, faults) => {
  const client = await clientOf({ text: "late", faults });
  const run = new AbortController();
  const answered = Promise.allSettled([
    client.chat.completions.create(chat("Hi"), { signal: run.signal }),
  ]);
  const request = await server.received(1);

  run.abort();
  const { atMs } = await request.aborted;
  await answered;

  expect(atMs).toBeGreaterThanOrEqual(request.receivedAtMs);
  expect(request.state).toBe("aborted");
});

it.each<[string, FakeFaults]>([
  ["while it hangs", { breaks: { afterEvents: 1, by: "hang" } }],
  ["between two chunks", { chunkDelayMs: 600_000 }],
])("reports a client that disconnects in a stream, %s", async (_, faults) => {
  const client = await clientOf({ text: ["one", "two"], faults });
  const stream = await client.chat.completions.create({ ...chat("Hi"), stream: true });
  const request = await server.received(1);
  const chunks = stream[Symbol.asyncIterator]();
  await chunks.next();

  stream.controller.abort();
  await request.aborted;

  expect(request.state).toBe("aborted");
});

it("counts a complete answer as answered, though its client disconnects afterwards", async () => {
  const client = await clientOf({ text: "Hi" });

  await client.chat.completions.create(chat("Hi"));
  await server.close();

  expect(server.requests[0]?.state).toBe("answered");
});

it("fails a request it has no turn for, and says so in the end", async () => {
  const client = await clientOf();

  const answer = client.chat.completions.create(chat("Hi"));

  await expect(answer).rejects.toMatchObject({ status: 500 });
  expect(() => server.assertDone()).toThrow("no turn for request 1");
});

it("says in the end which turns were not asked for", async () => {
  await clientOf({ text: "unused" });

  expect(() => server.assertDone()).toThrow("1 turns of the script were not asked for");
});

it("refuses another key than the one it wants", async () => {
  server = await startFakeOpenAi({ apiKey: "right" });
  const client = new OpenAI({
    baseURL: server.url,
    apiKey: "wrong",
    maxRetries: 0,
    logLevel: "off",
  });

  await expect(client.chat.completions.create(chat("Hi"))).rejects.toMatchObject({ status: 401 });
});

it("lets a step decide from the request", async () => {
  server = await startFakeOpenAi({
    otherwise: ({ body }) => ({ text: (body as { model: string }).model }),
  });
  const client = new OpenAI({ baseURL: server.url, apiKey: "key", maxRetries: 0, logLevel: "off" });

  const answer = await client.chat.completions.create({ ...chat("Hi"), model: "gpt-x" });

  expect(answer.choices[0]?.message.content).toBe("gpt-x");
});

async function clientOf(...turns: readonly FakeOpenAiTurn[]): Promise<OpenAI> {
  server = await startFakeOpenAi({ turns });
  return new OpenAI({ baseURL: server.url, apiKey: "key", maxRetries: 0, logLevel: "off" });
}

const chat = (content: string) => ({
  model: "gpt",
  messages: [{ role: "user" as const, content }],
});
