/**
 * `tracon.lock.json`: what `tracon apply` saved last from a folder, for each installation it was
 * applied to. A stored definition that differs from it was changed by somebody else since.
 */

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TraconError } from "@tracon/core";
import * as z from "zod";

export const LOCK_FILE = "tracon.lock.json";

const appliedSchema = z.strictObject({ version: z.int(), contentHash: z.string() });
const lockSchema = z.strictObject({
  format: z.literal(1),
  targets: z.record(z.string(), z.record(z.string(), appliedSchema)),
});

/** What was applied: the version it was saved as and the hash of its content. */
export type Applied = z.output<typeof appliedSchema>;
export type AppliedAgents = ReadonlyMap<string, Applied>;
type Lock = z.output<typeof lockSchema>;

/** What was applied last from the folder to a target; empty when nothing was. */
export async function readApplied(folder: string, target: string): Promise<AppliedAgents> {
  const { targets } = await readLock(folder);
  return new Map(Object.entries(Object.hasOwn(targets, target) ? (targets[target] ?? {}) : {}));
}

/** Writes what is applied now, and leaves other targets as they are. No change, no write. */
export async function writeApplied(
  folder: string,
  target: string,
  applied: AppliedAgents,
): Promise<void> {
  const lock = await readLock(folder);
  const targets = { ...lock.targets, [target]: sorted(Object.fromEntries(applied)) };
  const text = `${JSON.stringify({ format: 1, targets: sorted(targets) }, undefined, 2)}\n`;
  if (text === `${JSON.stringify(lock, undefined, 2)}\n`) return;
  const path = join(folder, LOCK_FILE);
  // Whoever is interrupted here keeps the old file whole.
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, text);
  await rename(draft, path);
}

async function readLock(folder: string): Promise<Lock> {
  const path = join(folder, LOCK_FILE);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return { format: 1, targets: {} };
    }
    throw error;
  }
  const read = lockSchema.safeParse(jsonOf(text));
  if (read.success) return read.data;
  throw new TraconError(
    "configuration_invalid",
    `'${path}' is no lock file of this version; restore it, or remove it to apply without what it knows`,
    { cause: read.error },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const sorted = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
