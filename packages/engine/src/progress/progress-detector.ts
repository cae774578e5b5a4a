/**
 * Tells a run that gets nowhere from one that works or waits, by what is known of it and nothing else: no
 * clock, no chance, no model. It keeps the last steps and no more of them than it has to read.
 *
 * | fed with | is the same step again when | kind |
 * |---|---|---|
 * | a round of tool calls that act | the calls and what they came to are equal, in any order; rounds that only read are passed over, for they have changed nothing | `RepeatedCall` |
 * | a round of calls of tools registered as `read` | the same, with no act in between | `RepeatedCall` |
 * | a call of another agent | agent, message and answer are equal | `RepeatedCall`; `PingPong` with more than one agent |
 * | the draft of an iteration | its words are equal, and so is what was done for it | `UnchangedDraft` |
 * | the objection of a reviewer or judge | it has the same words | `RepeatedReview` |
 *
 * Steps that come again in turn, up to eight of them, count like one. Something is found when it has come
 * again {@link FOUND_AFTER} times.
 *
 * What is equal: arguments as canonical JSON, with phrases compared without case, white space and closing
 * punctuation and without members made up for the occasion; results without moments, durations and ids (see
 * `plain-text.ts`). A call that was never run, because its tool or its arguments were wrong, is equal to the
 * next one with the same complaint, whatever its arguments.
 *
 * What is no repeat: anything with another result, so polling that moves and work that gets on are never
 * found. An answer that says to wait (see `waiting.ts`), a call that sleeps, and a tool registered as `polling`
 * make a circle one that `waits`: it is found only after {@link WAIT_FOUND_AFTER} times, and nobody acts upon
 * it. A new act clears the count of child calls and a new child call that of acts, for either may have
 * changed what the other gives; a draft clears both, since it begins another piece of work.
 *
 * Its limits: the same thing in other words is another thing; a job that is dead and says that it runs is one
 * that runs; a tool that is polled, gives nothing until it is done and is not registered as `polling` looks
 * stuck; so does a reviewer who gets on in words that are always the same.
 */

import { type CalledTool, CallRound } from "./call-round.ts";
import { type Cycle, CycleCounter } from "./cycle-counter.ts";
import { DraftWork, type WorkStep } from "./draft-work.ts";
import { fingerprint, plainObjection, plainResult, plainWords } from "./plain-text.ts";

/** Repeats after which steps without progress are found: the third time the same. */
export const FOUND_AFTER = 2;
/** The same for steps that wait. */
export const WAIT_FOUND_AFTER = 9;

export type ProgressKind = "RepeatedCall" | "PingPong" | "UnchangedDraft" | "RepeatedReview";

/** What the names of a finding are; an iteration has none. */
export type ProgressSubject = "tools" | "agents" | "iteration" | "criteria";

/** Steps that came again and changed nothing. */
export type ProgressFinding = {
  readonly kind: ProgressKind;
  /** How often they came again; the first time is no repeat. */
  readonly repeats: number;
  /** How many steps come again together. */
  readonly period: number;
  /** They wait for something: no sign of a run that is lost. */
  readonly waits: boolean;
  /** Who or what repeats itself, each named once. */
  readonly names: readonly string[];
  readonly subject: ProgressSubject;
  /** The same whenever the same steps are found again. */
  readonly signature: string;
};

export type CalledChild = {
  readonly agentName: string;
  readonly message: string;
  /** What the caller read, whether the child answered or not. */
  readonly answer: string;
};

type Step = {
  readonly signature: string;
  readonly names: readonly string[];
  readonly waits: boolean;
};

const hasEqualSignature = (left: Step, right: Step): boolean => left.signature === right.signature;

/** A draft, by its words and by what was done for it. */
type Draft = { readonly words: string; readonly work: DraftWork; readonly waits: boolean };

const isSameDraft = (left: Draft, right: Draft): boolean =>
  left.words === right.words && left.work.isEqual(right.work);

export type DraftFacts = {
  /** The loop only goes on because something else still runs. */
  readonly waits?: boolean;
  /** The iteration was offered no tools. */
  readonly isForced?: boolean;
};

