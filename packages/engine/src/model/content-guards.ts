/**
 * All content guards of an installation as one: every guard sees the text as it is, the strictest
 * decision wins, and what happened is said by guard and rule, never by the text.
 */

import { faultText, type Log, type RunEventDraft, TraconError } from "@tracon/core";
import { untilAborted } from "../tools/until-aborted.ts";
import type { BlockedBy } from "./call-marks.ts";
import type { ContentGuard, ContentSource, GuardDecision, MaskSpan } from "./content-guard.ts";

/** What the record shows of a text that was blocked. */
export const BLOCKED_TEXT = "[content_blocked]";
const DEFAULT_REPLACEMENT = "[redacted]";

/** The run a text belongs to. */
export type GuardedRun = {
  readonly tenantId: string;
  readonly signal: AbortSignal;
  readonly log: Log;
};

/** What became of a text; `events` are for the run's journal. */
export type Inspection = {
  /** The text as it may go on; of a blocked one nothing is left. */
  readonly text: string;
  readonly blockedBy?: BlockedBy;
  readonly events: readonly RunEventDraft[];
};

export type ContentGuards = {
  /** Rejects only with the signal's reason. */
  inspect(text: string, source: ContentSource, run: GuardedRun): Promise<Inspection>;
  /** Parts of a conversation that were inspected when they came; they are not asked about again. */
  readonly inspected: WeakSet<object>;
};

type Verdict = { readonly guard: string; readonly decision: GuardDecision };
type Masking = Extract<GuardDecision, { decision: "Mask" }>;

/** `undefined` when no guard is registered, so that nothing is asked. */
export function createContentGuards(
  guards: Readonly<Record<string, ContentGuard>>,
): ContentGuards | undefined {
  const registered = Object.entries(guards);
  if (registered.length === 0) return undefined;
  return {
    inspected: new WeakSet(),
    async inspect(text, source, run) {
      if (text === "") return { text, events: [] };
      const asked = registered.map(([name, guard]) => ask(name, guard, { text, source }, run));
      const verdicts = await untilAborted(run.signal, Promise.all(asked));
      return decide(text, verdicts);
    },
  };
}

async function ask(
  name: string,
  guard: ContentGuard,
  content: { readonly text: string; readonly source: ContentSource },
  { tenantId, signal, log }: GuardedRun,
): Promise<Verdict> {
  try {
    const decision = await guard.inspect({ ...content, tenantId, signal });
    if (isDecision(decision, content.text.length)) return { guard: name, decision };
    log.warn("a content guard gave no decision", { guard: name });
  } catch (error) {
    if (!signal.aborted)
      log.warn("a content guard failed", { guard: name, error: faultText(error) });
  }
  return { guard: name, decision: { decision: "Block", rule: "guard_failed" } };
}

function isDecision(value: unknown, length: number): value is GuardDecision {
  if (value === null || typeof value !== "object") return false;
  const { decision, rule, spans, replacement } = value as Partial<Record<string, unknown>>;
  if (decision === "Allow") return true;
  if (typeof rule !== "string") return false;
  if (decision === "Block") return true;
  if (decision !== "Mask") return false;
  return Array.isArray(spans)
    ? spans.every((span) => isSpan(span, length))
    : typeof replacement === "string";
}

function isSpan(value: unknown, length: number): value is MaskSpan {
  if (value === null || typeof value !== "object") return false;
  const { start, end, replacement } = value as Partial<Record<string, unknown>>;
  return (
    Number.isInteger(start) &&
    Number.isInteger(end) &&
    0 <= (start as number) &&
    (start as number) <= (end as number) &&
    (end as number) <= length &&
    (replacement === undefined || typeof replacement === "string")
  );
}

function decide(text: string, verdicts: readonly Verdict[]): Inspection {
  const maskings: Masking[] = [];
  const events: RunEventDraft[] = [];
  for (const { guard, decision } of verdicts) {
    if (decision.decision === "Allow") continue;
    const { rule } = decision;
    if (decision.decision === "Block") {
      const blockedBy = { guard, rule };
      const event: RunEventDraft = { type: "ContentBlocked", payload: blockedBy };
      return { text: "", blockedBy, events: [event] };
    }
    maskings.push(decision);
    events.push({ type: "ContentMasked", payload: { guard, rule } });
  }
  return { text: maskings.length === 0 ? text : masked(text, maskings), events };
}

function masked(text: string, maskings: readonly Masking[]): string {
  const spans: MaskSpan[] = [];
  for (const masking of maskings) {
    if ("spans" in masking) spans.push(...masking.spans);
    // Two texts that each replace the whole can't be joined: neither masks what the other does.
    else if (maskings.length > 1) return DEFAULT_REPLACEMENT;
    else return masking.replacement;
  }
  let result = "";
  let position = 0;
  for (const { start, end, replacement = DEFAULT_REPLACEMENT } of spans.sort(byStart)) {
    if (start >= position) result += text.slice(position, start) + replacement;
    position = Math.max(position, end);
  }
  return result + text.slice(position);
}

const byStart = (left: MaskSpan, right: MaskSpan): number => left.start - right.start;

/** What a run that was blocked fails with. */
export const contentBlocked = ({ guard, rule }: BlockedBy): TraconError =>
  new TraconError(
    "content_blocked",
    `content guard '${guard}' blocked the content (rule '${rule}')`,
  );
