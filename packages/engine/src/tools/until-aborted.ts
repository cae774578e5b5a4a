/**
 * Waits for work, but not beyond the run: rejects with the signal's reason when that fires first, so
 * that work which ignores the signal cannot keep a cancelled run alive.
 */
export async function untilAborted<Value>(
  signal: AbortSignal,
  work: PromiseLike<Value>,
): Promise<Value> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    // The start of the work itself may have aborted the run; its event is then over.
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    // The loser of the race may still reject later; the race has taken care of it.
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}
