import { TraconError } from "@tracon/core";

/** The database could not be reached, is busy or broken: nothing the caller did is at fault. */
export const unavailable = (message: string, cause: unknown): TraconError =>
  new TraconError("store_unavailable", message, { cause });

export const refused = (message: string, cause?: unknown): TraconError =>
  new TraconError("internal", message, { cause });

/** Answers every call that comes after `close`. */
export const closedError = (): TraconError =>
  new TraconError("store_unavailable", "the stores are closed");
