import type { IncomingMessage, ServerResponse } from "node:http";
import type { Sent } from "./wire.ts";

/** What became of a request. `aborted`: the client disconnected before the answer was complete. */
export type FakeRequestState = "open" | "answered" | "refused" | "cut" | "aborted";

/** A request the fake server received. */
export type FakeOpenAiRequest = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed body; its text when it is not JSON. */
  readonly body: unknown;
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number;
  readonly state: FakeRequestState;
  /** Resolves when the client disconnects early, and never otherwise. */
  readonly aborted: Promise<{ readonly atMs: number }>;
};

/** A request with what is needed to answer it. */
export type Exchange = {
  readonly request: FakeOpenAiRequest;
  readonly response: ServerResponse;
  /** Aborted when the client has disconnected or the server closes. */
  readonly gone: AbortSignal;
  settle(outcome: Sent | "refused"): void;
};

/** Bodies are read whole; a larger one is a mistake of the test. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Reads a request. Rejects when the client disconnects before it is complete. */
export async function receive(
  incoming: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<Exchange> {
  const receivedAtMs = Date.now();
  const gone = new AbortController();
  const aborted = Promise.withResolvers<{ readonly atMs: number }>();
  let closedAtMs = receivedAtMs;
  let state: FakeRequestState = "open";
  response.once("close", () => {
    closedAtMs = Date.now();
    gone.abort();
  });
  const body = parsed(await readBody(incoming));

  return {
    request: {
      method: incoming.method ?? "",
      path: (incoming.url ?? "").split("?", 1)[0] ?? "",
      headers: incoming.headers,
      body,
      receivedAtMs,
      get state() {
        return state;
      },
      aborted: aborted.promise,
    },
    response,
    gone: AbortSignal.any([gone.signal, closing]),
    settle(outcome) {
      if (outcome !== "gone") state = outcome;
      else if (closing.aborted) state = "cut";
      else {
        state = "aborted";
        aborted.resolve({ atMs: closedAtMs });
      }
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RangeError("the request body is too large for the fake");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
