/** The thread that owns a connection to a SQLite file. It imports no package: see `sqlite-thread.ts`. */

import { parentPort, workerData } from "node:worker_threads";
import { openSqliteConnection } from "./sqlite-connection.ts";
import type { SqliteThreadOptions, ThreadReply, ThreadRequest } from "./sqlite-thread.ts";

const port = parentPort;
if (port === null) throw new Error("this file runs as a worker");

const { path, mode } = workerData as SqliteThreadOptions;
const connection = openSqliteConnection(path, mode);

port.on("message", (request: ThreadRequest) => {
  const [id] = request;
  let reply: ThreadReply;
  try {
    const result = answer(request);
    reply = result === undefined ? [id] : [id, result];
  } catch (error) {
    reply = [id, undefined, failureOf(error)];
  }
  port.postMessage(reply);
  if (request[1] === "commit") connection.checkpointWhenLong();
  // Nothing else keeps the thread alive.
  if (request[1] === "close") port.close();
});

function answer(request: ThreadRequest): ThreadReply[1] {
  switch (request[1]) {
    case "commit": {
      const refused = connection.commit(request[2]);
      return refused.length === 0 ? undefined : refused;
    }
    case "query":
      return connection.query(request[2], request[3]);
    case "close":
      return void connection.close();
  }
}

/** Errors lose their own members on the way between threads. */
function failureOf(error: unknown): ThreadReply[2] {
  const { message, errcode } = error as Error & { readonly errcode?: number };
  return errcode === undefined ? { message } : { message, errcode };
}
