/**
 * Where requests that were refused for want of a token wait until one is given.
 *
 * However many requests are refused at once, the person is asked once; all of them go on with the
 * same answer. The token lives as long as the tab.
 */

import { createValueStore, type ValueStore } from "./value-store.ts";

const STORAGE_KEY = "tracon.token";

export type TokenDesk = {
  readonly token: () => string;
  /** Whether somebody waits for a token. */
  readonly isAsking: ValueStore<boolean>;
  /** Asks; resolves to whether a token was given. */
  readonly ask: () => Promise<boolean>;
  readonly give: (token: string) => void;
  readonly refuse: () => void;
};

export function createTokenDesk(storage: Storage): TokenDesk {
  const isAsking = createValueStore(false);
  let waiting: PromiseWithResolvers<boolean> | undefined;

  const answer = (given: boolean) => {
    isAsking.set(false);
    waiting?.resolve(given);
    waiting = undefined;
  };

  return {
    token: () => storage.getItem(STORAGE_KEY) ?? "",
    isAsking,
    ask() {
      waiting ??= Promise.withResolvers<boolean>();
      isAsking.set(true);
      return waiting.promise;
    },
    give(token) {
      storage.setItem(STORAGE_KEY, token);
      answer(true);
    },
    refuse: () => answer(false),
  };
}
