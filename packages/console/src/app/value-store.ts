import { useSyncExternalStore } from "react";

/** A value that changes outside of React and that components can follow. */
export type ValueStore<Value> = {
  readonly get: () => Value;
  readonly set: (next: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function createValueStore<Value>(initial: Value): ValueStore<Value> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useValue = <Value>(store: ValueStore<Value>): Value =>
  useSyncExternalStore(store.subscribe, store.get);
