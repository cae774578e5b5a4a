/** The contracts of the store ports, on every engine. */

import type { Stores } from "@tracon/core";
import {
  type ContractSubject,
  type StoreEngine,
  storeContracts,
  storeMatrix,
} from "@tracon/testing";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openStores } from "./open-stores.ts";

describe.each(storeMatrix())("stores on $engine", (engine) => {
  const { subject, open, close } = subjectOn(engine);
  beforeAll(open);
  afterAll(close);

  for (const { name, run } of storeContracts.flatMap((contract) => contract(subject))) {
    it(name, run);
  }
});

function subjectOn({ engine, newUrl }: StoreEngine) {
  let url = "";
  let stores: Stores | undefined;
  let others: Stores | undefined;

  const opened = async (): Promise<Stores> => {
    stores ??= await openStores(url);
    return stores;
  };
  async function beside(): Promise<Stores> {
    others ??= await openStores(url);
    return others;
  }
  async function close(): Promise<void> {
    await Promise.all([stores?.close(), others?.close()]);
    stores = undefined;
    others = undefined;
  }
  async function reopened(): Promise<Stores> {
    await close();
    return opened();
  }

  const subject: ContractSubject = {
    stores: opened,
    // Memory is for tests and keeps nothing.
    ...(engine !== "memory" && { reopened, beside }),
  };
  return {
    subject,
    close,
    async open() {
      url = await newUrl();
    },
  };
}
