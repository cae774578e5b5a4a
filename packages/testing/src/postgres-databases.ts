/**
 * Databases on demand: one process of a test run holds the server and starts it when the first
 * database is asked for, so that a run without PostgreSQL tests pays nothing.
 */

import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { type PostgresServer, postgresAt, startPostgres } from "./postgres-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The environment variable that tells test processes where databases are handed out. */
const PORT_VARIABLE = "TRACON_TEST_DATABASES";
/** The environment variable that names the folder for SQLite files of this test run. */
export const FOLDER_VARIABLE = "TRACON_TEST_FOLDER";
/** The environment variable that names a server to use instead of starting one. */
const SERVER_VARIABLE = "TRACON_TEST_POSTGRES";

/**
 * Hands out databases to this process and the ones it starts, until the returned function is
 * called. Belongs into the global setup of a test run.
 */
export async function serveTestDatabases(): Promise<() => Promise<void>> {
  const folder = temporaryFolder("tracon-test-");
  process.env[FOLDER_VARIABLE] = folder;
  let server: Promise<PostgresServer> | undefined;
  const answer = async (): Promise<string> => {
    const existing = process.env[SERVER_VARIABLE];
    server ??= existing === undefined ? startPostgres() : Promise.resolve(postgresAt(existing));
    return `url ${await (await server).createDatabase()}`;
  };
  const listener = createServer((socket) => {
    answer().then(
      (url) => socket.end(url),
      (error: Error) => socket.end(`error ${error.message}`),
    );
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address !== null && typeof address === "object") {
    process.env[PORT_VARIABLE] = String(address.port);
  }

  return async () => {
    listener.close();
    rmSync(folder, { recursive: true, force: true });
    await (await server)?.stop();
  };
}

/** The URL of a new, empty PostgreSQL database that lives as long as the test run. */
export async function createTestDatabase(): Promise<string> {
  const port = process.env[PORT_VARIABLE];
  if (port === undefined) throw new Error("no test databases: the global setup did not run");
  const answer = await text(connect(Number(port), "127.0.0.1"));
  if (!answer.startsWith("url ")) throw new Error(answer);
  return answer.slice("url ".length);
}
