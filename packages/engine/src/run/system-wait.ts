import { randomInt } from "node:crypto";

const RANGE = 2 ** 32;

/** A number from 0 up to, but not including, 1. */
export const systemRandom = (): number => randomInt(RANGE) / RANGE;

/** Longest wait of one timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Waits in real time, however long; rejects with the signal's reason when it fires first. */
export const systemSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  ms <= MAX_TIMER_MS
    ? timer(ms, signal)
    : timer(MAX_TIMER_MS, signal).then(() => systemSleep(ms - MAX_TIMER_MS, signal));

const timer = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    // Node's own timer makes an error with a stack for every wait that is cut short: most are.
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
