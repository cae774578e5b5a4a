/** A server over a fake engine, with time in the test's hand. */

import type { Log } from "@tracon/core";
import { createServer } from "../create-server.ts";
import type { ConnectionInfo, ServerOptions } from "../server-options.ts";
import { type FakeEngine, fakeEngine } from "./fake-engine.ts";

export type LogEntry = {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

export type TestServer = {
  /** Asks for a path below the host. */
  ask(path: string, init?: RequestInit, info?: ConnectionInfo): Promise<Response>;
  readonly logged: readonly LogEntry[];
  readonly calls: FakeEngine["calls"];
  /** Moves the clock and calls the timers that are due, at most once each. */
  advance(ms: number): void;
  /** Timers that were started and not stopped. */
  readonly timers: ReadonlySet<unknown>;
};

type TestServerOptions = Partial<ServerOptions> & { readonly engine?: FakeEngine };

export function testServer({
  engine = fakeEngine(),
  ...options
}: TestServerOptions = {}): TestServer {
  let nowMs = 0;
  const timers = new Set<{ callback: () => void }>();
  const logged: LogEntry[] = [];
  const server = createServer({
    engine,
    version: "0.1.0",
    log: memoryLog(logged),
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
    timer: {
      every(_intervalMs, callback) {
        const timer = { callback };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    ...options,
  });
  return {
    ask: (path, init, info) =>
      server.fetch(new Request(`http://localhost:7717${path}`, init), info),
    logged,
    calls: engine.calls,
    advance(ms) {
      nowMs += ms;
      for (const { callback } of timers) callback();
    },
    timers,
  };
}

/** A body in JSON. */
export const jsonBody = (value: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: typeof value === "string" ? value : JSON.stringify(value),
});

/** The problem an answer carries, without its trace id, which differs every time. */
export async function problemIn(response: Response): Promise<Record<string, unknown>> {
  const { traceId: _, ...problem } = (await response.json()) as Record<string, unknown>;
  return problem;
}

const memoryLog = (entries: LogEntry[]): Log => {
  const write = (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    entries.push({ message, fields });
  };
  return { info: write, warn: write, error: write };
};
