/**
 * The spans of a run as a fold over its journal: there for every run, sampled or not, whoever ran it and
 * whether or not the installation has OpenTelemetry. Spans have the names and attributes they have there;
 * their ids are made of the run's id and their place in it, so that they are the same with every read.
 */

import {
  contentHash,
  type RunEvent,
  type RunEventPayload,
  type RunRecord,
  type StoredEvent,
  type TraceSpan,
} from "@tracon/core";
import { judgeCallOf } from "./judge-call-of.ts";
import { recordedOf } from "./recorded-event.ts";

const SPAN_ID_LENGTH = 16;
const TOOL_PLACE = "tool/";

type Place = { readonly iteration: number; readonly step: number; readonly position?: number };
type Attributes = Readonly<Record<string, unknown>>;
type SpanDraft = Pick<TraceSpan, "name" | "kind" | "startedAt" | "status"> & {
  /** Unique in the run. */
  readonly place: string;
  /** The span of the run by default. */
  readonly parentId?: string | undefined;
  readonly endedAt?: string;
  readonly attributes: Attributes;
};
type ModelName = { readonly provider: string | undefined; readonly model: string | undefined };

/** Types of errors that a model call ends a run with. */
const MODEL_FAULTS: ReadonlySet<string> = new Set([
  "provider_error",
  "provider_unavailable",
  "rate_limited",
  "content_filtered",
  "timeout",
]);
const BROKEN_ANSWERS: ReadonlySet<string> = new Set(["error", "interrupted"]);

/** The id of a span by its place in a run. */
export const spanIdOf = (runId: string, place: string): string =>
  contentHash([runId, place]).slice(0, SPAN_ID_LENGTH);

export type TraceFoldOptions = {
  /** The run's own span as far as it is known, and what it is part of. */
  readonly span: Pick<TraceSpan, "id" | "parentId"> & Partial<Pick<TraceSpan, "attributes">>;
  /** Spans there is room for, the run's own not counted. */
  readonly room: number;
};

export class TraceFold {
  readonly #tenantId: string;
  readonly #record: RunRecord;
  readonly #span: TraceFoldOptions["span"];
  readonly #room: number;
  readonly #spans: TraceSpan[] = [];
  /** By place, where in `#spans` a call or a child run stands whose end is not there yet. */
  readonly #open = new Map<string, number>();
  #omitted = 0;
  #traceId: string;
  /** When a model call can have begun: nothing else has been going on since. */
  #askingSince: string | undefined;
  #hasDeltas = false;
  /** Whom the agent asks first. */
  #first: ModelName;
  #model: ModelName;
  #failedCalls = 0;
  #judgeCalls = 0;

  constructor(tenantId: string, record: RunRecord, { span, room }: TraceFoldOptions) {
    this.#tenantId = tenantId;
    this.#record = record;
    this.#span = span;
    this.#room = room;
    this.#traceId = (record.rootRunId ?? record.id).replaceAll("-", "");
    this.#first = { provider: record.modelProvider, model: record.modelId };
    this.#model = this.#first;
  }

  /** Takes the next events of the run. */
  add(events: readonly StoredEvent[]): void {
    for (const stored of events) {
      const { type, json } = recordedOf(stored);
      // Deltas make up most of a journal: that there are some is all that counts.
      if (type === "MessageDelta" || type === "ReasoningDelta") this.#hasDeltas = true;
      else this.#apply(JSON.parse(json) as RunEvent);
    }
  }

  get traceId(): string {
    return this.#traceId;
  }

  /** What the run did, without the span of the run itself; in the order in which it was recorded. */
  get spans(): readonly TraceSpan[] {
    return this.#spans;
  }

  /** Spans there was no room for. */
  get omitted(): number {
    return this.#omitted;
  }

