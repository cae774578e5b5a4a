/**
 * `cancel.ts`: from a cancel request over HTTP to the moment the provider sees its connection close.
 * Provider, product and client share one process, so the number is on the high side.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type FakeFaults, startFakeOpenAi } from "@tracon/testing";
import { createTracon } from "tracon";
import { finish, setting } from "../job.ts";
import { quantile } from "../statistics.ts";

/** Where the provider is when the run is cancelled, in turns. */
const WAITS: readonly FakeFaults[] = [
  { hangsBeforeHeaders: true },
  { breaks: { afterEvents: 0, by: "hang" } },
  { breaks: { afterEvents: 2, by: "hang" } },
];

const provider = await startFakeOpenAi();
const tracon = await createTracon(
  {
    storage: `sqlite:${setting.folder}/cancel.db`,
    providers: { local: { kind: "openai-compatible", baseURL: provider.url } },
    agents: [{ name: "support", model: { provider: "local", model: "any" } }],
  },
  { env: {} },
);
const server = createServer(tracon.node());
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}${tracon.prefix}/api`;

const times: number[] = [];
const end = performance.now() + setting.budgetMs * 2;
while (times.length < WAITS.length || performance.now() < end) {
  times.push(await cancelOne(WAITS[times.length % WAITS.length] ?? {}));
}
times.sort((a, b) => a - b);

finish({ samples: times.length, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95) });

async function cancelOne(faults: FakeFaults): Promise<number> {
  const count = provider.requests.length + 1;
  provider.enqueue({ text: ["one ", "two "], faults });
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const body = JSON.stringify({ message: "Go." });
  const response = await fetch(`${api}/agents/support/run`, { method: "POST", headers, body });
  const request = await provider.received(count);
  const running = (await (await fetch(`${api}/runs?status=Running`)).json()) as [{ id: string }];

  const start = performance.now();
  const canceling = fetch(`${api}/runs/${running[0].id}/cancel`, { method: "POST" });
  await request.aborted;
  const took = performance.now() - start;
  await (await canceling).text();
  await response.text();
  return took;
}
