/**
 * `event-streams.ts`: the events of one run sent to 1 and 200 clients by the real server, and the
 * same bytes sent by node:http, 32 events a write. One run has ended before and is read from the
 * store, the other is followed while it happens.
 */

import { finish, setting, type Values } from "../job.ts";
import { type ControlledServer, startServer } from "../servers/control.ts";
import { quantile } from "../statistics.ts";
import { followStream } from "../stream-client.ts";

type Clients = 1 | 200;
/** One delivery to all clients: how long it took and what the server's process spent. */
type Delivery = { readonly ms: number; readonly cpuUs: number; readonly body: string };

const SMALL_EVENTS = { 1: 40_000, 200: 1_000 } as const;
/** Two events each. Their making would be all that a single client could show. */
const LIVE_TOOL_CALLS = 250;
const EVENTS_OF_A_WRITE = 32;
/** How long a live run's model waits, so that all clients are there when it begins. */
const GATHER_MS = 400;

const product = await startServer("./product.ts", ["sqlite"]);
const floor = await startServer("./node-http.ts", []);

/** Both take turns for the whole budget, so that noise meets both. */
async function compare(deliver: () => Promise<Delivery>, clients: Clients): Promise<Values> {
  const { body } = await deliver();
  const events = countEvents(body);
  await floor.ask("load", writesOf(body));
  const ours: Delivery[] = [];
  const theirs: Delivery[] = [];
  const end = performance.now() + setting.budgetMs * 2;
  while (ours.length < 3 || performance.now() < end) {
    theirs.push(await send(floor, "/", clients));
    ours.push(await deliver());
  }
  const sent = events * clients;
  return {
    eventBytes: body.length / events,
    eventsPerSecond: sent / (middle(ours, "ms") / 1_000),
    floorEventsPerSecond: sent / (middle(theirs, "ms") / 1_000),
    cpuUsAnEvent: middle(ours, "cpuUs") / sent,
    floorCpuUsAnEvent: middle(theirs, "cpuUs") / sent,
  };
}

async function replay(clients: Clients): Promise<Values> {
  const runId = await product.ask<string>("record", SMALL_EVENTS[clients]);
  return compare(() => send(product, pathOf(runId), clients), clients);
}

async function live(clients: Clients): Promise<Values> {
  const callsAtOnce = LIVE_TOOL_CALLS;
  await product.ask("script", { toolCalls: 1, callsAtOnce, thinkMs: GATHER_MS });
  return compare(() => sendLive(clients), clients);
}

/** The clients come while the model thinks; the clock starts when it begins to answer. */
async function sendLive(clients: Clients): Promise<Delivery> {
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

const framesOf = (body: string): readonly string[] => body.split(/(?<=\n\n)/);

const countEvents = (body: string): number =>
  framesOf(body).filter((frame) => frame.startsWith("id:")).length;

function writesOf(body: string): readonly string[] {
  const frames = framesOf(body);
  const writes: string[] = [];
  for (let at = 0; at < frames.length; at += EVENTS_OF_A_WRITE) {
    writes.push(frames.slice(at, at + EVENTS_OF_A_WRITE).join(""));
  }
  return writes;
}

const middle = (deliveries: readonly Delivery[], member: "ms" | "cpuUs"): number =>
  quantile(
    deliveries.map((delivery) => delivery[member]).sort((a, b) => a - b),
    0.5,
  );

finish({
  replay1: await replay(1),
  replay200: await replay(200),
  live200: await live(200),
});
