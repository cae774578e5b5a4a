/**
 * A run's hold on the budget of its tree.
 *
 *     open ─▶ ahead ──call needs no more──▶ in use ─▶ settled ─▶ ahead, when the answer asks for tools
 *               └──call needs more──▶ settled with 0, reserved anew, waited for
 *
 * A reservation costs a commit, so the run asks one call ahead: for its first call with its opening
 * entry, for the next one while tools run, whose intent waits for the disk anyway. Only a call that
 * needs more than was foreseen waits for a commit of its own.
 */

import {
  type BudgetReservation,
  type BudgetSettlement,
  costOf,
  type KnownPrice,
  NANOS,
  type RunUsage,
} from "@tracon/core";
import { usageOf } from "../model/model-usage.ts";
import type {
  CallBudget,
  ModelCallOutcome,
  ModelCallReservation,
  ModelRequest,
} from "../model/ring.ts";
import { budgetExceeded, type ExceededLimit } from "./budget-exceeded.ts";
import {
  type CallEstimate,
  CallEstimates,
  type EstimatedCall,
  tokensOfLength,
} from "./call-estimate.ts";
import type { TreeSettings } from "./tree-settings.ts";

/** What became of a reservation. Without a store that answers, a run counts for itself. */
export type ReservationOutcome = "granted" | "unrecorded" | ExceededLimit;

/** Where reservations and settlements go: into the run's next entry. */
export type BudgetJournal = {
  /** Makes the run's first entry open the budget of a tree. */
  open(settings: TreeSettings): void;
  reserve(
    reservation: BudgetReservation,
    isWaitedFor: boolean,
  ): Promise<ReservationOutcome> | ReservationOutcome;
  /** Somebody waits for what was reserved before. */
  hurry(): void;
  settle(settlement: BudgetSettlement): void;
};

/** A tree of runs, as each of its runs knows it. */
export type RunTree = {
  readonly rootRunId: string;
  /** Of this run; the root's is 0. */
  readonly depth: number;
  /** When the root started, in milliseconds since the epoch. */
  readonly startedAtMs: number;
};

