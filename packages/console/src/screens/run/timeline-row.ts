import type { RunStatus } from "@tracon/core";
import type { Tone } from "../../design/status.tsx";
import type { Chapter } from "./chapter.ts";

/** A line of the timeline: the run, an iteration, a chapter, or what is waited for. */
export type TimelineRow = {
  readonly key: string;
  /** Levels below the run's own row, which is 0. */
  readonly depth: number;
  readonly kind: "run" | "iteration" | "waiting" | Chapter["kind"];
  readonly title: string;
  /** Beside the title: the model that answered, why a tool failed. */
  readonly note: string | undefined;
  readonly startedMs: number;
  /** `undefined` while it goes on; equal to the start for a moment. */
  readonly endedMs: number | undefined;
  /** When the first part of an answer came. */
  readonly firstPartMs: number | undefined;
  readonly tone: Tone;
  readonly tokens: number | undefined;
  /** The run below that the row stands for. */
  readonly child?: { readonly runId: string; readonly status: RunStatus };
};
