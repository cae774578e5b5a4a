/** Serves a Tracon on a socket of its own. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TraconError } from "@tracon/core";
import type { Tracon } from "../tracon.ts";

export type ListeningServer = {
  /** `http://127.0.0.1:7717`, without the prefix. */
  readonly origin: string;
  /** Takes no new connections and ends the idle ones; streams end with their runs. */
  close(): Promise<void>;
};

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
        // Whoever still watches a stream is told by the closed connection and resumes elsewhere.
        server.closeAllConnections();
      }),
  };
}
