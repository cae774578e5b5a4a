import { TraconError } from "@tracon/core";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The run a path names. What is not a UUID is no run's id, and no store is asked for it. */
export function runIdOf(segment: string): string {
  if (UUID.test(segment)) return segment.toLowerCase();
  throw new TraconError("run_not_found", "there is no such run");
}