export class ProgressDetector {
  readonly #acts = new CycleCounter(CallRound.isEqual);
  readonly #reads = new CycleCounter(CallRound.isEqual);
  readonly #children = new CycleCounter<Step>(hasEqualSignature);
  readonly #drafts = new CycleCounter(isSameDraft);
  readonly #reviews = new CycleCounter<Step>(hasEqualSignature);
  readonly #hasDrafts: boolean;
  /** What was done since the last draft. */
  #work = new DraftWork();
  /** What was done for the draft before. */
  #lastWork = new DraftWork();

  /** Without drafts to come, what is done for one need not be remembered. */
  constructor(hasDrafts: boolean) {
    this.#hasDrafts = hasDrafts;
  }

  /** The calls of one model answer. */
  toolRound(calls: readonly CalledTool[]): ProgressFinding | undefined {
    const acts = calls.filter(({ effect }) => effect !== "read");
    const counted = acts.length === 0 ? calls : acts;
    if (counted.length === 0) return undefined;
    const round = new CallRound(counted);
    this.#noteWork(round);
    if (acts.length === 0) return findingOf("RepeatedCall", "tools", this.#reads.add(round));
    const cycle = this.#acts.add(round);
    this.#reads.reset();
    if (!this.#acts.isRepeating) this.#children.reset();
    return findingOf("RepeatedCall", "tools", cycle);
  }

  /** A call of another agent that has ended. */
  childCall({ agentName, message, answer }: CalledChild): ProgressFinding | undefined {
    const said = `${agentName}\n${plainWords(message)}\n${plainWords(plainResult(answer))}`;
    // What an agent says of waiting is its own word and no state of anything.
    const step = { signature: fingerprint(said), names: [agentName], waits: false };
    this.#noteWork(step);
    const cycle = this.#children.add(step);
    if (!this.#children.isRepeating) this.#resetCalls();
    const found = findingOf("RepeatedCall", "agents", cycle);
    return found === undefined || found.names.length === 1 ? found : { ...found, kind: "PingPong" };
  }

  /** The answer of an iteration. */
  draft(
    text: string,
    { waits = false, isForced = false }: DraftFacts = {},
  ): ProgressFinding | undefined {
    // An iteration that may only answer does what the one before it did.
    if (!isForced) this.#lastWork = this.#work;
    const draft = { words: fingerprint(plainWords(text)), work: this.#lastWork, waits };
    this.#work = new DraftWork();
    this.#resetCalls();
    this.#children.reset();
    const cycle = this.#drafts.add(draft);
    if (cycle === undefined) return undefined;
    const steps = cycle.steps.map(stepOf);
    return findingOf("UnchangedDraft", "iteration", { ...cycle, steps });
  }

  /** What a reviewer or judge objected, named by its criterion. */
  review(criterion: string, feedback: string): ProgressFinding | undefined {
    const signature = fingerprint(`${criterion}\n${plainObjection(feedback)}`);
    const step = { signature, names: [criterion], waits: false };
    return findingOf("RepeatedReview", "criteria", this.#reviews.add(step));
  }

  #noteWork(step: WorkStep): void {
    if (this.#hasDrafts) this.#work.add(step);
  }

  #resetCalls(): void {
    this.#acts.reset();
    this.#reads.reset();
  }
}

const stepOf = ({ words, work, waits }: Draft): Step => ({
  signature: fingerprint(`${work.signature}\n${words}`),
  names: [],
  waits,
});

function findingOf(
  kind: ProgressKind,
  subject: ProgressSubject,
  cycle: Cycle<Step> | undefined,
): ProgressFinding | undefined {
  if (cycle === undefined) return undefined;
  const { repeats, steps } = cycle;
  if (repeats < FOUND_AFTER) return undefined;
  const waits = steps.some((step) => step.waits);
  if (waits && repeats < WAIT_FOUND_AFTER) return undefined;
  const names = [...new Set(steps.flatMap((step) => step.names))];
  const signature = steps
    .map((step) => step.signature)
    .sort()
    .join(" ");
  return { kind, subject, repeats, period: steps.length, waits, names, signature };
}
