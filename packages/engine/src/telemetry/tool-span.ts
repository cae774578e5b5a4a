/** The `execute_tool` span around a tool's body, by OpenTelemetry's conventions for generative AI. */

import { type Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { definedOf, isTraced, type Tracing, within } from "./tracing.ts";

export type ToolSpanCall = {
  readonly toolName: string;
  readonly description: string | undefined;
  readonly callId: string;
  /** As the model sent them. */
  readonly arguments: string;
  readonly runId: string;
  readonly tenantId: string;
};

/** How the call ended, as far as a span says it. */
export type ToolSpanOutcome =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly kind: string };

/** Longest arguments or result in a span, in UTF-16 units: exporters refuse spans that are too large. */
const MAX_TEXT_LENGTH = 16_384;

/** Runs a tool's body below a span of its own. Rejects with what the body rejects with. */
export async function inToolSpan<Outcome extends ToolSpanOutcome>(
  tracing: Tracing | undefined,
  call: ToolSpanCall,
  body: () => Promise<Outcome>,
): Promise<Outcome> {
  if (tracing === undefined) return body();
  const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": call.toolName };
  const options = { kind: SpanKind.INTERNAL, attributes };
  const span = tracing.tracer.startSpan(`execute_tool ${call.toolName}`, options);
  if (!isTraced(span)) return body();
  describe(span, call);
  if (tracing.recordSensitiveData) {
    span.setAttribute("gen_ai.tool.call.arguments", cut(call.arguments));
  }
  try {
    const outcome = await within(span, body);
    if (!outcome.ok) fail(span, outcome.kind);
    else if (tracing.recordSensitiveData) {
      span.setAttribute("gen_ai.tool.call.result", cut(outcome.result));
    }
    return outcome;
  } catch (error) {
    // Only the run's own end makes a call reject.
    fail(span, "Canceled");
    throw error;
  } finally {
    span.end();
  }
}

function describe(span: Span, { description, callId, runId, tenantId }: ToolSpanCall): void {
  span.setAttributes(
    definedOf({
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": callId,
      "gen_ai.tool.description": description,
      "tracon.run.id": runId,
      "tracon.tenant.id": tenantId,
    }),
  );
}

const cut = (text: string): string =>
  text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;

/** The kind only: what a tool threw may hold secrets. */
function fail(span: Span, kind: string): void {
  span.setAttribute("error.type", kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
