import { type ErrorCode, TraconError } from "@tracon/core";
import { type Refusal, refusalMessages } from "./journal-rows.ts";

/** The database could not be reached, is busy or broken: nothing the caller did is at fault. */
export const unavailable = (message: string, cause: unknown): TraconError =>
  new TraconError("store_unavailable", message, { cause });

export const refused = (message: string, cause?: unknown): TraconError =>
  new TraconError("internal", message, { cause });

/** Answers every call that comes after `close`. */
export const closedError = (): TraconError =>
  new TraconError("store_unavailable", "the stores are closed");

const codeOfRefusal: Readonly<Record<Refusal, ErrorCode>> = {
  journal: "internal",
  session: "session_conflict",
  approval: "approval_conflict",
};

/** The error of a batch that was refused for a reason of ours. */
export const batchRefused = (refusal: Refusal, cause: unknown): TraconError =>
  new TraconError(codeOfRefusal[refusal], refusalMessages[refusal], { cause });

/** The same of a refusal that is only known by its message; `undefined` when it is none. */
export function refusalNamed(message: string, cause: unknown): TraconError | undefined {
  const refusals = Object.keys(refusalMessages) as Refusal[];
  const refusal = refusals.find((it) => refusalMessages[it] === message);
  return refusal && batchRefused(refusal, cause);
}
