import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeOpenAi, startFakeOpenAi } from "./start-fake-openai.ts";

let server: FakeOpenAi;
beforeAll(async () => {
  server = await startFakeOpenAi({ otherwise: { text: "ok" } });
});
afterAll(() => server.close());

const user = { role: "user", content: "Hi" };
const call = (id: string, name = "look", text = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: text },
});
const assistant = (...tool_calls: readonly object[]) => ({
  role: "assistant",
  content: null,
  tool_calls,
});
const result = (tool_call_id: string) => ({ role: "tool", tool_call_id, content: "done" });
const chatTool = (name: string) => ({ type: "function", function: { name, parameters: {} } });

it.each<[string, object]>([
  ["a plain question", { messages: [user] }],
  [
    "calls with their results",
    { messages: [user, assistant(call("a"), call("b")), result("b"), result("a")] },
  ],
  [
    "an id that comes again in a later turn",
    { messages: [user, assistant(call("a")), result("a"), assistant(call("a")), result("a")] },
  ],
  [
    "tools with legal names",
    { messages: [user], tools: [chatTool("get_Order-1")], tool_choice: "auto" },
  ],
])("answers a chat request with %s", async (_, body) => {
  expect(await statusOf("/chat/completions", body)).toBe(200);
});

it.each<[string, object, string]>([
  ["no model", { model: undefined, messages: [user] }, "must provide a model"],
  ["an empty model", { model: "", messages: [user] }, "must provide a model"],
  ["no messages", {}, "'messages'"],
  ["empty messages", { messages: [] }, "'messages'"],
  ["an empty tool list", { messages: [user], tools: [] }, "'tools'"],
  ["a tool choice without tools", { messages: [user], tool_choice: "auto" }, "only allowed when"],
  ["an illegal tool name", { messages: [user], tools: [chatTool("get.order")] }, "pattern"],
  [
    "a tool name that is too long",
    { messages: [user], tools: [chatTool("x".repeat(65))] },
    "pattern",
  ],
  ["a call without a result", { messages: [user, assistant(call("a"))] }, "missing: a"],
  [
    "a call whose result comes too late",
    { messages: [user, assistant(call("a")), user, result("a")] },
    "missing: a",
  ],
  [
    "one of two results",
    { messages: [user, assistant(call("a"), call("b")), result("a"), user] },
    "missing: b",
  ],
  ["a result without a call", { messages: [user, result("a")] }, "preceding message"],
  [
    "two results for one call",
    { messages: [user, assistant(call("a")), result("a"), result("a")] },
    "preceding message",
  ],
  [
    "an illegal name in a call",
    { messages: [user, assistant(call("a", "ä")), result("a")] },
    "pattern",
  ],
  [
    "arguments that are a list",
    { messages: [user, assistant(call("a", "look", "[]")), result("a")] },
    "JSON object",
  ],
  [
    "arguments that are cut off",
    { messages: [user, assistant(call("a", "look", '{"a":')), result("a")] },
    "JSON object",
  ],
  [
    "empty arguments",
    { messages: [user, assistant(call("a", "look", "")), result("a")] },
    "JSON object",
  ],
  ["an empty call list", { messages: [user, assistant()] }, "'tool_calls'"],
  [
    "a call id that is too long",
    { messages: [user, assistant(call("x".repeat(41)))] },
    "40 characters",
  ],
  ["a message without content", { messages: [{ role: "user", content: null }] }, "parts"],
  ["an unknown role", { messages: [{ role: "robot", content: "Hi" }] }, "role"],
])("refuses a chat request with %s", async (_, body, message) => {
  expect(await statusOf("/chat/completions", body)).toBe(400);
  expect(server.refusals.at(-1)).toContain(message);
});

const functionCall = { type: "function_call", call_id: "a", name: "look", arguments: "{}" };
const output = { type: "function_call_output", call_id: "a", output: "done" };

it.each<[string, object]>([
  ["a text", { input: "Hi" }],
  ["a call with its output", { input: [user, functionCall, output] }],
])("answers a responses request with %s", async (_, body) => {
  expect(await statusOf("/responses", body)).toBe(200);
});

it.each<[string, object, string]>([
  ["no model", { model: undefined, input: "Hi" }, "must provide a model"],
  ["no input", {}, "at least one item"],
  ["an empty input", { input: [] }, "at least one item"],
  ["an empty tool list", { input: "Hi", tools: [] }, "'tools'"],
  ["an illegal tool name", { input: "Hi", tools: [{ type: "function", name: "a b" }] }, "pattern"],
  ["a call without an output", { input: [user, functionCall] }, "no tool output found"],
  ["an output without a call", { input: [user, output] }, "no tool call found"],
  ["an output before its call", { input: [output, functionCall] }, "no tool call found"],
  ["an illegal name in a call", { input: [{ ...functionCall, name: "a.b" }, output] }, "pattern"],
  [
    "arguments that are a text",
    { input: [{ ...functionCall, arguments: '"x"' }, output] },
    "JSON object",
  ],
  ["an item it does not know", { input: [{ type: "item_reference", id: "msg_x" }] }, "not found"],
  ["a response it does not know", { input: "Hi", previous_response_id: "resp_x" }, "not found"],
])("refuses a responses request with %s", async (_, body, message) => {
  expect(await statusOf("/responses", body)).toBe(400);
  expect(server.refusals.at(-1)).toContain(message);
});

it.each(["null", "[]", "not json"])("refuses the body %s", async (body) => {
  const response = await fetch(`${server.url}/chat/completions`, { method: "POST", body });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error" } });
});

it("answers nothing else", async () => {
  const response = await fetch(`${server.url}/models`);

  expect(response.status).toBe(404);
});

async function statusOf(path: string, body: object): Promise<number> {
  const response = await fetch(server.url + path, {
    method: "POST",
    body: JSON.stringify({ model: "gpt", ...body }),
  });
  await response.body?.cancel();
  return response.status;
}