  /** The run itself. */
  runSpan(): TraceSpan {
    const { startedAt, completedAt, error, status } = this.#record;
    const { id, parentId, attributes } = this.#span;
    const ended = status === "Completed" ? "Ok" : "Unset";
    return {
      id,
      ...(parentId === undefined ? {} : { parentId }),
      spanId: id,
      name: "tracon.run",
      kind: "Internal",
      startedAt,
      ...(completedAt === undefined ? {} : { endedAt: completedAt }),
      status: error === undefined ? ended : "Error",
      attributes: { ...attributes, ...textsOf(runAttributes(this.#tenantId, this.#record)) },
    };
  }

  #apply(event: RunEvent): void {
    switch (event.type) {
      case "RunStarted":
        this.#traceId = event.payload.traceId ?? this.#traceId;
        this.#first = { provider: event.payload.modelProvider, model: event.payload.modelId };
        this.#model = this.#first;
        break;
      case "MessageCompleted":
        this.#answered(event);
        return;
      case "ModelFallbackUsed":
        this.#modelFailed(event, event.payload.primary, "fallback");
        this.#model = event.payload.fallback;
        break;
      case "ToolInvoking":
        this.#begin(event, toolDraft(event.payload));
        break;
      case "ToolInvoked":
      case "ToolFailed":
        this.#toolEnded(event);
        break;
      case "ChildRunStarted":
        if (event.payload.parentRunId !== this.#record.id) break;
        this.#begin(event, { ...childDraft(event.payload), parentId: this.#callingTool() });
        break;
      case "ChildRunCompleted":
        if (event.payload.parentRunId === this.#record.id) this.#childEnded(event);
        break;
      case "Custom":
        this.#judged(event);
        break;
      case "LoopIterationCompleted":
        // The next iteration begins with the agent's first model, whoever answered or judged this one.
        this.#model = this.#first;
        if (event.payload.failsRun !== true) break;
        // The fault is of a criterion, and no model of the agent was asked behind its answer.
        this.#askingSince = undefined;
        return;
      case "RunFailed":
        if (this.#hasDeltas || MODEL_FAULTS.has(event.payload.error.type)) {
          this.#modelFailed(event, this.#model, event.payload.error.type);
        }
        break;
      default:
        break;
    }
    this.#askingSince = event.timestamp;
  }

  /** An answer from the cache asked nobody. */
  #answered({ payload, timestamp }: Extract<RunEvent, { type: "MessageCompleted" }>): void {
    const { modelProvider: provider, modelId: model, finishReason, durationMs } = payload;
    if (payload.fromCache !== true) {
      this.#push({
        place: `chat/${placeOf(payload)}`,
        name: chatName(model),
        kind: "Client",
        startedAt: new Date(Date.parse(timestamp) - durationMs).toISOString(),
        endedAt: timestamp,
        status: BROKEN_ANSWERS.has(finishReason) ? "Error" : "Ok",
        attributes: {
          ...chatAttributes({ provider, model }),
          "gen_ai.response.finish_reasons": finishReason,
          "gen_ai.usage.input_tokens": payload.usage?.inputTokens,
          "gen_ai.usage.output_tokens": payload.usage?.outputTokens,
          "tracon.model.first_part_ms": payload.firstPartMs,
        },
      });
    }
    this.#hasDeltas = false;
    this.#model = { provider, model };
    // After an answer nobody is asked before tools have run or a repair is asked for.
    this.#askingSince = undefined;
  }

  /** A call of the loop's judge, in whichever model it really was. */
  #judged({ payload, timestamp }: Extract<RunEvent, { type: "Custom" }>): void {
    const call = judgeCallOf(payload);
    if (call === undefined) return;
    const { provider, model, durationMs, usage } = call;
    this.#push({
      place: `judge/${this.#judgeCalls++}`,
      name: chatName(model),
      kind: "Client",
      startedAt: new Date(Date.parse(timestamp) - durationMs).toISOString(),
      endedAt: timestamp,
      status: "Ok",
      attributes: {
        ...chatAttributes({ provider, model }),
        "tracon.loop.iteration": call.iteration,
        "gen_ai.usage.input_tokens": usage?.inputTokens,
        "gen_ai.usage.output_tokens": usage?.outputTokens,
      },
    });
  }

  /** A call that got no answer has no event of its own: it began when the last thing before it ended. */
  #modelFailed({ timestamp }: RunEvent, model: ModelName, error: string): void {
    if (this.#askingSince === undefined && !this.#hasDeltas) return;
    this.#push({
      place: `failed/${this.#failedCalls++}`,
      name: chatName(model.model),
      kind: "Client",
      startedAt: this.#askingSince ?? timestamp,
      endedAt: timestamp,
      status: "Error",
      attributes: { ...chatAttributes(model), "error.type": error },
    });
    this.#hasDeltas = false;
  }

  #toolEnded(event: Extract<RunEvent, { type: "ToolInvoked" | "ToolFailed" }>): void {
    const place = `${TOOL_PLACE}${placeOf(event.payload)}`;
    if (event.payload.fromLedger === true) {
      this.#forget(place);
      return;
    }
    const attributes = event.type === "ToolFailed" ? { "error.type": event.payload.kind } : {};
    const status = event.type === "ToolFailed" ? "Error" : "Ok";
    this.#end(place, event, { status, attributes });
  }

  #childEnded(event: Extract<RunEvent, { type: "ChildRunCompleted" }>): void {
    const { childRunId, status } = event.payload;
    const attributes = { "tracon.run.status": status };
    const ended = status === "Failed" ? "Error" : "Ok";
    this.#end(`child/${childRunId}`, event, { status: ended, attributes });
  }

  #begin({ timestamp }: RunEvent, draft: Omit<SpanDraft, "startedAt" | "status">): void {
    const index = this.#push({ ...draft, startedAt: timestamp, status: "Unset" });
    if (index !== undefined) this.#open.set(draft.place, index);
  }

  #end(
    place: string,
    { timestamp }: RunEvent,
    outcome: { readonly status: TraceSpan["status"]; readonly attributes: Attributes },
  ): void {
    const index = this.#open.get(place);
    const begun = index === undefined ? undefined : this.#spans[index];
    if (index === undefined || begun === undefined) return;
    this.#open.delete(place);
    const attributes = { ...begun.attributes, ...textsOf(outcome.attributes) };
    this.#spans[index] = { ...begun, endedAt: timestamp, status: outcome.status, attributes };
  }

  /** Nothing was run: an earlier attempt of the turn had the outcome. */
  #forget(place: string): void {
    const index = this.#open.get(place);
    if (index === undefined) return;
    this.#open.delete(place);
    this.#spans.splice(index, 1);
    for (const [other, at] of this.#open) if (at > index) this.#open.set(other, at - 1);
  }

  /** The tool call that a child run was begun by: the one that is open. Of several, none is known. */
  #callingTool(): string | undefined {
    const open = [...this.#open].filter(([place]) => place.startsWith(TOOL_PLACE));
    const [index] = open.length === 1 ? open.map(([, at]) => at) : [];
    return index === undefined ? undefined : this.#spans[index]?.id;
  }

  #push({ place, parentId = this.#span.id, attributes, ...span }: SpanDraft): number | undefined {
    if (this.#spans.length >= this.#room) {
      this.#omitted++;
      return undefined;
    }
    const id = spanIdOf(this.#record.id, place);
    const ids = { id, parentId, spanId: id };
    return this.#spans.push({ ...ids, ...span, attributes: textsOf(attributes) }) - 1;
  }
}

