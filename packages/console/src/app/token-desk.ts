/**
 * Where requests that were refused for want of a token wait until one is given.
 *
 * However many requests are refused at once, the person is asked once; all of them go on with the
 * same answer. Who says "not now" is not asked again by requests that come by themselves. The token
 * lives as long as the tab.
 */

import { createValueStore, type ValueStore } from "./value-store.ts";

const STORAGE_KEY = "tracon.token";

export type TokenDesk = {
  readonly token: () => string;
  /** Whether somebody waits for a token. */
  readonly isAsking: ValueStore<boolean>;
  /** A request was refused; resolves to whether there is a token to try again with. */
  readonly onUnauthorized: () => Promise<boolean>;
  /** The person wants to enter a token; resolves to whether they did. */
  readonly ask: () => Promise<boolean>;
  readonly give: (token: string) => void;
  readonly decline: () => void;
};

export function createTokenDesk(storage: Pick<Storage, "getItem" | "setItem">): TokenDesk {
  const isAsking = createValueStore(false);
  let waiting: PromiseWithResolvers<boolean> | undefined;
  let isDeclined = false;

  const ask = () => {
    waiting ??= Promise.withResolvers<boolean>();
    isAsking.set(true);
    return waiting.promise;
  };
  const answer = (given: boolean) => {
    isDeclined = !given;
    isAsking.set(false);
    waiting?.resolve(given);
    waiting = undefined;
  };

  return {
    token: () => storage.getItem(STORAGE_KEY) ?? "",
    isAsking,
    ask,
    onUnauthorized: async () => !isDeclined && ask(),
    give(token) {
      storage.setItem(STORAGE_KEY, token);
      answer(true);
    },
    decline: () => answer(false),
  };
}
