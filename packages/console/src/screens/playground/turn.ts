/** One question and its answer, folded from the frames of a run's stream. */

import type { ApprovalRequest, Problem, RunFrame, RunResult, RunUpdate } from "@tracon/core";

export type ToolPart = {
  readonly kind: "tool";
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: string | undefined;
  /** `waiting`: the run ended to let a person decide whether it is run. */
  readonly outcome: "open" | "answered" | "failed" | "waiting";
  /** The result, or what the model read instead. */
  readonly result: string | undefined;
};

export type Part =
  | { readonly kind: "text" | "reasoning"; readonly text: string }
  | ToolPart
  /** The loop went on: what follows is the next iteration. */
  | { readonly kind: "iteration"; readonly number: number };

export type Turn = {
  /** What was asked, or how a call was decided. */
  readonly message: string;
  readonly kind: "question" | "decision";
  /** `stopped` by the person; `failed` carries why. */
  readonly state: "running" | "completed" | "failed" | "stopped";
  readonly runId: string | undefined;
  readonly iteration: number;
  readonly parts: readonly Part[];
  /** Calls that wait for a decision since the run ended. */
  readonly approvals: readonly ApprovalRequest[];
  readonly result: RunResult | undefined;
  readonly problem: Problem | undefined;
  /** Why there is no run, or no more of it. */
  readonly error: unknown;
};

export const newTurn = (message: string, kind: Turn["kind"] = "question"): Turn => ({
  message,
  kind,
  state: "running",
  runId: undefined,
  iteration: 1,
  parts: [],
  approvals: [],
  result: undefined,
  problem: undefined,
  error: undefined,
});

/** The turn after more frames. A turn that has ended takes no more. */
export const foldFrames = (turn: Turn, frames: readonly RunFrame[]): Turn =>
  frames.reduce(afterFrame, turn);

function afterFrame(turn: Turn, frame: RunFrame): Turn {
  if (turn.state !== "running") return turn;
  switch (frame.event) {
    case "run":
      return { ...turn, runId: frame.data.runId };
    case "update":
      return afterUpdate(turn, frame.data);
    case "approvals":
      return { ...turn, approvals: frame.data.approvals };
    case "done":
      return { ...closed(turn, "completed"), result: frame.data };
    case "error": {
      const isCanceled = frame.data.code === "canceled";
      return { ...closed(turn, isCanceled ? "stopped" : "failed"), problem: frame.data };
    }
    default:
      return turn;
  }
}

/**
 * The turn without open tools: what has not answered by now will not, unless it waits for a
 * decision.
 */
export function closed(turn: Turn, state: Exclude<Turn["state"], "running">): Turn {
  const parts = turn.parts.map(
    (part): Part =>
      part.kind === "tool" && part.outcome === "open" ? closedPart(part, turn) : part,
  );
  return { ...turn, state, parts };
}

function closedPart(part: ToolPart, { approvals }: Turn): ToolPart {
  if (approvals.some(({ callId }) => callId === part.callId))
    return { ...part, outcome: "waiting" };
  const result = part.result ?? "the run ended before the tool answered";
  return { ...part, outcome: "failed", result };
}

function afterUpdate(before: Turn, update: RunUpdate): Turn {
  const turn = atIteration(before, update.iteration);
  switch (update.kind) {
    case "text":
    case "reasoning":
      return { ...turn, parts: withText(turn.parts, update.kind, update.text) };
    case "toolCall":
      return {
        ...turn,
        parts: [
          ...turn.parts,
          {
            kind: "tool",
            callId: update.callId,
            toolName: update.toolName,
            arguments: update.arguments,
            outcome: "open",
            result: undefined,
          },
        ],
      };
    case "toolResult":
      return { ...turn, parts: withResult(turn.parts, update) };
  }
}

function atIteration(turn: Turn, iteration: number): Turn {
  if (iteration === turn.iteration) return turn;
  return { ...turn, iteration, parts: [...turn.parts, { kind: "iteration", number: iteration }] };
}

function withText(
  parts: readonly Part[],
  kind: "text" | "reasoning",
  text: string,
): readonly Part[] {
  const last = parts.at(-1);
  if (last?.kind !== kind) return [...parts, { kind, text }];
  return parts.with(-1, { kind, text: last.text + text });
}

type ToolResult = Extract<RunUpdate, { readonly kind: "toolResult" }>;

/** A call id may repeat, so a result belongs to the first call of that id that is still open. */
function withResult(
  parts: readonly Part[],
  { callId, result, error }: ToolResult,
): readonly Part[] {
  const index = parts.findIndex(
    (part) => part.kind === "tool" && part.callId === callId && part.outcome === "open",
  );
  const call = parts[index];
  if (call?.kind !== "tool") return parts;
  return parts.with(index, {
    ...call,
    outcome: error === undefined ? "answered" : "failed",
    result: error ?? result,
  });
}
