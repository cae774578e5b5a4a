import type { ApprovalStore } from "./approval-store.ts";
import type { AttachmentStore } from "./attachment-store.ts";
import type { DefinitionStore } from "./definition-store.ts";
import type { RunJournal } from "./run-journal.ts";
import type { RunStore } from "./run-store.ts";
import type { SessionStore } from "./session-store.ts";
import type { StatisticsStore } from "./statistics-store.ts";

/** The stores of one installation. Whoever opened them closes them, once nothing uses them. */
export type Stores = {
  readonly definitions: DefinitionStore;
  readonly runs: RunStore;
  readonly journal: RunJournal;
  readonly attachments: AttachmentStore;
  readonly sessions: SessionStore;
  readonly approvals: ApprovalStore;
  readonly statistics: StatisticsStore;
  /** What it is, for `/api/meta`: `sqlite`, `postgres` or `memory`. */
  readonly engine: "sqlite" | "postgres" | "memory";
  close(): Promise<void>;
};
