/** Serves a Tracon on a socket of its own. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TraconError } from "@tracon/core";
import type { Tracon } from "../tracon.ts";

export type ListeningServer = {
  /** `http://127.0.0.1:7717`, without the prefix. */
  readonly origin: string;
  /** Takes no new connections and ends the idle ones. Resolves when the last one is gone. */
  close(): Promise<void>;
  /** Gives what has been answered a moment to leave, then ends every connection. */
  endConnections(): void;
};

/** For the last bytes of answers; a client that reads slower goes on from the journal elsewhere. */
const LINGER_MS = 1_000;

/** Starts to listen. Throws `configuration_invalid` when the address is taken or not ours. */
export async function listen(
  tracon: Tracon,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  const server = createServer(tracon.node());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new TraconError(
          "configuration_invalid",
          `cannot listen on ${host}:${port} (${Reflect.get(error, "code")}); choose another with --port`,
          { cause: error },
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    origin: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
    endConnections() {
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), LINGER_MS).unref();
    },
  };
}
