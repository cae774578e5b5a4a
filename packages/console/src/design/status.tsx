import type { ApprovalStatus, RunStatus } from "@tracon/core";
import {
  CircleCheck,
  CircleDashed,
  CircleSlash,
  CircleX,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";
import { classNames } from "./class-names.ts";

/** The status hues. Nothing but the state of a run or a call is drawn in them. */
export type Tone = "running" | "good" | "waiting" | "failed" | "idle";

export const toneText: Readonly<Record<Tone, string>> = {
  running: "text-running",
  good: "text-good",
  waiting: "text-waiting",
  failed: "text-failed",
  idle: "text-idle",
};

export const toneFill: Readonly<Record<Tone, string>> = {
  running: "bg-running",
  good: "bg-good",
  waiting: "bg-waiting",
  failed: "bg-failed",
  idle: "bg-idle",
};

type Look = { readonly word: string; readonly tone: Tone; readonly icon: LucideIcon };

const looks: Readonly<Record<RunStatus, Look>> = {
  Queued: { word: "Queued", tone: "waiting", icon: CircleDashed },
  Running: { word: "Running", tone: "running", icon: LoaderCircle },
  Completed: { word: "Completed", tone: "good", icon: CircleCheck },
  Failed: { word: "Failed", tone: "failed", icon: CircleX },
  Canceled: { word: "Canceled", tone: "idle", icon: CircleSlash },
  AwaitingApproval: { word: "Awaiting approval", tone: "waiting", icon: Hourglass },
  AwaitingInput: { word: "Awaiting input", tone: "waiting", icon: Hourglass },
};

/** Every status, in the order of core. */
export const statusNames = Object.keys(looks) as RunStatus[];

export const isRunStatus = (text: string): text is RunStatus => Object.hasOwn(looks, text);
export const statusTone = (status: RunStatus): Tone => looks[status].tone;
export const statusWord = (status: RunStatus): string => looks[status].word;

/** A state as an icon and a word; the word is always there. */
export const Mark = ({ word, tone, icon: Icon, spins = false }: Look & { spins?: boolean }) => (
  <span
    className={classNames("inline-flex items-center gap-1.5 whitespace-nowrap", toneText[tone])}
  >
    <Icon aria-hidden className={classNames("size-3.5 shrink-0", spins && "animate-turn")} />
    {word}
  </span>
);

/** The status of a run. */
export const StatusMark = ({ status }: { readonly status: RunStatus }) => (
  <Mark {...looks[status]} spins={status === "Running"} />
);

const approvalLooks: Readonly<Record<ApprovalStatus, Look>> = {
  Pending: { word: "Waiting", tone: "waiting", icon: Hourglass },
  Approved: { word: "Approved", tone: "good", icon: CircleCheck },
  Rejected: { word: "Declined", tone: "failed", icon: CircleX },
  Expired: { word: "Expired", tone: "idle", icon: CircleSlash },
};

/** The status of an approval. */
export const ApprovalMark = ({ status }: { readonly status: ApprovalStatus }) => (
  <Mark {...approvalLooks[status]} />
);