export type RunBudgetOptions = {
  readonly runId: string;
  readonly tree: RunTree;
  readonly settings: TreeSettings;
  readonly journal: BudgetJournal;
  readonly priceOf: (provider: string, model: string) => KnownPrice | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/** How long a reservation is kept for a run that says nothing more: longer than any model call. */
export const RESERVATION_LIFETIME_MS = 15 * 60_000;
/** What a tool result or a context provider may add to the next prompt before it is known. */
const ROOM_FOR_MORE_TOKENS = 2_000;

type Names = { readonly provider: string; readonly modelId: string };
type Amount = { readonly tokens: number; readonly costNanos: number };
type Held = Amount & {
  readonly id: string;
  readonly isRoots: boolean;
  readonly expiresAtMs: number;
  outcome: Promise<ReservationOutcome> | ReservationOutcome;
  isBooked: boolean;
};

export class RunBudget implements CallBudget {
  readonly #options: RunBudgetOptions;
  readonly #reservesCalls: boolean;
  readonly #estimates = new CallEstimates();
  #ahead: Held | undefined;
  #count = 0;
  /** Calls that wait for theirs. */
  readonly #awaited = new Set<Held>();
  /** The reservation that stands in the budget itself. */
  #inBudget: string | undefined;
  #isClosed = false;
  /** What this run spent, for when the store does not answer. */
  #spent: Amount = { tokens: 0, costNanos: 0 };

  constructor(options: RunBudgetOptions) {
    this.#options = options;
    const { maxTokens, maxCostNanos } = options.settings.limits;
    this.#reservesCalls = maxTokens !== undefined || maxCostNanos !== undefined;
  }

  /** This budget for model calls, or nothing when no limit concerns them. */
  get forCalls(): CallBudget | undefined {
    const { maxDurationMs } = this.#options.settings;
    return this.#reservesCalls || maxDurationMs !== undefined ? this : undefined;
  }

  /** Opens the tree's budget when the run is its root. */
  open(): void {
    const { journal, settings, tree } = this.#options;
    if (tree.depth === 0 && Object.keys(settings.limits).length > 0) journal.open(settings);
  }

  /** Sets aside what the run will begin with, as far as that is known. */
  expect(firstCall: (EstimatedCall & { readonly bound: Names }) | undefined): void {
    if (!this.#reservesCalls || firstCall === undefined) return;
    this.#reserveAhead(firstCall.bound, this.#estimates.of(firstCall));
  }

  async reserve({ bound, options }: ModelRequest): Promise<ModelCallReservation> {
    this.#refuseLate();
    if (!this.#reservesCalls) return UNCOUNTED;
    const estimate = this.#estimates.of(options);
    const { asked, maxOutputTokens } = this.#withinTree(bound, estimate);
    const held = await this.#take(asked);
    return {
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      settle: (outcome) => this.#settle(held, { bound, estimate, outcome }),
    };
  }

  /** Counts tool calls before they run. Throws `budget_exceeded` when the tree has none left. */
  async reserveToolCalls(count: number): Promise<void> {
    if (this.#options.settings.limits.maxToolCalls === undefined) return;
    await this.#countNow({ toolCalls: count, childRuns: 0 });
  }

  /**
   * Counts a child run before it starts, and answers with its place in the tree. Throws
   * `budget_exceeded`, with a message a model can read, when it must not start.
   */
  async reserveChildRun(): Promise<RunTree> {
    const { settings, tree } = this.#options;
    if (tree.depth >= settings.maxDepth) throw budgetExceeded("depth", settings);
    this.#refuseLate();
    if (settings.limits.maxChildRuns !== undefined) {
      await this.#countNow({ toolCalls: 0, childRuns: 1 });
    }
    return { ...tree, depth: tree.depth + 1 };
  }

  /** Gives back what was set aside for calls that do not come: the run is over. */
  close(): void {
    this.#isClosed = true;
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead !== undefined) this.#release(ahead);
    for (const held of this.#awaited) this.#release(held);
  }

  /** A call that even an empty tree has no room for gets all of it, and an output limit that fits. */
  #withinTree(bound: Names, { promptTokens, outputTokens }: CallEstimate) {
    const { settings } = this.#options;
    const { maxTokens } = settings.limits;
    if (maxTokens === undefined || promptTokens + outputTokens <= maxTokens) {
      return {
        asked: this.#amountOf(bound, promptTokens, outputTokens),
        maxOutputTokens: undefined,
      };
    }
    const maxOutputTokens = maxTokens - promptTokens;
    if (maxOutputTokens <= 0) throw budgetExceeded("tokens", settings);
    return { asked: this.#amountOf(bound, promptTokens, maxOutputTokens), maxOutputTokens };
  }

  #amountOf(bound: Names, inputTokens: number, outputTokens: number): Amount {
    return {
      tokens: inputTokens + outputTokens,
      costNanos: this.#costNanos(bound, { inputTokens, outputTokens }),
    };
  }

  /** Without a price in the tree's currency the limit on tokens stands in for the one on cost. */
  #costNanos({ provider, modelId }: Names, usage: RunUsage): number {
    const { settings, priceOf } = this.#options;
    const known = priceOf(provider, modelId);
    if (known === undefined || known.price.currency !== settings.currency) return 0;
    return Math.ceil((costOf(usage, known).totalCost ?? 0) * NANOS);
  }

  async #take(asked: Amount): Promise<Held> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead !== undefined) {
      const { journal, now } = this.#options;
      const isEnough =
        ahead.tokens >= asked.tokens &&
        ahead.costNanos >= asked.costNanos &&
        ahead.expiresAtMs > now();
      if (isEnough && typeof ahead.outcome !== "string") journal.hurry();
      if (isEnough && (await this.#outcomeOf(ahead)) === "granted") return ahead;
      this.#release(ahead);
    }
    const held = this.#request(asked, true);
    const outcome = await this.#outcomeOf(held);
    if (outcome === "granted") return held;
    if (this.#inBudget === held.id) this.#inBudget = undefined;
    if (outcome !== "unrecorded") throw budgetExceeded(outcome, this.#options.settings);
    this.#refuseBeyondOwn(asked);
    return held;
  }

  async #outcomeOf(held: Held): Promise<ReservationOutcome> {
    this.#awaited.add(held);
    const outcome = await held.outcome;
    this.#awaited.delete(held);
    if (this.#isClosed) throw new TypeError("the run a model call belongs to has ended");
    return outcome;
  }

  #request({ tokens, costNanos }: Amount, isWaitedFor: boolean): Held {
    const { journal, now, runId, tree } = this.#options;
    const id = `${runId}/${this.#count++}`;
    const expiresAtMs = now() + RESERVATION_LIFETIME_MS;
    const expiresAt = new Date(expiresAtMs).toISOString();
    // The budget itself has one place, for one call of the root at a time.
    const isRoots = tree.depth === 0 && this.#inBudget === undefined;
    if (isRoots) this.#inBudget = id;
    const reservation = { id, tokens, costNanos, childRuns: 0, toolCalls: 0, expiresAt, isRoots };
    const outcome = journal.reserve(reservation, isWaitedFor);
    return { id, isRoots, tokens, costNanos, expiresAtMs, outcome, isBooked: false };
  }

  #reserveAhead(bound: Names, { promptTokens, outputTokens }: CallEstimate): void {
    const input = promptTokens + ROOM_FOR_MORE_TOKENS;
    const { maxTokens } = this.#options.settings.limits;
    if (maxTokens !== undefined && input + outputTokens > maxTokens) return;
    const held = this.#request(this.#amountOf(bound, input, outputTokens), false);
    this.#ahead = held;
    // Known by the time it is needed, so that the call need not wait for a promise either.
    if (typeof held.outcome !== "string") void held.outcome.then((it) => (held.outcome = it));
  }

  #release(held: Held): void {
    this.#book(held, { tokens: 0, estimatedTokens: 0, costNanos: 0 });
  }

  #book(
    held: Held,
    spent: Pick<BudgetSettlement, "tokens" | "estimatedTokens" | "costNanos">,
  ): void {
    const { id, isRoots, isBooked } = held;
    if (isBooked) return;
    held.isBooked = true;
    if (this.#inBudget === id) this.#inBudget = undefined;
    this.#options.journal.settle({ reservationId: id, isRoots, ...spent });
  }

  #settle(
    held: Held,
    call: {
      readonly bound: Names;
      readonly estimate: CallEstimate;
      readonly outcome: ModelCallOutcome;
    },
  ): void {
    const { bound, estimate, outcome } = call;
    const spent = spentBy(outcome, estimate);
    const costNanos = this.#costNanos(bound, spent.usage);
    this.#spent = {
      tokens: this.#spent.tokens + spent.tokens,
      costNanos: this.#spent.costNanos + costNanos,
    };
    const { tokens, estimatedTokens } = spent;
    this.#book(held, { tokens, estimatedTokens, costNanos });
    if (!outcome.asksForTools || this.#isClosed || this.#ahead !== undefined) return;
    const promptTokens =
      Math.max(estimate.promptTokens, spent.usage.inputTokens) + spent.usage.outputTokens;
    this.#reserveAhead(bound, { promptTokens, outputTokens: estimate.outputTokens });
  }

  async #countNow(counts: Pick<BudgetReservation, "toolCalls" | "childRuns">): Promise<void> {
    const { journal, now, runId, settings } = this.#options;
    const id = `${runId}/${this.#count++}`;
    const expiresAt = new Date(now()).toISOString();
    const outcome = await journal.reserve(
      { id, tokens: 0, costNanos: 0, ...counts, expiresAt },
      true,
    );
    if (outcome !== "granted" && outcome !== "unrecorded") throw budgetExceeded(outcome, settings);
  }

  #refuseLate(): void {
    const { now, settings, tree } = this.#options;
    const { maxDurationMs } = settings;
    if (maxDurationMs === undefined || now() - tree.startedAtMs < maxDurationMs) return;
    throw budgetExceeded("duration", settings);
  }

  /** A store that does not answer never stops a run, but the run still keeps its tree's limits alone. */
  #refuseBeyondOwn({ tokens, costNanos }: Amount): void {
    const { settings } = this.#options;
    const { maxTokens = Infinity, maxCostNanos = Infinity } = settings.limits;
    if (this.#spent.tokens + tokens > maxTokens) throw budgetExceeded("tokens", settings);
    if (this.#spent.costNanos + costNanos > maxCostNanos) throw budgetExceeded("cost", settings);
  }
}

const UNCOUNTED: ModelCallReservation = { settle: () => undefined };

/** What a call came to: as measured, or else as estimated from what was sent and received. */
function spentBy(outcome: ModelCallOutcome, { promptTokens }: CallEstimate) {
  if (outcome.fromCache) return NOTHING_SPENT;
  const measured = usageOf(outcome.usage);
  if (measured === undefined && outcome.isUnanswered) return NOTHING_SPENT;
  const inputTokens = measured?.inputTokens ?? promptTokens;
  const outputTokens = measured?.outputTokens ?? tokensOfLength(outcome.outputLength());
  const estimatedInput = measured?.inputTokens === undefined ? inputTokens : 0;
  const estimatedOutput = measured?.outputTokens === undefined ? outputTokens : 0;
  return {
    usage: { ...measured, inputTokens, outputTokens },
    tokens: inputTokens + outputTokens,
    estimatedTokens: estimatedInput + estimatedOutput,
  };
}

const NOTHING_SPENT = {
  usage: { inputTokens: 0, outputTokens: 0 },
  tokens: 0,
  estimatedTokens: 0,
} as const;
