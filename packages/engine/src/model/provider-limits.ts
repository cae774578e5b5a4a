import type { ProviderLimits } from "./ring.ts";

type Waiter = { readonly enter: () => void };
type Provider = { inProgress: number; readonly waiting: Set<Waiter> };

/** At most `maxCalls` calls of one provider at a time; who comes first gets the next free place. */
export function createProviderLimits(maxCalls: number): ProviderLimits {
  const byName = new Map<string, Provider>();

  function leaverOf(provider: Provider): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const [next] = provider.waiting;
      // The place goes from hand to hand, so that nobody who comes now overtakes those who wait.
      if (next === undefined) provider.inProgress--;
      else next.enter();
    };
  }

  return {
    enter(name, signal) {
      let provider = byName.get(name);
      if (provider === undefined) {
        provider = { inProgress: 0, waiting: new Set() };
        byName.set(name, provider);
      }
      if (provider.inProgress < maxCalls) {
        provider.inProgress++;
        return Promise.resolve(leaverOf(provider));
      }
      return wait(provider, signal);
    },
  };

  function wait(provider: Provider, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const settle = (end: () => void): void => {
        provider.waiting.delete(waiter);
        signal.removeEventListener("abort", giveUp);
        end();
      };
      const giveUp = (): void => settle(() => reject(signal.reason));
      const waiter: Waiter = { enter: () => settle(() => resolve(leaverOf(provider))) };
      signal.addEventListener("abort", giveUp, { once: true });
      provider.waiting.add(waiter);
    });
  }
}
