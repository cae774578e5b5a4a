import type { TraconApiError } from "@tracon/client";

/** A finding as the API answers them; codes may be newer than this console. */
export type EditorFinding = TraconApiError["findings"][number];
