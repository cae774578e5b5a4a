import { useQueryClient } from "@tanstack/react-query";
import { TraconApiError } from "@tracon/client";
import type { ApprovalDecisionRequest, PendingApproval } from "@tracon/core";
import { useState } from "react";
import { approvalQuery, approvalRulesQuery, pendingApprovalsQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";

/** Decisions sent at the same time when many are made at once. */
const PARALLEL = 4;

export type Decisions = {
  /** Decided from this page, newest first. */
  readonly decided: readonly PendingApproval[];
  readonly isDeciding: boolean;
  /** Answers how many did not go through. */
  readonly decide: (
    approvals: readonly PendingApproval[],
    decision: ApprovalDecisionRequest,
  ) => Promise<number>;
};

type Outcome = { readonly approval: PendingApproval; readonly error?: unknown };

/** Sends decisions, one or many, and says how they went. */
export function useDecisions(): Decisions {
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const [decided, setDecided] = useState<readonly PendingApproval[]>([]);
  const [isDeciding, setDeciding] = useState(false);

  const decideOne = async (
    approval: PendingApproval,
    decision: ApprovalDecisionRequest,
  ): Promise<Outcome> => {
    try {
      return { approval: await api.approvals.decide(approval.id, decision) };
    } catch (error) {
      return { approval, error };
    }
  };

  const decide: Decisions["decide"] = async (approvals, decision) => {
    setDeciding(true);
    const outcomes: Outcome[] = [];
    const waiting = [...approvals];
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        outcomes.push(await decideOne(next, decision));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    setDeciding(false);

    const done = outcomes.filter((it) => it.error === undefined).map((it) => it.approval);
    const gone = new Set(
      [...done, ...outcomes.filter(isTooLate).map((it) => it.approval)].map((it) => it.id),
    );
    // A look that is under way would bring back what has just gone.
    await queries.cancelQueries({ queryKey: pendingApprovalsQuery(api).queryKey });
    queries.setQueryData(
      pendingApprovalsQuery(api).queryKey,
      (before) => before && { ...before, items: before.items.filter(({ id }) => !gone.has(id)) },
    );
    for (const it of done) queries.setQueryData(approvalQuery(api, it.id).queryKey, it);
    setDecided((before) => [...done, ...before]);
    report(outcomes, decision, toasts.show);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["approvals", "one"] }),
      queries.invalidateQueries({ queryKey: pendingApprovalsQuery(api).queryKey }),
      decision.remember === true || decision.rememberArgumentsOnly === true
        ? queries.invalidateQueries({ queryKey: approvalRulesQuery(api).queryKey })
        : undefined,
    ]);
    return outcomes.length - done.length;
  };

  return { decided, isDeciding, decide };
}

/** Somebody was faster, or the time was up: it does not wait any more. */
const isTooLate = ({ error }: Outcome): boolean =>
  error instanceof TraconApiError && (error.status === 409 || error.status === 404);

function report(
  outcomes: readonly Outcome[],
  { approved }: ApprovalDecisionRequest,
  show: (tone: "good" | "failed", text: string) => void,
): void {
  const word = approved ? "Approved" : "Declined";
  const failed = outcomes.filter((it) => it.error !== undefined);
  const doneCount = outcomes.length - failed.length;
  if (doneCount > 0) show("good", `${word}: ${doneText(outcomes, doneCount)}`);
  const reasons = new Set(failed.map((it) => failureOf(it.error).detail));
  for (const reason of reasons) {
    const count = failed.filter((it) => failureOf(it.error).detail === reason).length;
    show(
      "failed",
      count === 1
        ? `Not ${word.toLowerCase()}: ${reason}`
        : `${count} not ${word.toLowerCase()}: ${reason}`,
    );
  }
}

function doneText(outcomes: readonly Outcome[], doneCount: number): string {
  if (outcomes.length === 1) return outcomes[0]?.approval.toolName ?? "";
  return doneCount === outcomes.length
    ? `${doneCount} calls`
    : `${doneCount} of ${outcomes.length} calls`;
}