const placeOf = ({ iteration, step, position }: Place): string =>
  [iteration, step, ...(position === undefined ? [] : [position])].join("/");

const chatName = (model: string | undefined): string =>
  model === undefined ? "chat" : `chat ${model}`;

const chatAttributes = ({ provider, model }: ModelName): Attributes => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": provider,
  "gen_ai.request.model": model,
});

const toolDraft = (payload: RunEventPayload<"ToolInvoking">) => ({
  place: `${TOOL_PLACE}${placeOf(payload)}`,
  name: `execute_tool ${payload.toolName}`,
  kind: "Internal" as const,
  attributes: {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": payload.toolName,
    "gen_ai.tool.call.id": payload.callId,
  },
});

const childDraft = ({
  childRunId,
  agentName,
  agentVersion,
}: RunEventPayload<"ChildRunStarted">) => ({
  place: `child/${childRunId}`,
  name: "tracon.run",
  kind: "Internal" as const,
  attributes: {
    "tracon.run.id": childRunId,
    "tracon.agent.name": agentName,
    "tracon.agent.version": agentVersion,
  },
});

const runAttributes = (tenantId: string, record: RunRecord): Attributes => ({
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": record.agentName,
  "tracon.agent.name": record.agentName,
  "tracon.agent.version": record.agentVersion,
  "tracon.model.id": record.modelId,
  "tracon.run.id": record.id,
  "tracon.run.parent_id": record.parentRunId,
  "tracon.run.depth": record.depth,
  "tracon.run.status": record.status,
  "tracon.run.streaming": record.isStreaming,
  "tracon.session.id": record.sessionId,
  "tracon.tenant.id": tenantId,
  "gen_ai.usage.input_tokens": record.usage?.inputTokens,
  "gen_ai.usage.output_tokens": record.usage?.outputTokens,
  "error.type": record.error?.type,
});

/** Attributes that have a value, as texts. */
function textsOf(attributes: Attributes): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) texts[name] = String(value);
  }
  return texts;
}
