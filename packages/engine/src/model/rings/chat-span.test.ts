import { APICallError } from "@ai-sdk/provider";
import {
  type Attributes,
  context,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { openStores } from "@tracon/store";
import { type ScriptedStep, scriptedModel, startTestEngine } from "@tracon/testing";
import { afterEach, expect, it, onTestFinished } from "vitest";

afterEach(() => trace.disable());

it("describes a model call in the conventions for generative AI", async () => {
  const spans = recordSpans();
  const usage = { inputTokens: 5, outputTokens: 7 };

  const { runId } = await run([{ text: "Hi there.", usage }]);

  expect(spans).toEqual([
    {
      name: "chat test-model",
      attributes: {
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
      },
      failed: false,
      ends: 1,
    },
  ]);
});

it.each<[string, ScriptedStep]>([
  ["a call that was refused", { throws: refused() }],
  ["an answer that broke", { text: "Par", ends: { streamError: refused() } }],
  ["an answer that ended with an error", { text: "Par", ends: { errorPart: refused() } }],
])("ends the span of %s with its kind of error", async (_, step) => {
  const spans = recordSpans();

  await run([step]);

  expect(spans).toMatchObject([{ failed: true, ends: 1 }]);
  expect(spans[0]?.attributes["error.type"]).toBe("rate_limited");
});

it("hands the provider's own result on when no tracer is registered", async () => {
  const { result } = await run(["Hi there."]);

  expect(result.output).toBe("Hi there.");
  expect(trace.getSpan(context.active())).toBeUndefined();
});

type RecordedSpan = { name: string; attributes: Attributes; failed: boolean; ends: number };

/** A tracer as an application would register it. */
function recordSpans(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const startSpan: Tracer["startSpan"] = (name, options) => {
    const recorded: RecordedSpan = {
      name,
      attributes: { ...options?.attributes },
      failed: false,
      ends: 0,
    };
    spans.push(recorded);
    const span: Partial<Span> = {
      isRecording: () => true,
      setAttribute(key, value) {
        recorded.attributes[key] = value;
        return span as Span;
      },
      setAttributes(attributes) {
        Object.assign(recorded.attributes, attributes);
        return span as Span;
      },
      setStatus({ code }) {
        recorded.failed = code === SpanStatusCode.ERROR;
        return span as Span;
      },
      end() {
        recorded.ends++;
      },
    };
    return span as Span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer });
  return spans;
}

function refused() {
  const fault = { message: "no", url: "https://api.example", requestBodyValues: {} };
  return new APICallError({ ...fault, statusCode: 429 });
}

async function run(script: readonly ScriptedStep[]) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const agent = {
    model: { provider: "test", model: "test-model", temperature: 0.5, maxOutputTokens: 100 },
  };
  const engine = await startTestEngine({ stores, model: scriptedModel(script), agent });
  return engine.run();
}
