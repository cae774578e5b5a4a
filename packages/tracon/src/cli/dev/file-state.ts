import { statSync } from "node:fs";

/** What tells one content of a file from the next; `null` for a file that is not there. */
export type FileState = string | null;

/** Looks at the file. Cheap: one call of the system. */
export function stateOf(path: string): FileState {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.mtimeNs}:${stats.size}`;
}
