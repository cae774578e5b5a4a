/**
 * The state of a run as a fold over its events: usage, cost, output, the row, the result.
 * Nothing of it is written from anywhere else.
 */

import {
  type ApprovalRequest,
  addUsage,
  type ClientToolCall,
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
  sumCosts,
  type ToolInvocation,
} from "@tracon/core";

/** Where a call stands until it has an outcome. */
type OpenCall = { readonly arguments: string | undefined; readonly createdAt: string };
type CallPlace = { readonly iteration: number; readonly step: number; readonly position: number };

const placeKey = ({ iteration, step, position }: CallPlace): string =>
  `${iteration}/${step}/${position}`;

export type RunFoldOptions = {
  /** The price the configuration lists for a model. */
  priceOf(provider: string, model: string): ModelPrice | undefined;
  /** The agent answers in JSON, so the result also holds the parsed answer. */
  readonly hasJsonOutput: boolean;
};

type ModelUsage = {
  /** Absent when the agent did not say which model answered. */
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly usage: RunUsage;
};

export class RunFold {
  readonly #opened: RunRecord;
  readonly #options: RunFoldOptions;
  /** Usage by the model that gave the answers, so that each has its own price. */
  readonly #usageByModel = new Map<string, ModelUsage>();
  readonly #openCalls = new Map<string, OpenCall>();
  #status: RunStatus = "Running";
  #usage: RunUsage | undefined;
  #cost: RunCost | undefined;
  #output = "";
  #modelProvider: string | undefined;
  #modelId: string | undefined;
  #error: RunEventPayload<"RunFailed">["error"] | undefined;
  #completedAt: string | undefined;
  #sessionId: string | undefined;
  #approvals: readonly ApprovalRequest[] | undefined;
  #clientToolCalls: readonly ClientToolCall[] | undefined;

  constructor(opened: RunRecord, options: RunFoldOptions) {
    this.#opened = opened;
    this.#options = options;
  }

  /** Takes one event; answers with the tool call that got its outcome by it. */
  apply(event: RunEventDraft, timestamp: string): ToolInvocation | undefined {
    switch (event.type) {
      case "MessageCompleted":
        this.#addUsage(event.payload);
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
        this.#clientToolCalls = event.payload.clientToolCalls;
        this.#sessionId = event.payload.sessionId ?? this.#sessionId;
        return this.#end("Completed", timestamp);
      case "RunCanceled":
        return this.#end("Canceled", timestamp);
      case "RunAwaitingInput":
        this.#approvals = event.payload.approvals;
        this.#sessionId = event.payload.sessionId ?? this.#sessionId;
        return this.#end(
          this.#approvals === undefined ? "AwaitingInput" : "AwaitingApproval",
          timestamp,
        );
      case "RunFailed":
        this.#error = event.payload.error;
        return this.#end("Failed", timestamp);
      default:
        return undefined;
    }
  }

  /** Usage and cost as the terminal event carries them. */
  totals(): { readonly usage?: RunUsage; readonly cost: RunCost } {
    this.#cost ??= this.#sumCosts();
    return { ...(this.#usage === undefined ? {} : { usage: this.#usage }), cost: this.#cost };
  }

  #addUsage({ modelProvider, modelId, usage }: RunEventPayload<"MessageCompleted">): void {
    if (usage === undefined) return;
    this.#usage = addUsage(this.#usage, usage);
    const key = `${modelProvider}\n${modelId}`;
    const sum = addUsage(this.#usageByModel.get(key)?.usage, usage) ?? usage;
    this.#usageByModel.set(key, { provider: modelProvider, model: modelId, usage: sum });
  }

  #sumCosts(): RunCost {
    const costs = [...this.#usageByModel.values()].map(({ provider, model, usage }) =>
      costOf(usage, this.#priceOf(provider, model)),
    );
    return sumCosts(costs);
  }

  #priceOf(provider: string | undefined, model: string | undefined): ModelPrice | undefined {
    if (provider === undefined || model === undefined) return undefined;
    return this.#options.priceOf(provider, model);
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
        sessionId: this.#sessionId,
        modelProvider: this.#modelProvider,
        modelId: this.#modelId,
        usage: this.#usage,
        cost: this.#cost,
        error: this.#error,
      }),
    };
  }

  result(): RunResult {
    const { id, agentName, agentVersion, sessionId = this.#sessionId } = this.#opened;
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
        approvals: this.#approvals && [...this.#approvals],
        clientToolCalls: this.#clientToolCalls && [...this.#clientToolCalls],
        outputJson: this.#outputJson(),
      }),
    };
  }

  #outputJson(): unknown {
    if (!this.#options.hasJsonOutput || this.#status !== "Completed") return undefined;
    try {
      return JSON.parse(this.#output);
    } catch {
      // Answers are checked only where the configuration says so; the text is there as it came.
      return undefined;
    }
  }

  #settle(
    payload: RunEventPayload<"ToolInvoked"> | RunEventPayload<"ToolFailed">,
    outcome: {
      readonly result?: string | undefined;
      readonly error?: string;
      readonly succeeded: boolean;
    },
    timestamp: string,
  ): ToolInvocation | undefined {
    const key = placeKey(payload);
    const open = this.#openCalls.get(key);
    this.#openCalls.delete(key);
    // Nothing was run: the call it repeats has its row already.
    if (payload.fromLedger === true) return undefined;
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

  /** Takes back the end of the run, and nothing before it. */
  reopen(): void {
    this.#status = "Running";
    this.#completedAt = undefined;
    this.#error = undefined;
    this.#approvals = undefined;
    this.#clientToolCalls = undefined;
    this.#sessionId = undefined;
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
