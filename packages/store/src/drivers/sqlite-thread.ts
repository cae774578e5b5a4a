/** A SQLite connection in a worker thread, and the one in this thread, behind the same calls. */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { PackedRows } from "../journal-rows.ts";
import { closedError, unavailable } from "../store-error.ts";
import type { RefusedReservation } from "./sqlite-budget.ts";
import type {
  SqliteConnection,
  SqliteMode,
  SqliteResult,
  SqliteValue,
} from "./sqlite-connection.ts";

export type SqliteExecutor = {
  query(sql: string, parameters: readonly SqliteValue[]): Promise<SqliteResult>;
  commit(rows: PackedRows): Promise<readonly RefusedReservation[]>;
  close(): Promise<void>;
};

export type SqliteThreadOptions = { readonly path: string; readonly mode: SqliteMode };

export type ThreadRequest =
  | readonly [id: number, operation: "query", sql: string, parameters: readonly SqliteValue[]]
  | readonly [id: number, operation: "commit", rows: PackedRows]
  | readonly [id: number, operation: "close"];

type ThreadResult = SqliteResult | readonly RefusedReservation[];

export type ThreadReply = readonly [
  id: number,
  result?: ThreadResult | undefined,
  failure?: { readonly message: string; readonly errcode?: number } | undefined,
];

type Waiting = {
  resolve(result: ThreadResult | undefined): void;
  reject(error: Error): void;
};

type Operation = ThreadRequest extends readonly [number, ...infer Rest] ? Rest : never;

/**
 * Starts the thread with the first call, and again with the first call after it died. It keeps the
 * process alive only while an answer is awaited.
 */
export function sqliteThread(options: SqliteThreadOptions): SqliteExecutor {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;
  let closed = false;

  function start(): Worker {
    const started = new Worker(workerFile(), { workerData: options, execArgv: [] });
    const lost = (cause?: Error) => {
      if (worker === started) worker = undefined;
      const error = unavailable(`SQLite: ${cause?.message ?? "the database thread ended"}`, cause);
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("message", ([id, result, failure]: ThreadReply) => {
      const call = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
      if (failure === undefined) call?.resolve(result);
      else call?.reject(Object.assign(new Error(failure.message), failure));
    });
    started.on("error", lost);
    started.on("exit", () => lost());
    return started;
  }

  function call<Result extends ThreadResult>(...operation: Operation): Promise<Result | undefined> {
    return new Promise<ThreadResult | undefined>((resolve, reject) => {
      if (closed) throw closedError();
      worker ??= start();
      if (waiting.size === 0) worker.ref();
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      worker.postMessage([lastId, ...operation]);
    }) as Promise<Result | undefined>;
  }

  return {
    async query(sql, parameters) {
      return (await call<SqliteResult>("query", sql, parameters)) ?? { rows: [], changes: 0 };
    },
    async commit(rows) {
      return (await call<readonly RefusedReservation[]>("commit", rows)) ?? [];
    },
    async close() {
      const closing = worker;
      if (closing !== undefined) {
        const ended = once(closing, "exit");
        await call("close");
        closing.ref();
        await ended;
      }
      closed = true;
    },
  };
}

/** The file beside this one: `.ts` where sources run, `.js` where the build runs. */
const workerFile = (): URL =>
  new URL(
    `./sqlite-worker${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`,
    import.meta.url,
  );

/** The same calls on a connection in this thread. */
export const sqliteInThread = (connection: SqliteConnection): SqliteExecutor => ({
  query: async (sql, parameters) => connection.query(sql, parameters),
  commit: async (rows) => connection.commit(rows),
  close: async () => connection.close(),
});
