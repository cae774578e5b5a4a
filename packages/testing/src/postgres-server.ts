/**
 * A PostgreSQL server for tests: the machine's own binaries, a cluster in a temporary folder, the
 * default durability settings, gone when it is stopped.
 *
 * It also goes when this process is killed: the kernel ends the server with its parent where there
 * is `setpriv`, and the next start removes what dead processes left.
 */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "./temporary-folder.ts";

/** A running server and its databases. */
export type PostgresServer = {
  /** The URL of a database of that name. */
  url(database: string): string;
  /** Creates an empty database; resolves to its URL. */
  createDatabase(): Promise<string>;
  /** Stops the server when it was started here, and removes its data. */
  stop(): Promise<void>;
};

const DEBIAN_FOLDER = "/usr/lib/postgresql";
const USER = "postgres";
const READY = "database system is ready to accept connections";
/** PostgreSQL's immediate shutdown: no server outlives its tests to write a checkpoint. */
const IMMEDIATE_SHUTDOWN = "SIGQUIT";

const run = promisify(execFile);

/**
 * Starts a server on a free port of loopback. The binaries are those in `POSTGRES_BIN`, or of the
 * newest version under `/usr/lib/postgresql`. Run as root, the server becomes the user `postgres`.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = postgresBin();
  const owner = process.getuid?.() === 0 ? await idsOf(USER) : undefined;
  const folder = temporaryFolder("tracon-postgres-");
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);

  // Sorting by language rules, as most installations do: a comparison that forgets to ask for the
  // order of code points fails here.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
  const initialize = ["-D", folder, "-U", USER, "-A", "trust", "--no-sync", ...locale];
  await run(join(bin, "initdb"), initialize, { ...owner, cwd: folder });

  const port = await freePort();
  const server = await started(bin, folder, port, owner);
  return {
    ...postgresAt(`postgres://${USER}@127.0.0.1:${port}/postgres`, bin),
    async stop() {
      const ended = once(server, "exit");
      if (server.exitCode === null && server.kill(IMMEDIATE_SHUTDOWN)) await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Databases on a server that runs already; `url` names any database the user may connect to. */
export function postgresAt(url: string, bin: string = postgresBin()): PostgresServer {
  const urlOf = (database: string): string => {
    const own = new URL(url);
    own.pathname = `/${database}`;
    return own.href;
  };
  let created = 0;
  return {
    url: urlOf,
    async createDatabase() {
      created += 1;
      const name = `tracon_test_${process.pid}_${created}`;
      // A process that was killed may have had this number before.
      const statements = [`drop database if exists ${name}`, `create database ${name}`];
      const commands = statements.flatMap((statement) => ["-c", statement]);
      const options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"];
      await run(join(bin, "psql"), [...options, ...commands, url]);
      return urlOf(name);
    },
    stop: async () => undefined,
  };
}

function postgresBin(): string {
  const configured = process.env.POSTGRES_BIN;
  if (configured !== undefined) return configured;
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const [newest] = versions.sort((left, right) => Number(right) - Number(left));
  if (newest === undefined) {
    throw new Error(
      `no PostgreSQL under ${DEBIAN_FOLDER}: install it, set POSTGRES_BIN, or run with STORES=sqlite`,
    );
  }
  return join(DEBIAN_FOLDER, newest, "bin");
}

type Owner = { readonly uid: number; readonly gid: number };

async function idsOf(user: string): Promise<Owner> {
  const idOf = async (option: string) => Number((await run("id", [option, user])).stdout);
  return { uid: await idOf("-u"), gid: await idOf("-g") };
}

async function started(
  bin: string,
  folder: string,
  port: number,
  owner: Owner | undefined,
): Promise<ChildProcess> {
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories="];
  const server = [join(bin, "postgres"), "-D", folder, ...settings.flatMap((it) => ["-c", it])];
  const [command = "", ...args] = existsSync("/usr/bin/setpriv")
    ? ["/usr/bin/setpriv", "--pdeathsig", IMMEDIATE_SHUTDOWN.slice("SIG".length), ...server]
    : server;
  const child = spawn(command, args, {
    ...owner,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });

  let log = "";
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      // Read to the end, so that the pipe never fills; kept only until the server is up.
      if (log.includes(READY)) return;
      log += text;
      if (log.includes(READY)) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
  await ready;
  return child;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port of loopback");
  return address.port;
}
