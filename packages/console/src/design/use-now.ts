import { useEffect, useState } from "react";

/** The time, anew every `intervalMs`; stands still while `isPaused`. */
export function useNow(intervalMs: number, isPaused = false): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (isPaused) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs, isPaused]);
  return now;
}
