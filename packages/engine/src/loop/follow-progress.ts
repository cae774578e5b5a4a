/** Tells the watch of the run what an iteration came to, and says what it demands of the next one. */

import type { RunProgress } from "../progress/run-progress.ts";
import { agentReview } from "./criteria/agent-review.ts";
import { aiJudge } from "./criteria/ai-judge.ts";
import { backgroundTaskCompletion } from "./criteria/background-task-completion.ts";
import type { Continuation, Verdict } from "./evaluate-criteria.ts";

/** What the next iteration has besides its input. */
export type NextTurn = {
  /** Said to the model behind the input. */
  readonly note?: string;
  /** It is one call that is offered no tools. */
  readonly mustAnswer: boolean;
};

/** Criteria whose feedback a model wrote: only there the same words twice say something. */
const WRITTEN_BY_MODELS: ReadonlySet<string> = new Set([agentReview.kind, aiJudge.kind]);

export type EndedIteration = {
  readonly iteration: number;
  /** All its text. */
  readonly text: string;
  /** It was offered no tools. */
  readonly isForced: boolean;
};

/** Throws `no_progress`. */
export function followProgress(
  progress: RunProgress | undefined,
  { iteration, text, isForced }: EndedIteration,
  { by, continuation }: Extract<Verdict, { decision: "continue" }>,
): NextTurn {
  if (progress === undefined) return { mustAnswer: false };
  progress.draft(text, { iteration, isForced, waits: by === backgroundTaskCompletion.kind });
  const objection = objectionOf(continuation);
  if (WRITTEN_BY_MODELS.has(by) && objection !== "") progress.review(by, objection);
  const demand = progress.take();
  if (demand?.action === "Stop") throw demand.error;
  if (demand?.action === "Note") return { mustAnswer: false, note: demand.note };
  return { mustAnswer: demand?.action === "ForcedAnswer" };
}

const objectionOf = ({ feedback = "", messages = [] }: Continuation): string =>
  [feedback, ...messages].join("\n").trim();
