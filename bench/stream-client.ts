/** A client of an event stream that reads as fast as it can and looks at nothing on the way. */

import { connect } from "node:net";

export type FollowedStream = {
  /** The first bytes have come. */
  readonly opened: Promise<void>;
  /** The stream is over, and was whole. */
  readonly ended: Promise<void>;
  /** When bytes after the first ones came, on the clock of `performance.now()`. */
  resumedAt(): number;
  /** The events as they were sent; only where `keep` was asked for. */
  body(): string;
};

/** The last event of every stream that is whole. */
const END = "RunCompleted";

export function followStream(
  port: number,
  path: string,
  { keep = false }: { readonly keep?: boolean } = {},
): FollowedStream {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const kept: Buffer[] = [];
  let tail = "";
  let reads = 0;
  let resumedAt = Number.POSITIVE_INFINITY;

  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
  socket.on("data", (chunk: Buffer) => {
    reads += 1;
    if (reads === 1) opened.resolve();
    if (reads === 2) resumedAt = performance.now();
    if (keep) kept.push(chunk);
    tail = (tail + chunk.toString("latin1", Math.max(0, chunk.length - 1_000))).slice(-1_000);
  });
  socket.on("error", ended.reject);
  socket.on("end", () => {
    if (tail.includes(END)) ended.resolve();
    else ended.reject(new Error(`a stream ended before its run: ${tail.slice(-200)}`));
  });
  return {
    opened: opened.promise,
    ended: ended.promise,
    resumedAt: () => resumedAt,
    body: () => bodyOf(Buffer.concat(kept).toString()),
  };
}

/** The body of a chunked answer. */
function bodyOf(answer: string): string {
  let text = "";
  let at = answer.indexOf("\r\n\r\n") + 4;
  for (;;) {
    const lineEnd = answer.indexOf("\r\n", at);
    const length = Number.parseInt(answer.slice(at, lineEnd), 16);
    if (!(length > 0)) return text;
    text += answer.slice(lineEnd + 2, lineEnd + 2 + length);
    at = lineEnd + 2 + length + 2;
  }
}
