/** One answer on the wire, with everything that can go wrong there. */

import type { ServerResponse } from "node:http";
import { setImmediate as nextTick, setTimeout as timer } from "node:timers/promises";
import type { FakeBreak, FakeFaults } from "./turn.ts";

/** How an answer ended on the server's side. */
export type Sent = "answered" | "cut" | "gone";

export type Wire = {
  readonly response: ServerResponse;
  readonly faults: FakeFaults;
  /** Aborted when the client has disconnected or the server closes. */
  readonly gone: AbortSignal;
};

/** Waits as the faults say before anything is sent; `false` when the client has gone meanwhile. */
export async function waitForHeaders({ faults, gone }: Wire): Promise<boolean> {
  if (faults.hangsBeforeHeaders === true) await disconnect(gone);
  else if (faults.delayMs !== undefined) await pause(faults.delayMs, gone);
  return !gone.aborted;
}

/** Sends a body of one piece. */
export async function sendBody(wire: Wire, status: number, body: string): Promise<Sent> {
  wire.response.writeHead(status, { "content-type": "application/json" });
  return (await bodyWriter(wire)(body)) ?? finish(wire);
}

/** Sends the events of a stream. */
export async function sendEvents(
  wire: Wire,
  events: Iterable<string>,
  errorEvent: (error: object) => string,
): Promise<Sent> {
  const { response, faults, gone } = wire;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  const write = bodyWriter(wire);
  let count = 0;

  for (const event of events) {
    if (faults.breaks?.afterEvents === count) {
      const ended = await breakStream(wire, faults.breaks, write, errorEvent);
      if (ended !== undefined) return ended;
    }
    if (count > 0 && faults.chunkDelayMs !== undefined) await pause(faults.chunkDelayMs, gone);
    const ended = await write(event);
    if (ended !== undefined) return ended;
    count += 1;
  }
  return finish(wire);
}

type Write = (text: string) => Promise<Sent | undefined>;

async function breakStream(
  wire: Wire,
  { by }: FakeBreak,
  write: Write,
  errorEvent: (error: object) => string,
): Promise<Sent | undefined> {
  switch (by) {
    case "hang":
      await disconnect(wire.gone);
      return "gone";
    case "end":
      return finish(wire);
    case "cut":
      return cut(wire);
    case "malformed":
      return write('data: {"id": "broken\n\n');
    default:
      return (await write(errorEvent(by.error))) ?? finish(wire);
  }
}

/** Writes texts as bytes, in the pieces and up to the limit the faults name. */
function bodyWriter(wire: Wire): Write {
  const { response, faults, gone } = wire;
  const limit = faults.cutAfterBytes ?? Number.POSITIVE_INFINITY;
  let sent = 0;

  return async (text) => {
    const whole = Buffer.from(text);
    const bytes = whole.subarray(0, Math.max(0, limit - sent));
    const size = faults.splitEveryBytes ?? bytes.length;
    for (let start = 0; start < bytes.length; start += size) {
      if (gone.aborted) return "gone";
      await written(response, bytes.subarray(start, start + size));
      // Without a turn of the event loop the kernel would join the pieces again.
      if (faults.splitEveryBytes !== undefined) await nextTick();
    }
    sent += bytes.length;
    if (gone.aborted) return "gone";
    return bytes.length < whole.length || sent === limit ? cut(wire) : undefined;
  };
}

/** Resolves when the bytes left the process, or cannot any more. */
const written = (response: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => response.write(bytes, () => resolve()));

function cut({ response }: Wire): Sent {
  response.destroy();
  return "cut";
}

function finish({ response, gone }: Wire): Promise<Sent> {
  return new Promise((resolve) => {
    gone.addEventListener("abort", () => resolve("gone"), { once: true });
    response.end(() => resolve("answered"));
  });
}

const disconnect = (gone: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (gone.aborted) resolve();
    else gone.addEventListener("abort", () => resolve(), { once: true });
  });

/** Waits, or until nobody listens any more. */
async function pause(ms: number, gone: AbortSignal): Promise<void> {
  try {
    await timer(ms, undefined, { signal: gone });
  } catch (error) {
    if (!gone.aborted) throw error;
  }
}
