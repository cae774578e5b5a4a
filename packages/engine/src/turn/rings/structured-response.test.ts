import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
import type { AgentDefinitionRequest } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
type Format = NonNullable<AgentDefinitionRequest["model"]["responseFormat"]>;
const jsonSchema: Format = { kind: "JsonSchema", schema, schemaName: "answer" };

it.each<[Format | undefined, LanguageModelV4CallOptions["responseFormat"]]>([
  [undefined, undefined],
  [{ kind: "Text" }, { type: "text" }],
  [{ kind: "Json" }, { type: "json" }],
  [
    { ...jsonSchema, schemaDescription: "An a." },
    { type: "json", schema: schema as never, name: "answer", description: "An a." },
  ],
])("asks the model for %j", async (responseFormat, asked) => {
  const { run, model } = await engine(['{"a":1}'], responseFormat);

  await run();

  expect(model.calls[0]?.responseFormat).toEqual(asked);
});

it("gives back the parsed answer beside its text", async () => {
  const { run } = await engine(['{"a":1}'], jsonSchema);

  const { result } = await run();

  expect(result).toMatchObject({ output: '{"a":1}', outputJson: { a: 1 } });
});

it("reads the same value wherever the answer was split", async () => {
  const answer = '{"a":"x y\\n\\"","n":12.5,"s":"😀"}';
  for (let split = 0; split <= answer.length; split++) {
    const text = [answer.slice(0, split), answer.slice(split)];
    const { run } = await engine([{ text }], { kind: "Json" });

    const { result } = await run();

    expect(result.outputJson).toEqual({ a: 'x y\n"', n: 12.5, s: "😀" });
  }
});

it("does not check an answer unless told to, and then has no value for it", async () => {
  const { run } = await engine(["no json"], jsonSchema);

  const { result } = await run();

  expect(result).toMatchObject({ status: "Completed", output: "no json" });
  expect(result).not.toHaveProperty("outputJson");
});

it.each([
  ["", "Empty"],
  ["  \n", "Empty"],
  ["no json", "NotJson"],
  ['{"a":1} and more', "NotJson"],
])("rejects the answer %j when answers are checked", async (text, reason) => {
  const { run } = await engine([text], jsonSchema, { structuredResponse: { enabled: true } });

  const { result, events } = await run();

  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "structured_response_invalid", class: "StructuredResponseInvalid" },
  });
  expect(of("StructuredResponseRejected", events)).toEqual([
    { reason, kind: "JsonSchema", schemaName: "answer", provider: "test", model: "test-model" },
  ]);
});

it("does not check answers that are text", async () => {
  const { run } = await engine(
    ["no json"],
    { kind: "Text" },
    { structuredResponse: { enabled: true } },
  );

  expect((await run()).result.status).toBe("Completed");
});

it("asks the validator, and keeps what it throws out of record and answer", async () => {
  const asked: unknown[] = [];
  const { run, log } = await engine(['{"a":1}'], jsonSchema, {
    structuredResponse: { enabled: true },
    structuredResponseValidator: async ({ json, text, kind, schemaName }) => {
      asked.push({ json, text, kind, schemaName });
      throw new Error("secret reason");
    },
  });

  const { result, events } = await run();

  expect(asked).toEqual([
    { json: { a: 1 }, text: '{"a":1}', kind: "JsonSchema", schemaName: "answer" },
  ]);
  expect(of("StructuredResponseRejected", events)).toMatchObject([
    { reason: "RefusedByValidator" },
  ]);
  expect(JSON.stringify([events, result])).not.toContain("secret");
  expect(JSON.stringify(log.entries)).toContain("secret reason");
});

it("asks again with the rejected answer and a fixed correction, and sums the usage", async () => {
  const usage = { inputTokens: 1, outputTokens: 2 };
  const script = [
    { text: "no json", usage },
    { text: '{"a":1}', usage },
  ];
  const { run, model } = await engine(script, jsonSchema, repairing(1));

  const { result, events } = await run("Go.");

  expect(result).toMatchObject({
    status: "Completed",
    outputJson: { a: 1 },
    usage: { inputTokens: 2, outputTokens: 4 },
  });
  expect(model.calls[1]?.prompt).toMatchObject([
    { role: "user", content: [{ text: "Go." }] },
    { role: "assistant", content: [{ text: "no json" }] },
    { role: "user", content: [{ text: expect.stringContaining("not accepted") }] },
  ]);
  expect(of("StructuredResponseRepairAttempted", events)).toEqual([
    {
      attempt: 1,
      reason: "NotJson",
      kind: "JsonSchema",
      schemaName: "answer",
      provider: "test",
      model: "test-model",
    },
  ]);
  expect(of("StructuredResponseRejected", events)).toEqual([]);
});

