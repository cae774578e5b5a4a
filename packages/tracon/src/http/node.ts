/** Handlers for node:http and for frameworks built on it. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Server } from "@tracon/server";

/** Express's way of going on. */
export type NextFunction = (error?: unknown) => void;

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A `node:http` request listener. */
export function nodeHandler(server: Server): NodeHandler {
  const listener = getRequestListener(
    (request, { incoming }) => {
      const body = parsedBody(incoming);
      return server.fetch(body === undefined ? request : withBody(request, body), {
        remoteAddress: incoming.socket.remoteAddress ?? "unknown",
      });
    },
    // The host's own Request and Response stay what they are.
    { overrideGlobalObjects: false },
  );
  return (request, response) => void listener(request, response);
}

/** Express middleware: answers below the prefix and passes everything else on. */
export function expressHandler(
  server: Server,
  prefix: string,
): (request: IncomingMessage, response: ServerResponse, next: NextFunction) => void {
  const handle = nodeHandler(server);
  return (request, response, next) => {
    const original = Reflect.get(request, "originalUrl");
    const url = typeof original === "string" ? original : (request.url ?? "/");
    if (!isBelow(url, prefix)) return next();
    // Express cuts the mount path off `url`; the API wants the whole path.
    request.url = url;
    handle(request, response);
  };
}

function isBelow(url: string, prefix: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === "" || next === "/" || next === "?";
}

/**
 * What a body parser in front of us made of the body; the stream is used up then. A parser that
 * left the body alone may have put an empty object in its place, so the object alone says nothing.
 */
function parsedBody(incoming: object): unknown {
  const isRead = Reflect.get(incoming, "readableEnded") === true;
  return isRead ? Reflect.get(incoming, "body") : undefined;
}

function withBody(request: Request, body: unknown): Request {
  if (request.method === "GET" || request.method === "HEAD") return request;
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const headers = new Headers(request.headers);
  // The length belonged to the body as it was sent.
  headers.delete("content-length");
  return new Request(request.url, {
    method: request.method,
    headers,
    body: text as string,
    signal: request.signal,
  });
}
