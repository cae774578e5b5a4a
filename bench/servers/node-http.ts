/**
 * `node-http.ts`: what an event stream costs at least, by hand on node:http.
 *
 *     /held   events held in memory as JSON text, their frames put together for each client
 *     /made   the same bytes, made before and once for all clients
 *     /read   events read from a run's chunks by the driver alone, then as /held
 *
 * All write 32 events at a time.
 */

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { serveCommands } from "./control.ts";

/** An event as a server that writes frames by hand would hold it. */
export type HeldEvent = readonly [id: string, event: string, data: string];

const EVENTS_OF_A_WRITE = 32;

let held: readonly HeldEvent[] = [];
let made: readonly Buffer[] = [];
let chunks: (() => Iterable<unknown>) | undefined;

const frame = (id: string | number, event: string, data: string): string =>
  `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`;

function* heldTexts(): Generator<string> {
  for (let first = 0; first < held.length; first += EVENTS_OF_A_WRITE) {
    let text = "";
    const end = Math.min(first + EVENTS_OF_A_WRITE, held.length);
    for (let index = first; index < end; index++) {
      const [id, event, data] = held[index] ?? ["", "", ""];
      text += frame(id, event, data);
    }
    yield text;
  }
}

/** A chunk of the recorded run holds as many events as a write. */
function* readTexts(): Generator<string> {
  for (const chunk of chunks?.() ?? []) {
    const { first_sequence: first, lines } = chunk as { first_sequence: number; lines: string };
    let text = "";
    for (const [index, line] of lines.split("\n").entries()) {
      text += frame(first + index, "run.event", line);
    }
    yield text;
  }
}

async function answer(
  writes: Iterable<string | Uint8Array>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  for (const piece of writes) {
    if (!response.write(piece)) await once(response, "drain");
  }
  response.end();
}

function writesFor(path: string | undefined): Iterable<string | Uint8Array> {
  if (path === "/made") return made;
  return path === "/read" ? readTexts() : heldTexts();
}

const server = createServer((request, response) => {
  void answer(writesFor(request.url), response);
}).listen(0, "127.0.0.1");
await once(server, "listening");

/** The statement cannot be shared by clients that are at different places. */
function chunksOf(file: string, runId: string): () => Iterable<unknown> {
  const database = new DatabaseSync(file, { readOnly: true });
  const free: StatementSync[] = [];
  const prepare = () =>
    database.prepare(
      `select first_sequence, lines from tracon_run_events
       where tenant_id = 'default' and run_id = ? order by first_sequence`,
    );
  return function* () {
    const statement = free.pop() ?? prepare();
    yield* statement.iterate(runId);
    free.push(statement);
  };
}

serveCommands((server.address() as AddressInfo).port, {
  /** What every client of `/held` and `/made` gets from now on. */
  hold(events: readonly HeldEvent[]) {
    held = events;
    made = [...heldTexts()].map((text) => Buffer.from(text));
  },
  /** What every client of `/read` gets from now on. */
  read({ file, runId }: { readonly file: string; readonly runId: string }) {
    chunks = chunksOf(file, runId);
  },
});
