/** `product.ts STORE`: Tracon on a socket, with two models: one that answers at once, one by script. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openStores } from "@tracon/store";
import { createTracon } from "tracon";
import { createScript, type Script, USER_MESSAGE } from "../fixture.ts";
import { setting } from "../job.ts";
import { CONCURRENT_AGENT_NAME, productConfig, storageOf } from "../subjects/product.ts";
import type { StorePlace } from "../subjects/subject.ts";
import { serveCommands } from "./control.ts";
import { recordedEntries } from "./recorded-run.ts";

const [store = "sqlite"] = process.argv.slice(2);
const { folder, postgresUrl } = setting;
const storage = storageOf({ store: store as StorePlace["store"], folder, postgresUrl });
const script = createScript();
const tracon = await createTracon(productConfig(storage, script), { env: {} });
const server = createServer(tracon.node()).listen(0, "127.0.0.1");
await once(server, "listening");

serveCommands((server.address() as AddressInfo).port, {
  script: (changes: Partial<Script>) => void Object.assign(script, changes),

  /** Starts a run whose tool calls run at once, and answers with its id. */
  async start() {
    for await (const frame of tracon.stream(CONCURRENT_AGENT_NAME, { message: USER_MESSAGE })) {
      if (frame.event === "run") return frame.data.runId;
    }
    return undefined;
  },

  /** Writes a run that has ended, with that many small events, and answers with its id. */
  async record(count: number) {
    const stores = await openStores(storage);
    const { runId, entries } = recordedEntries(count);
    for (const entry of entries) await stores.journal.commit([entry]);
    await stores.close();
    return runId;
  },
});
