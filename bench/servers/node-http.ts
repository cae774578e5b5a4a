/** `node-http.ts`: the floor of an event stream: the same bytes, made before, written by node:http. */

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCommands } from "./control.ts";

let writes: readonly Buffer[] = [];

async function answer(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  for (const bytes of writes) {
    if (!response.write(bytes)) await once(response, "drain");
  }
  response.end();
}

const server = createServer((_request, response) => void answer(response)).listen(0, "127.0.0.1");
await once(server, "listening");

serveCommands((server.address() as AddressInfo).port, {
  /** What every client gets from now on: a text a write. */
  load(texts: readonly string[]) {
    writes = texts.map((text) => Buffer.from(text));
  },
});
