import type { RecordedInput } from "../run/message.ts";
import type { RunRecord } from "../run/run-record.ts";
import type { RunTally } from "../run/run-tally.ts";
import type { BudgetChange, BudgetRefusal } from "../run/tree-budget.ts";
import type { ApprovalClaim, StoredApproval } from "./approval-store.ts";
import type { SessionWrite } from "./session-store.ts";

/** The members of a run's row that change after its start. */
export type RunRowChange = Pick<RunRecord, "status" | "eventCount"> &
  Partial<
    Pick<
      RunRecord,
      "completedAt" | "sessionId" | "modelProvider" | "modelId" | "usage" | "cost" | "error"
    >
  >;

/** What one run adds to the journal with one commit. */
export type JournalEntry = {
  readonly tenantId: string;
  readonly runId: string;
  /** The run's row, with its first entry. `undefined` input was not to be recorded. */
  readonly opened?: { readonly record: RunRecord; readonly input?: RecordedInput };
  /**
   * Consecutive events in the form of JSON texts, each on a line of its own. Empty when the entry
   * has none.
   */
  readonly events?: {
    readonly firstSequence: number;
    readonly lastSequence: number;
    readonly lines: string;
  };
  /**
   * Approvals the run opens with its end, and decisions it takes with its start. A decision that is not
   * there to be taken refuses the whole entry, so a run never goes on with what another one took.
   */
  readonly approvals?: {
    readonly opened?: readonly StoredApproval[];
    readonly claimed?: readonly ApprovalClaim[];
  };
  /** The row after these events. */
  readonly changed?: RunRowChange;
  /** What the run appends to its session, with its last entry. */
  readonly session?: SessionWrite;
  /** What the run adds to the statistics, with the entry that ends it. */
  readonly tally?: RunTally;
  /**
   * What it changes of the budget of its tree. An entry that has nothing else may come after the
   * run's end: what was spent is booked whenever it is known.
   */
  readonly budget?: BudgetChange;
};

/** What a commit could not do without being refused as a whole. */
export type CommitOutcome = {
  /** Reservations there was no room for, also after those that had expired were taken back. */
  readonly refusals: readonly BudgetRefusal[];
};

/**
 * The only way a run is written.
 *
 * `commit` is atomic and durable (on disk) when it resolves; nothing of the batch is there when it
 * rejects. A run has at most one entry in a batch. A sequence that is already there, or a row change
 * of a run that has ended, makes it reject: a journal is never rewritten. A session that is no longer
 * what its write was based on makes it reject with `session_conflict`. A reservation without room is no
 * reason to reject: it is the only thing left out, and the outcome names it.
 */
export interface RunJournal {
  commit(batch: readonly JournalEntry[]): Promise<CommitOutcome>;
}
