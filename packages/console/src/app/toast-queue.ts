import { createValueStore, type ValueStore } from "./value-store.ts";

export type Toast = {
  readonly id: number;
  readonly tone: "good" | "failed";
  readonly text: string;
};

/** Short notices of things that happened. A failed one stays until it is closed. */
export type ToastQueue = {
  readonly toasts: ValueStore<readonly Toast[]>;
  readonly show: (tone: Toast["tone"], text: string) => void;
  readonly dismiss: (id: number) => void;
};

/** More would cover the screen; the oldest goes first. */
const MAX_TOASTS = 4;
const GOOD_TOAST_MS = 5_000;

export function createToastQueue(): ToastQueue {
  const toasts = createValueStore<readonly Toast[]>([]);
  let nextId = 0;
  const dismiss = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id));
  return {
    toasts,
    dismiss,
    show(tone, text) {
      const id = nextId;
      nextId += 1;
      toasts.set([...toasts.get(), { id, tone, text }].slice(-MAX_TOASTS));
      if (tone === "good") setTimeout(() => dismiss(id), GOOD_TOAST_MS);
    },
  };
}
