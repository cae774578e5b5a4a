/**
 * The state of a run as a fold over its events: usage, cost, output, the row, the result.
 * Nothing of it is written from anywhere else.
 */

import {
  type ApprovalRequest,
  addUsage,
  type ClientToolCall,
  type RunCost,
  type RunEventDraft,
  type RunEventPayload,
  type RunRecord,
  type RunResult,
  type RunRowChange,
  type RunStatus,
  type RunTally,
  type RunUsage,
} from "@tracon/core";
import { CostFold, type PriceOf } from "./cost-fold.ts";
import { CriterionTallies } from "./criterion-tallies.ts";
import { judgeCallOf } from "./judge-call-of.ts";
import { ToolTallies } from "./tool-tallies.ts";

export type RunFoldOptions = {
  /** The price the configuration lists for a model. */
  readonly priceOf: PriceOf;
  /** The agent answers in JSON, so the result also holds the parsed answer. */
  readonly hasJsonOutput: boolean;
};

type EventOf<Type extends RunEventDraft["type"]> = Extract<RunEventDraft, { type: Type }>;

export class RunFold {
  readonly #opened: RunRecord;
  readonly #options: RunFoldOptions;
  readonly #costs: CostFold;
  readonly #tools = new ToolTallies();
  readonly #criteria = new CriterionTallies();
  #status: RunStatus = "Running";
  #usage: RunUsage | undefined;
  #cost: RunCost | undefined;
  #output = "";
  #iterations: number | undefined;
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
    this.#costs = new CostFold(options.priceOf);
  }

  /** Takes one event; answers with it as it is recorded: a call of a model has its cost. */
  apply(event: RunEventDraft, timestamp: string): RunEventDraft {
    switch (event.type) {
      case "MessageCompleted":
        return this.#answered(event, timestamp);
      case "Custom":
        return this.#tallied(this.#judged(event, timestamp));
      case "ToolInvoking":
      case "ToolInvoked":
      case "ToolFailed":
        this.#tools.add(event, timestamp);
        return event;
      case "LoopIterationCompleted":
        this.#criteria.add(event);
        return event;
      case "RunCompleted":
        this.#clientToolCalls = event.payload.clientToolCalls;
        this.#sessionId = event.payload.sessionId ?? this.#sessionId;
        this.#end("Completed", timestamp);
        return event;
      case "RunCanceled":
        this.#end("Canceled", timestamp);
        return event;
      case "RunAwaitingInput":
        this.#approvals = event.payload.approvals;
        this.#sessionId = event.payload.sessionId ?? this.#sessionId;
        this.#end(this.#approvals === undefined ? "AwaitingInput" : "AwaitingApproval", timestamp);
        return event;
      case "RunFailed":
        this.#error = event.payload.error;
        this.#end("Failed", timestamp);
        return event;
      default:
        return event;
    }
  }

  /** A loop invokes its agent: what was answered before is not the answer of the run. */
  beginIteration(iteration: number): void {
    this.#iterations = iteration;
    this.#output = "";
  }

  /** Some of an answer is there; deltas are told by this alone. */
  answering(step: number): void {
    this.#costs.begin(step);
  }

  /** Usage and cost as the terminal event carries them. */
  totals(): { readonly usage?: RunUsage; readonly cost: RunCost } {
    this.#cost ??= this.#costs.total();
    return { ...(this.#usage === undefined ? {} : { usage: this.#usage }), cost: this.#cost };
  }

  /** What the ended run adds to the statistics. */
  tally(eventCount: number): RunTally {
    return {
      record: { ...this.#opened, ...this.change(eventCount) },
      isUnpriced: this.#costs.isUnpriced,
      toolCalls: this.#tools.all(),
      criteria: this.#criteria.all(),
    };
  }

  #answered(event: EventOf<"MessageCompleted">, timestamp: string): RunEventDraft {
    const { payload } = event;
    this.#usage = addUsage(this.#usage, payload.usage);
    this.#output = event.text ?? "";
    this.#modelProvider = payload.modelProvider;
    this.#modelId = payload.modelId;
    const cost = this.#costs.add(payload, timestamp);
    return cost === undefined ? event : { ...event, payload: { ...payload, cost } };
  }

  /** The judge of a loop is paid by the run; who answered the run is the agent's own model all the same. */
  #tallied(event: RunEventDraft): RunEventDraft {
    this.#criteria.add(event);
    return event;
  }

  #judged(event: EventOf<"Custom">, timestamp: string): RunEventDraft {
    const call = judgeCallOf(event.payload);
    if (call === undefined) return event;
    const { provider, model, usage } = call;
    this.#usage = addUsage(this.#usage, usage);
    const cost = this.#costs.addCall({ provider, model, usage, cost: call.cost }, timestamp);
    if (cost === undefined) return event;
    return { ...event, payload: { ...event.payload, data: { ...call, cost } } };
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
        iterations: this.#iterations,
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

  /** Takes back the end of the run, and nothing before it. */
  reopen(): void {
    this.#status = "Running";
    this.#completedAt = undefined;
    this.#error = undefined;
    this.#approvals = undefined;
    this.#clientToolCalls = undefined;
    this.#sessionId = undefined;
  }

  #end(status: RunStatus, timestamp: string): void {
    this.#status = status;
    this.#completedAt = timestamp;
    this.totals();
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
