import type { Clock, Log } from "@tracon/core";
import { TraconError } from "@tracon/core";
import type { Engine } from "@tracon/engine";

/** A file of the built console. */
export type ConsoleFile = {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** The name carries a content hash, so that a browser may keep the file for good. */
  readonly immutable: boolean;
};

/** The built console: a file by its path below the prefix (`index.html`, `assets/app.js`). */
export type ConsoleFiles = (path: string) => ConsoleFile | undefined;

/** Repeated calls, as keep-alive comments need them. */
export type Timer = {
  /** Calls `callback` every `intervalMs` until the returned function is called. */
  every(intervalMs: number, callback: () => void): () => void;
};

/** Limits of what a request may cost. */
export type ServerLimits = {
  /** Largest body of a run request, in bytes. Default 1 MiB. */
  readonly runBodyBytes?: number;
  /** Largest body that carries a definition, in bytes. Default 2 MiB. */
  readonly definitionBodyBytes?: number;
  /** Deepest nesting of a JSON body. Default 64. */
  readonly bodyDepth?: number;
  /** Most values (members and items) of a JSON body. Default 100,000. */
  readonly bodyValues?: number;
  /** Longest silence of an event stream before a comment goes out. Default 15,000. */
  readonly keepAliveMs?: number;
};

/** What a server is made of. */
export type ServerOptions = {
  readonly engine: Engine;
  /** Path under which everything is answered. Default `/tracon`; `/` for the root. */
  readonly prefix?: string;
  /** The bearer token every data call must carry. Without one only loopback callers are answered. */
  readonly token?: string;
  /** The product's version, for `/api/meta` and the OpenAPI document. */
  readonly version: string;
  /** The built console; without it nothing is served at the prefix itself. */
  readonly consoleFiles?: ConsoleFiles;
  readonly log: Log;
  readonly clock: Clock;
  /** Default: the process's own timers, which do not keep it alive. */
  readonly timer?: Timer;
  readonly limits?: ServerLimits;
  /** Answer callers from other machines. Needs a token. Default false. */
  readonly allowRemote?: boolean;
};

/** What the host knows of the connection a request came in on. */
export type ConnectionInfo = {
  /**
   * Address of the peer. Absent means a call from within the process, so an adapter that serves a
   * socket must always give it.
   */
  readonly remoteAddress?: string;
};

/** The HTTP API as one function. */
export type Server = {
  /** Answers a request; never rejects. Paths outside the prefix are `404`. */
  fetch(request: Request, info?: ConnectionInfo): Promise<Response>;
};

const MIB = 1_048_576;

export const DEFAULT_LIMITS: Required<ServerLimits> = {
  runBodyBytes: MIB,
  definitionBodyBytes: 2 * MIB,
  bodyDepth: 64,
  bodyValues: 100_000,
  keepAliveMs: 15_000,
};

export const processTimer: Timer = {
  every(intervalMs, callback) {
    const handle = setInterval(callback, intervalMs);
    handle.unref();
    return () => clearInterval(handle);
  },
};

const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)*\/?$/;

/** The prefix without a slash at its end, so that the root is the empty text. */
export function normalizePrefix(prefix: string): string {
  if (!PREFIX.test(prefix) || /\/\.{1,2}(?:\/|$)/.test(prefix)) {
    throw new TraconError(
      "configuration_invalid",
      `the prefix '${prefix}' is not a path; write it like '/tracon'`,
    );
  }
  return prefix.endsWith("/") ? prefix.slice(0, -1) : prefix;
}
