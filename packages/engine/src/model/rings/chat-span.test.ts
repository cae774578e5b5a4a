import { APICallError } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startTestEngine } from "@tracon/testing";
import { afterEach, expect, it, onTestFinished } from "vitest";
import * as z from "zod";

afterEach(() => trace.disable());

it("describes a model call in the conventions for generative AI", async () => {
  const spans = recordSpans();
  const usage = { inputTokens: 5, outputTokens: 7 };

  const { runId } = await run([{ text: "Hi there.", usage }]);

  expect(spans()).toMatchObject([{ name: "chat test-model", kind: 2, status: { code: 0 } }]);
  expect(spans()[0]?.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "test",
    "gen_ai.request.model": "test-model",
    "gen_ai.request.temperature": 0.5,
    "gen_ai.request.max_tokens": 100,
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.usage.input_tokens": 5,
    "gen_ai.usage.output_tokens": 7,
    "tracon.run.id": runId,
    "tracon.tenant.id": "default",
  });
});

it("holds neither prompt nor answer", async () => {
  const spans = recordSpans();

  await run(["The answer."]);

  expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toMatch(/answer|Go\./);
});

it("holds prompt and answer when the installation asks for them", async () => {
  const spans = recordSpans();

  await run([{ toolCalls: [{ name: "look" }] }, "Found."], { recordSensitiveData: true });

  const [first, second] = spans().map(({ attributes }) => attributes);
  expect(partsOf(first?.["gen_ai.system_instructions"])).toEqual([
    { type: "text", content: "Be kind." },
  ]);
  expect(partsOf(first?.["gen_ai.input.messages"])).toEqual([
    { role: "user", parts: [{ type: "text", content: "Go." }] },
  ]);
  expect(partsOf(first?.["gen_ai.output.messages"])).toMatchObject([
    { role: "assistant", parts: [{ type: "tool_call", name: "look" }] },
  ]);
  expect(partsOf(second?.["gen_ai.input.messages"])).toMatchObject([
    {},
    { role: "assistant", parts: [{ type: "tool_call", name: "look" }] },
    { role: "tool", parts: [{ type: "tool_call_response", response: "seen" }] },
  ]);
  expect(partsOf(second?.["gen_ai.output.messages"])).toEqual([
    { role: "assistant", parts: [{ type: "text", content: "Found." }], finish_reason: "stop" },
  ]);
});

it.each<[string, ScriptedStep]>([
  ["a call that was refused", { throws: refused() }],
  ["an answer that broke", { text: "Par", ends: { streamError: refused() } }],
  ["an answer that ended with an error", { text: "Par", ends: { errorPart: refused() } }],
])("ends the span of %s with its kind of error", async (_, step) => {
  const spans = recordSpans();

  await run([step]);

  expect(spans()).toMatchObject([{ status: { code: SpanStatusCode.ERROR } }]);
  expect(spans()[0]?.attributes["error.type"]).toBe("rate_limited");
});

it("hands the provider's own result on when no tracer is registered", async () => {
  const { result } = await run(["Hi there."]);

  expect(result.output).toBe("Hi there.");
  expect(trace.getSpan(context.active())).toBeUndefined();
});

it("makes no span where observability is turned off", async () => {
  const spans = recordSpans();

  const { result } = await run(["Hi there."], { enabled: false });

  expect(result.output).toBe("Hi there.");
  expect(spans()).toEqual([]);
});

/** A tracer as an application would register it; answers with the spans of model calls. */
function recordSpans(): () => readonly ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
  return () => exporter.getFinishedSpans().filter(({ name }) => name.startsWith("chat"));
}

const partsOf = (attribute: unknown): unknown => JSON.parse(String(attribute));

function refused() {
  const fault = { message: "no", url: "https://api.example", requestBodyValues: {} };
  return new APICallError({ ...fault, statusCode: 429 });
}

async function run(
  script: readonly ScriptedStep[],
  observability: { readonly enabled?: boolean; readonly recordSensitiveData?: boolean } = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const agent = {
    instructions: "Be kind.",
    model: { provider: "test", model: "test-model", temperature: 0.5, maxOutputTokens: 100 },
  };
  const tools = { look: tool({ inputSchema: z.object({}), execute: () => "seen" }) };
  const model = scriptedModel(script);
  const engine = await startTestEngine({ stores, model, agent, tools, observability });
  return engine.run();
}
