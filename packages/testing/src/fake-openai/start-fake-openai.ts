/**
 * An OpenAI-compatible server on loopback that answers from a script.
 *
 * It is as strict as the real service: a history it would refuse is answered with 400, and the turn
 * waits for the next request. Everything a network can do to an answer is a fault of a turn.
 */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Exchange, type FakeOpenAiRequest, receive } from "./exchange.ts";
import { isJson, isText, type Json, type Refusal, refusal } from "./refusals.ts";
import { sendRefusal, sendTurn } from "./send-turn.ts";
import { createSurfaces, type Surface } from "./surface.ts";
import type { FakeOpenAiTurn } from "./turn.ts";
import type { Sent } from "./wire.ts";

/** A turn, or a function of the request that makes one. */
export type FakeOpenAiStep = FakeOpenAiTurn | ((request: FakeOpenAiRequest) => FakeOpenAiTurn);

/** What the fake server answers, and to whom. */
export type FakeOpenAiOptions = {
  /** Answers in the order of the requests; none by default. */
  readonly turns?: readonly FakeOpenAiStep[];
  /** The answer once the turns are used up; a 500 that `assertDone` reports by default. */
  readonly otherwise?: FakeOpenAiStep;
  /** When given, a request with another key, or none, is answered with 401. */
  readonly apiKey?: string;
};

/** A running fake server. */
export type FakeOpenAi = {
  /** The base URL for OpenAI clients, ending in `/v1`. */
  readonly url: string;
  /** Scheme, host and port. Any path that ends in `/chat/completions` or `/responses` is answered. */
  readonly origin: string;
  /** Everything received, in order. */
  readonly requests: readonly FakeOpenAiRequest[];
  /** Why requests were answered with 400, 401 or 404, in order. */
  readonly refusals: readonly string[];
  /** Adds turns to the end of the script. */
  enqueue(...turns: readonly FakeOpenAiStep[]): void;
  /** Resolves with the n-th request, counted from one, as soon as it has come. */
  received(count: number): Promise<FakeOpenAiRequest>;
  /** Throws when a turn was not asked for, a request had no turn, or one was refused. */
  assertDone(): void;
  /** Ends every connection and the server. */
  close(): Promise<void>;
};

/** Starts a fake server on a free port of 127.0.0.1. */
export async function startFakeOpenAi(options: FakeOpenAiOptions = {}): Promise<FakeOpenAi> {
  const script = createScript(options);
  const desk = createDesk(script, options.apiKey);
  const closing = new AbortController();
  const server = createServer((incoming, response) => {
    // A request that was never complete is no request.
    receive(incoming, response, closing.signal).then(desk.serve, () => void response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: `${origin}/v1`,
    origin,
    requests: desk.requests,
    refusals: desk.refusals,
    enqueue: script.enqueue,
    received: desk.received,
    assertDone() {
      const [refused] = desk.refusals;
      if (refused !== undefined) throw new Error(`a request was refused: ${refused}`);
      script.assertDone();
    },
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Script = {
  enqueue(...turns: readonly FakeOpenAiStep[]): void;
  /** The next turn with its number, counted from one. */
  next(request: FakeOpenAiRequest): { readonly turn: FakeOpenAiTurn; readonly number: number };
  assertDone(): void;
};

function createScript({ turns = [], otherwise }: FakeOpenAiOptions): Script {
  const steps = [...turns];
  const problems: string[] = [];
  let taken = 0;

  const noTurn: FakeOpenAiStep = ({ path }) => {
    throw new Error(`the script has no turn for request ${taken} to ${path}`);
  };
  return {
    enqueue: (...more) => void steps.push(...more),
    next(request) {
      taken += 1;
      const step = steps[taken - 1] ?? otherwise ?? noTurn;
      try {
        return { turn: typeof step === "function" ? step(request) : step, number: taken };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        problems.push(message);
        const body = { error: { message, type: "server_error", param: null, code: null } };
        return { turn: { http: { status: 500, body } }, number: taken };
      }
    },
    assertDone() {
      const [problem] = problems;
      if (problem !== undefined) throw new Error(problem);
      const unused = steps.length - taken;
      if (unused > 0) throw new Error(`${unused} turns of the script were not asked for`);
    },
  };
}

/** Where requests arrive, are checked, and are answered. */
type Desk = {
  readonly requests: readonly FakeOpenAiRequest[];
  readonly refusals: readonly string[];
  serve(exchange: Exchange): Promise<void>;
  received(count: number): Promise<FakeOpenAiRequest>;
};

function createDesk(script: Script, apiKey: string | undefined): Desk {
  const requests: FakeOpenAiRequest[] = [];
  const refusals: string[] = [];
  const watchers = new Set<() => void>();
  const surfaces = createSurfaces();

  async function answer({ request, response, gone }: Exchange): Promise<Sent | "refused"> {
    const admitted = admit(request, surfaces, apiKey);
    if ("refused" in admitted) {
      refusals.push(admitted.refused.message);
      const sent = await sendRefusal(
        { response, faults: {}, gone },
        admitted.status,
        admitted.refused,
      );
      return sent === "answered" ? "refused" : sent;
    }
    const { turn, number } = script.next(request);
    const wire = { response, faults: turn.faults ?? {}, gone };
    return sendTurn(wire, turn, { ...admitted, number });
  }

  return {
    requests,
    refusals,
    async serve(exchange) {
      requests.push(exchange.request);
      for (const look of watchers) look();
      exchange.settle(await answer(exchange));
    },
    received: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          const request = requests[count - 1];
          if (request === undefined) return;
          watchers.delete(look);
          resolve(request);
        };
        watchers.add(look);
        look();
      }),
  };
}

type Admitted =
  | { readonly surface: Surface; readonly body: Json }
  | { readonly status: number; readonly refused: Refusal };

function admit(
  request: FakeOpenAiRequest,
  surfaces: readonly Surface[],
  apiKey: string | undefined,
): Admitted {
  const { method, path, body } = request;
  const surface = surfaces.find((it) => path.endsWith(it.path));
  if (surface === undefined || method !== "POST") {
    return { status: 404, refused: refusal("", `unknown request URL: ${method} ${path}`) };
  }
  if (apiKey !== undefined && keyOf(request) !== apiKey) {
    return { status: 401, refused: refusal("", "incorrect API key provided") };
  }
  if (!isJson(body)) return { status: 400, refused: refusal("", "the body is not a JSON object") };
  const refused = surface.refuse(body);
  return refused === undefined ? { surface, body } : { status: 400, refused };
}

function keyOf({ headers }: FakeOpenAiRequest): unknown {
  const { authorization } = headers;
  return isText(authorization) ? authorization.replace(/^Bearer /i, "") : headers["api-key"];
}
