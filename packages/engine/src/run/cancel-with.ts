import type { LiveRun } from "./live-run.ts";

/** A signal may outlive any number of runs, so a run that has ended leaves nothing on it. */
export function cancelWith(run: LiveRun, signal: AbortSignal | undefined): void {
  const cancel = () => run.cancel("canceled by the caller");
  if (signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  run.recorder.onEnd(() => signal?.removeEventListener("abort", cancel));
}
