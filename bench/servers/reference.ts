/** `reference.ts STORE`: the reference behind node:http, JSON or events as they are made. */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createScript, type Script } from "../fixture.ts";
import { setting } from "../job.ts";
import { openReference, type RunReference } from "../subjects/reference.ts";
import type { StorePlace } from "../subjects/subject.ts";
import { serveCommands } from "./control.ts";

const [store = "sqlite"] = process.argv.slice(2);
const script = createScript();
const { run } = await openReference({ ...setting, store: store as StorePlace["store"] }, script);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  JSON.parse(Buffer.concat(chunks).toString());
  if (request.headers.accept === "application/json") return answerWhole(run, response);
  return answerEvents(run, response);
}

const server = createServer((request, response) => void answer(request, response)).listen(
  0,
  "127.0.0.1",
);
await once(server, "listening");

serveCommands((server.address() as AddressInfo).port, {
  script: (changes: Partial<Script>) => void Object.assign(script, changes),
});

async function answerWhole(start: RunReference, response: ServerResponse): Promise<void> {
  const body = JSON.stringify({ status: "Completed", output: await start() });
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

async function answerEvents(start: RunReference, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  let waiting = "";
  const flush = () => {
    if (waiting !== "") response.write(waiting);
    waiting = "";
  };
  await start(({ sequence, type, data }) => {
    // What is made in one tick leaves in one write.
    if (waiting === "") setImmediate(flush);
    waiting += `id: ${sequence}\nevent: ${type}\ndata: ${data}\n\n`;
  });
  flush();
  response.end();
}
