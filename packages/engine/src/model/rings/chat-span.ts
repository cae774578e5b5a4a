/**
 * The `chat` span of a model call, with the attributes of OpenTelemetry's conventions for generative AI.
 * Neither prompts nor answers are in it, unless the installation asks for them. Without a registered
 * tracer nothing is wrapped.
 */

import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import { type Span, SpanKind, type SpanOptions, SpanStatusCode } from "@opentelemetry/api";
import { definedOf, isTraced, type Tracing, within } from "../../telemetry/tracing.ts";
import { usageOf } from "../model-usage.ts";
import { openObserved } from "../observe-stream.ts";
import { providerFault } from "../provider-fault.ts";
import type { BoundModel } from "../provider-registry.ts";
import type { ModelRequest, ModelRing, SendModelRequest } from "../ring.ts";
import { AnswerText, promptAttributes } from "../span-content.ts";

/** How the spans of one model begin. */
type SpanStart = { readonly name: string; readonly options: SpanOptions };

export const chatSpanRing: ModelRing = {
  name: "chat-span",

  wrap(next, { host: { tracing } }) {
    if (tracing === undefined) return next;
    const starts = new WeakMap<BoundModel, SpanStart>();
    return (request) => {
      const { name, options } = startOf(starts, request.bound);
      const span = tracing.tracer.startSpan(name, options);
      return isTraced(span) ? inSpan(span, tracing, next, request) : next(request);
    };
  },
};

function startOf(starts: WeakMap<BoundModel, SpanStart>, bound: BoundModel): SpanStart {
  const known = starts.get(bound);
  if (known !== undefined) return known;
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": bound.provider,
    "gen_ai.request.model": bound.modelId,
  };
  const start = { name: `chat ${bound.modelId}`, options: { kind: SpanKind.CLIENT, attributes } };
  starts.set(bound, start);
  return start;
}

function inSpan(
  span: Span,
  { recordSensitiveData }: Tracing,
  next: SendModelRequest,
  request: ModelRequest,
): Promise<LanguageModelV4StreamResult> {
  const { options, tenantId, runId, bound } = request;
  span.setAttributes({
    ...definedOf({
      "gen_ai.request.temperature": options.temperature,
      "gen_ai.request.top_p": options.topP,
      "gen_ai.request.max_tokens": options.maxOutputTokens,
    }),
    "tracon.run.id": runId,
    "tracon.tenant.id": tenantId,
  });
  const answer = recordSensitiveData && span.isRecording() ? new AnswerText() : undefined;
  if (answer !== undefined) span.setAttributes(promptAttributes(options.prompt));
  const end = (error?: unknown): void => {
    if (error !== undefined) {
      const fault = request.signal.aborted ? "canceled" : providerFault(bound.provider, error).code;
      span.setAttribute("error.type", fault);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    if (answer !== undefined) span.setAttributes(answer.attributes());
    span.end();
  };
  const part = (it: LanguageModelV4StreamPart): void => {
    describe(span, it);
    answer?.add(it);
  };
  const below: SendModelRequest = (it) => within(span, () => next(it));
  return openObserved(below, request, { part, end });
}

function describe(span: Span, part: LanguageModelV4StreamPart): void {
  if (part.type === "response-metadata") {
    const { id, modelId } = part;
    span.setAttributes(definedOf({ "gen_ai.response.id": id, "gen_ai.response.model": modelId }));
  } else if (part.type === "finish") {
    const usage = usageOf(part.usage);
    span.setAttributes({
      "gen_ai.response.finish_reasons": [part.finishReason.unified],
      ...definedOf({
        "gen_ai.usage.input_tokens": usage?.inputTokens,
        "gen_ai.usage.output_tokens": usage?.outputTokens,
      }),
    });
  }
}
