/** Resolves after `ms` milliseconds; rejects with the signal's reason when that fires first. */
export type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

export const delay: Delay = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
