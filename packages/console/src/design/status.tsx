import type { RunStatus } from "@tracon/core";
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

export const statusTone = (status: RunStatus): Tone => looks[status].tone;
export const statusWord = (status: RunStatus): string => looks[status].word;

/** A status as an icon and a word; the word is always there. */
export function StatusMark({ status }: { readonly status: RunStatus }) {
  const { word, tone, icon: Icon } = looks[status];
  const spins = status === "Running";
  return (
    <span
      className={classNames("inline-flex items-center gap-1.5 whitespace-nowrap", toneText[tone])}
    >
      <Icon aria-hidden className={classNames("size-3.5 shrink-0", spins && "animate-turn")} />
      {word}
    </span>
  );
}
