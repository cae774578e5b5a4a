/**
 * One request to one operation: address, credential, body, failure.
 *
 * It never repeats a request by itself, except once after a 401 when the caller has got a new token.
 */

import { connectionError, errorOfResponse, type TraconApiError } from "./api-error.ts";
import { type Delay, delay } from "./delay.ts";
import { nextPage } from "./next-page.ts";
import type { OperationResult } from "./operation-results.ts";
import { type OperationName, operations, type PathParameters, pathOf } from "./operations.ts";

/** How to reach a server. */
export type TraconClientOptions = {
  /** Address including the prefix, such as `https://host/tracon`; relative to the page in a browser. */
  readonly baseUrl: string;
  /** Bearer token, or what gives one before each request. No token by default; empty is none. */
  readonly token?: string | (() => string | Promise<string>);
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Called on every 401. Answering `true` says that there is a new token: the request is then sent once more. */
  readonly onUnauthorized?: (
    error: TraconApiError,
  ) => boolean | undefined | Promise<boolean | undefined>;
  /** Waits between attempts to reconnect and watches for silence. Default: timers. */
  readonly delay?: Delay;
  /** Silence after which a stream counts as lost, in milliseconds. Default 45,000: three keep-alives. */
  readonly idleTimeoutMs?: number;
  /** Attempts in a row to continue a stream without any progress. Default 8, within half a minute. */
  readonly reconnectAttempts?: number;
};

/** What every request can be given. */
export type CallOptions = {
  /** Gives the request up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** Members of a query; absent ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type RequestParts<Name extends OperationName> = {
  readonly path: PathParameters<Name>;
  readonly query?: Query;
  readonly body?: unknown;
  /** Sent instead of a JSON body. */
  readonly form?: FormData;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

export type Page<Name extends OperationName> = {
  readonly items: OperationResult<Name>;
  readonly next: string | undefined;
};

export type Transport = {
  /** The answer of an operation. Throws {@link TraconApiError} unless its status is 2xx. */
  send<Name extends OperationName>(name: Name, parts: RequestParts<Name>): Promise<Response>;
  /** The same, read as JSON. What it holds is the wire contract's word. */
  json<Name extends OperationName>(
    name: Name,
    parts: RequestParts<Name>,
  ): Promise<OperationResult<Name>>;
  /** One page of a list with where it goes on. */
  page<Name extends OperationName>(name: Name, parts: RequestParts<Name>): Promise<Page<Name>>;
  readonly delay: Delay;
  readonly idleTimeoutMs: number;
  readonly reconnectAttempts: number;
};

const IDLE_TIMEOUT_MS = 45_000;
const RECONNECT_ATTEMPTS = 8;

export function createTransport(options: TraconClientOptions): Transport {
  const baseUrl = options.baseUrl.replace(/\/+$/, "");

  async function attempt<Name extends OperationName>(
    name: Name,
    parts: RequestParts<Name>,
  ): Promise<Response> {
    const url = `${baseUrl}${pathOf(name, parts.path)}${searchOf(parts.query)}`;
    const init = requestInit(operations[name].method, parts, await tokenOf(options));
    try {
      return await (options.fetch ?? globalThis.fetch)(url, init);
    } catch (error) {
      parts.signal?.throwIfAborted();
      throw connectionError("connection_failed", "the server did not answer", error);
    }
  }

  async function send<Name extends OperationName>(
    name: Name,
    parts: RequestParts<Name>,
  ): Promise<Response> {
    const response = await attempt(name, parts);
    if (response.ok) return response;
    const error = await errorOfResponse(response);
    if (error.status !== 401 || (await options.onUnauthorized?.(error)) !== true) throw error;

    const again = await attempt(name, parts);
    if (!again.ok) throw await errorOfResponse(again);
    return again;
  }

  return {
    send,
    json: async (name, parts) => readJson(await send(name, parts), parts.signal),
    page: async (name, parts) => {
      const response = await send(name, parts);
      return { items: await readJson(response, parts.signal), next: nextPage(response) };
    },
    delay: options.delay ?? delay,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    reconnectAttempts: options.reconnectAttempts ?? RECONNECT_ATTEMPTS,
  };
}

async function tokenOf({ token }: TraconClientOptions): Promise<string> {
  return typeof token === "function" ? token() : (token ?? "");
}

function requestInit(
  method: string,
  parts: Omit<RequestParts<OperationName>, "path">,
  token: string,
): RequestInit {
  return {
    method,
    headers: {
      accept: parts.accept ?? "application/json",
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(parts.body === undefined ? {} : { "content-type": "application/json" }),
      ...parts.headers,
    },
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
    ...(parts.form === undefined ? {} : { body: parts.form }),
    ...(parts.signal === undefined ? {} : { signal: parts.signal }),
  };
}

function searchOf(query: Query | undefined): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.append(key, String(value));
  }
  return search.size === 0 ? "" : `?${search}`;
}

async function readJson<Result>(
  response: Response,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const text = await response.text().catch((error: unknown) => {
    signal?.throwIfAborted();
    throw connectionError("connection_lost", "the answer broke off", error);
  });
  try {
    return JSON.parse(text) as Result;
  } catch (error) {
    throw connectionError("response_invalid", "the answer is not JSON", error);
  }
}
