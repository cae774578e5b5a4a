import { useCallback, useEffect, useRef } from "react";

/** Longest wait when the page is hidden and draws no frames. */
const HIDDEN_MS = 250;

/**
 * Collects what arrives and hands it over once per drawn frame, so that a thousand parts a second
 * cost sixty renders. `flush` hands over at once.
 */
export function useFrameBatches<Item>(onBatch: (items: readonly Item[]) => void): {
  readonly push: (item: Item) => void;
  readonly flush: () => void;
} {
  const pending = useRef<Item[]>([]);
  const cancelScheduled = useRef<() => void>(undefined);
  const latest = useRef(onBatch);
  useEffect(() => {
    latest.current = onBatch;
  });

  const flush = useCallback(() => {
    cancelScheduled.current?.();
    cancelScheduled.current = undefined;
    if (pending.current.length > 0) latest.current(pending.current.splice(0));
  }, []);
  const push = useCallback(
    (item: Item) => {
      pending.current.push(item);
      cancelScheduled.current ??= schedule(flush);
    },
    [flush],
  );
  useEffect(
    () => () => {
      cancelScheduled.current?.();
      cancelScheduled.current = undefined;
      pending.current.length = 0;
    },
    [],
  );
  return { push, flush };
}

function schedule(callback: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(callback, HIDDEN_MS);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(frame);
}
