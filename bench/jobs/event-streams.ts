/**
 * `event-streams.ts`: the events of one run sent to 1 and 200 clients by the real server and by hand
 * on node:http. A live run is followed while it happens, a past one is read from the store.
 */

import { finish, setting, type Values } from "../job.ts";
import { type ControlledServer, startServer } from "../servers/control.ts";
import type { HeldEvent } from "../servers/node-http.ts";
import { quantile } from "../statistics.ts";
import { followStream } from "../stream-client.ts";

type Clients = 1 | 200;
/** One delivery to all clients: how long it took and what the server's process spent. */
type Delivery = { readonly ms: number; readonly cpuUs: number; readonly body: string };
type Deliver = () => Promise<Delivery>;

const PAST_EVENTS = { 1: 40_000, 200: 4_000 } as const;
/** Two events each. With one client their making would be all there is to see. */
const LIVE_TOOL_CALLS = 1_000;
/** How long a live run's model waits, so that all clients are there when it begins. */
const GATHER_MS = 400;

const product = await startServer("./product.ts", ["sqlite"]);
const floor = await startServer("./node-http.ts", []);

/** All take turns for the whole budget, so that noise meets all of them. */
async function compare(
  clients: Clients,
  { body }: Delivery,
  delivers: Readonly<Record<string, Deliver>>,
): Promise<Values> {
  const sent = eventsOf(body).length * clients;
  const deliveries = Object.entries(delivers).map(([name, deliver]) => ({
    name,
    deliver,
    made: [] as Delivery[],
  }));
  const end = performance.now() + setting.budgetMs * 2;
  for (let round = 0; round < 3 || performance.now() < end; round++) {
    for (const { deliver, made } of deliveries) made.push(await deliver());
  }
  return Object.fromEntries(
    deliveries.map(({ name, made }) => [
      name,
      {
        eventsPerSecond: sent / (middle(made, "ms") / 1_000),
        cpuUsAnEvent: middle(made, "cpuUs") / sent,
      },
    ]),
  );
}

async function past(clients: Clients): Promise<Values> {
  const runId = await product.ask<string>("record", PAST_EVENTS[clients]);
  const ours = () => send(product, pathOf(runId), clients);
  const first = await ours();
  await floor.ask("hold", eventsOf(first.body));
  await floor.ask("read", { file: `${setting.folder}/tracon.db`, runId });
  return compare(clients, first, {
    ours,
    read: () => send(floor, "/read", clients),
    held: () => send(floor, "/held", clients),
  });
}

async function live(clients: Clients): Promise<Values> {
  const callsAtOnce = LIVE_TOOL_CALLS;
  await product.ask("script", { toolCalls: 1, callsAtOnce, thinkMs: GATHER_MS });
  const first = await sendLive(clients);
  await floor.ask("hold", eventsOf(first.body));
  return compare(clients, first, {
    ours: () => sendLive(clients),
    held: () => send(floor, "/held", clients),
    made: () => send(floor, "/made", clients),
  });
}

/** The clients come while the model thinks; the clock starts when it begins to answer. */
async function sendLive(clients: number): Promise<Delivery> {
  const path = pathOf(await product.ask<string>("start"));
  const streams = clientsOf(product, path, clients);
  await Promise.all(streams.map(({ opened }) => opened));
  const cpu = await product.cpuUs();
  await Promise.all(streams.map(({ ended }) => ended));
  const endMs = performance.now();
  const cpuUs = (await product.cpuUs()) - cpu;
  const startMs = Math.min(...streams.map((stream) => stream.resumedAt()));
  return { ms: endMs - startMs, cpuUs, body: streams[0]?.body() ?? "" };
}

async function send(server: ControlledServer, path: string, clients: number): Promise<Delivery> {
  const cpu = await server.cpuUs();
  const start = performance.now();
  const streams = clientsOf(server, path, clients);
  await Promise.all(streams.map(({ ended }) => ended));
  const ms = performance.now() - start;
  return { ms, cpuUs: (await server.cpuUs()) - cpu, body: streams[0]?.body() ?? "" };
}

const pathOf = (runId: string): string => `/tracon/api/runs/${runId}/events`;

const clientsOf = ({ port }: ControlledServer, path: string, clients: number) =>
  Array.from({ length: clients }, (_, index) => followStream(port, path, { keep: index === 0 }));

const FRAME = /^id: (.*)\nevent: (.*)\ndata: (.*)\n\n/gm;

const eventsOf = (body: string): readonly HeldEvent[] =>
  [...body.matchAll(FRAME)].map(([, id = "", event = "", data = ""]) => [id, event, data]);

const middle = (deliveries: readonly Delivery[], member: "ms" | "cpuUs"): number =>
  quantile(
    deliveries.map((delivery) => delivery[member]).sort((a, b) => a - b),
    0.5,
  );

finish({
  past1: await past(1),
  past200: await past(200),
  live200: await live(200),
});
