import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new folder of this process, named after it. First removes the folders under the same prefix
 * whose processes are dead: a process that was killed cleans up nothing itself.
 */
export function temporaryFolder(prefix: string): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix)
      ? /^\d+(?=-)/.exec(name.slice(prefix.length))?.[0]
      : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is alive too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
