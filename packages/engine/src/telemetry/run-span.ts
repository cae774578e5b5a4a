/** The `tracon.run` span: the root of everything a run does. */

import { type Context, type Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { RunRecord } from "@tracon/core";
import { definedOf, isTraced, type Tracing } from "./tracing.ts";

/** Begins the span of a run; `undefined` when nobody traces. */
export function startRunSpan(
  { tracer }: Tracing,
  record: RunRecord,
  parent: Context,
): Span | undefined {
  const attributes = { "gen_ai.operation.name": "invoke_agent" };
  const span = tracer.startSpan("tracon.run", { kind: SpanKind.INTERNAL, attributes }, parent);
  if (!isTraced(span)) return undefined;
  span.setAttributes(
    definedOf({
      "gen_ai.agent.name": record.agentName,
      "gen_ai.conversation.id": record.sessionId,
      "tracon.agent.name": record.agentName,
      "tracon.agent.version": record.agentVersion,
      "tracon.run.id": record.id,
      "tracon.run.parent_id": record.parentRunId,
      "tracon.run.depth": record.depth,
      "tracon.run.streaming": record.isStreaming,
      "tracon.session.id": record.sessionId,
      "tracon.tenant.id": record.tenantId,
    }),
  );
  return span;
}

/** Ends it with how the run ended. A run that was canceled did not fail. */
export function endRunSpan(span: Span, { status, error, usage, ...record }: RunRecord): void {
  span.setAttributes(
    definedOf({
      "tracon.run.status": status,
      "gen_ai.provider.name": record.modelProvider,
      "gen_ai.response.model": record.modelId,
      "gen_ai.usage.input_tokens": usage?.inputTokens,
      "gen_ai.usage.output_tokens": usage?.outputTokens,
      "error.type": error?.type,
    }),
  );
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  span.end();
}