it("fails the run when the repairs are used up", async () => {
  const { run, model } = await engine(["one", "two", "three"], jsonSchema, repairing(2));

  const { result, events } = await run();

  expect(result.error).toMatchObject({ type: "structured_response_invalid" });
  expect(of("StructuredResponseRepairAttempted", events)).toHaveLength(2);
  expect(of("StructuredResponseRejected", events)).toHaveLength(1);
  model.assertDone();
});

it("does not repair a streaming run", async () => {
  const { run, model } = await engine(["no json"], jsonSchema, repairing(3));

  const { result, frames } = await run("Go.", { isStreaming: true });

  expect(result.status).toBe("Failed");
  expect(frames.at(-1)).toMatchObject({ event: "error" });
  model.assertDone();
});

it("leaves tool rounds free of the format where models would stop calling tools for it", async () => {
  const { run, model, ran } = await withTool(
    [jsonAtOnce, jsonAtOnce, jsonAtOnce],
    jsonSchema,
    false,
  );

  const { result } = await run();

  expect(ran).toEqual([1]);
  expect(result.outputJson).toEqual({ a: 1 });
  expect(model.calls.map((call) => [call.tools?.length, call.responseFormat?.type])).toEqual([
    [1, undefined],
    [1, undefined],
    [undefined, "json"],
  ]);
  expect(model.calls[2]?.prompt.at(-1)?.role).toBe("tool");
});

it("makes no call for the format when the answer already fits the schema", async () => {
  const script = [{ toolCalls: [{ name: "count", input: { x: 1 } }] }, '{"a":1}'];
  const { run, model } = await withTool(script, jsonSchema, false);

  const { result } = await run();

  expect(result.outputJson).toEqual({ a: 1 });
  model.assertDone();
});

it("makes a call for the format when the answer is JSON of another shape", async () => {
  const { run, model } = await withTool(['{"b":1}', '{"a":1}'], jsonSchema, false);

  const { result } = await run();

  expect(result.outputJson).toEqual({ a: 1 });
  model.assertDone();
});

it("asks for tools and format together where the provider combines them", async () => {
  const script = [{ toolCalls: [{ name: "count", input: { x: 1 } }] }, '{"a":1}'];
  const { run, model } = await withTool(script, jsonSchema, true);

  await run();

  expect(model.calls.map((call) => [call.tools?.length, call.responseFormat?.type])).toEqual([
    [1, "json"],
    [1, "json"],
  ]);
});

it.each<[Format, string, string]>([
  [{ kind: "JsonSchema" }, "response_format_schema_missing", "responseFormat.schema"],
  [
    { kind: "JsonSchema", schema: { type: "array" } },
    "response_format_schema_invalid",
    "responseFormat.schema",
  ],
  [{ kind: "Text", schema }, "response_format_schema_invalid", "responseFormat.schema"],
  [{ kind: "Json", schema }, "response_format_schema_invalid", "responseFormat.schema"],
])("refuses the format %j", async (responseFormat, code, member) => {
  const started = engine([], responseFormat);

  await expect(started).rejects.toMatchObject({
    details: { findings: [{ code, path: `agents[0].model.${member}` }] },
  });
});

it.each<Format>([{ kind: "Json" }, jsonSchema])(
  "refuses %j for a model that is listed without structured output",
  async (responseFormat) => {
    const listed = { provider: "test", model: "test-model", supportsTools: true };
    const models = [{ ...listed, supportsStructuredOutput: false }];
    const started = engine([], responseFormat, { models });

    await expect(started).rejects.toMatchObject({
      details: { findings: [{ code: "structured_output_unsupported" }] },
    });
  },
);

const repairing = (maxRepairAttempts: number) => ({
  structuredResponse: { enabled: true, maxRepairAttempts },
});

/** A model that answers in JSON as soon as it may, and uses its tool once otherwise. */
const jsonAtOnce: ScriptedStep = ({ responseFormat, prompt }) => {
  if (responseFormat?.type === "json") return '{"a":1}';
  const hasUsedTool = prompt.some(({ role }) => role === "tool");
  return hasUsedTool ? "It is 1." : { toolCalls: [{ name: "count", input: { x: 1 } }] };
};

const of = (type: string, events: readonly { type: string; payload: unknown }[]) =>
  events.filter((event) => event.type === type).map(({ payload }) => payload);

async function withTool(
  script: readonly ScriptedStep[],
  responseFormat: Format,
  combinesToolsAndFormat: boolean,
) {
  const ran: number[] = [];
  const count = tool({
    inputSchema: z.object({ x: z.number() }),
    execute: ({ x }) => ran.push(x),
  });
  const options = { tools: { count }, combinesToolsAndFormat };
  return { ...(await engine(script, responseFormat, options)), ran };
}

async function engine(
  script: readonly ScriptedStep[],
  responseFormat: Format | undefined,
  options: Partial<TestEngineOptions> = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const binding = { provider: "test", model: "test-model" };
  const agent = { model: responseFormat === undefined ? binding : { ...binding, responseFormat } };
  return { ...(await startTestEngine({ stores, model, agent, ...options })), model };
}
