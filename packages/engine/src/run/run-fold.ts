/**
 * The state of a run as a fold over its events: usage, cost, output, the row, the result.
 * Nothing of it is written from anywhere else.
 */

import {
  addUsage,
  costOf,
  type ModelPrice,
  type RunCost,
  type RunEventDraft,
  type RunEventPayload,
  type RunRecord,
  type RunResult,
  type RunRowChange,
  type RunStatus,
  type RunUsage,
  type ToolInvocation,
} from "@tracon/core";

/** Where a call stands until it has an outcome. */
type OpenCall = { readonly arguments: string | undefined; readonly createdAt: string };
type CallPlace = { readonly iteration: number; readonly step: number; readonly position: number };

const placeKey = ({ iteration, step, position }: CallPlace): string =>
  `${iteration}/${step}/${position}`;

export class RunFold {
  readonly #opened: RunRecord;
  readonly #price: ModelPrice | undefined;
  readonly #openCalls = new Map<string, OpenCall>();
  #status: RunStatus = "Running";
  #usage: RunUsage | undefined;
  #cost: RunCost | undefined;
  #output = "";
  #modelProvider: string | undefined;
  #modelId: string | undefined;
  #error: RunEventPayload<"RunFailed">["error"] | undefined;
  #completedAt: string | undefined;

  constructor(opened: RunRecord, price: ModelPrice | undefined) {
    this.#opened = opened;
    this.#price = price;
  }

  /** Takes one event; answers with the tool call that got its outcome by it. */
  apply(event: RunEventDraft, timestamp: string): ToolInvocation | undefined {
    switch (event.type) {
      case "MessageCompleted":
        this.#usage = addUsage(this.#usage, event.payload.usage);
        this.#output = event.text ?? "";
        this.#modelProvider = event.payload.modelProvider;
        this.#modelId = event.payload.modelId;
        return undefined;
      case "ToolInvoking":
        this.#openCalls.set(placeKey(event.payload), {
          arguments: event.payload.arguments,
          createdAt: timestamp,
        });
        return undefined;
      case "ToolInvoked":
        return this.#settle(
          event.payload,
          { result: event.payload.result, succeeded: true },
          timestamp,
        );
      case "ToolFailed":
        return this.#settle(
          event.payload,
          { error: event.payload.error, succeeded: false },
          timestamp,
        );
      case "RunCompleted":
        return this.#end("Completed", timestamp);
      case "RunCanceled":
        return this.#end("Canceled", timestamp);
      case "RunAwaitingInput":
        return this.#end("AwaitingInput", timestamp);
      case "RunFailed":
        this.#error = event.payload.error;
        return this.#end("Failed", timestamp);
      default:
        return undefined;
    }
  }

  /** Usage and cost as the terminal event carries them. */
  totals(): { readonly usage?: RunUsage; readonly cost: RunCost } {
    this.#cost ??= costOf(this.#usage, this.#price);
    return { ...(this.#usage === undefined ? {} : { usage: this.#usage }), cost: this.#cost };
  }

  get hasEnded(): boolean {
    return this.#status !== "Running";
  }

  /** What of the row has changed since the start. */
  change(eventCount: number): RunRowChange {
    return {
      status: this.#status,
      eventCount,
      ...definedOf({
        completedAt: this.#completedAt,
        modelProvider: this.#modelProvider,
        modelId: this.#modelId,
        usage: this.#usage,
        cost: this.#cost,
        error: this.#error,
      }),
    };
  }

  result(): RunResult {
    const { id, agentName, agentVersion, sessionId } = this.#opened;
    return {
      runId: id,
      status: this.#status,
      output: this.#output,
      agentName,
      ...definedOf({
        agentVersion,
        sessionId,
        modelProvider: this.#modelProvider,
        modelId: this.#modelId,
        usage: this.#usage,
        cost: this.#cost,
        error: this.#error,
      }),
    };
  }

  #settle(
    payload: RunEventPayload<"ToolInvoked"> | RunEventPayload<"ToolFailed">,
    outcome: {
      readonly result?: string | undefined;
      readonly error?: string;
      readonly succeeded: boolean;
    },
    timestamp: string,
  ): ToolInvocation {
    const key = placeKey(payload);
    const open = this.#openCalls.get(key);
    this.#openCalls.delete(key);
    const { iteration, step, position, toolName, callId, durationMs } = payload;
    return {
      runId: this.#opened.id,
      iteration,
      step,
      position,
      toolCallId: callId,
      toolName,
      createdAt: open?.createdAt ?? timestamp,
      durationMs,
      succeeded: outcome.succeeded,
      ...definedOf({ arguments: open?.arguments, result: outcome.result, error: outcome.error }),
    };
  }

  #end(status: RunStatus, timestamp: string): undefined {
    this.#status = status;
    this.#completedAt = timestamp;
    this.totals();
    return undefined;
  }
}

/** The members that have a value. */
function definedOf<Members extends Readonly<Record<string, unknown>>>(
  members: Members,
): { [Key in keyof Members]?: Exclude<Members[Key], undefined> } {
  const defined: Record<string, unknown> = {};
  for (const key in members) if (members[key] !== undefined) defined[key] = members[key];
  return defined as { [Key in keyof Members]?: Exclude<Members[Key], undefined> };
}
