/** A TCP proxy that loses connections after so many bytes of the answer. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type CuttingProxy = {
  readonly origin: string;
  /** Connections lost so far. */
  readonly cuts: () => number;
  close(): Promise<void>;
};

/** `bytesUntilCut` is asked once for every connection; `Infinity` cuts none. */
export async function startCuttingProxy(
  target: string,
  bytesUntilCut: () => number,
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let cuts = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let left = bytesUntilCut();
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // A lost connection is an error on the other side, and it is what this proxy is for.
      socket.on("error", end).once("close", () => sockets.delete(socket));
    }
    client.pipe(upstream);
    client.once("close", end);
    upstream.on("data", (bytes: Buffer) => {
      if (bytes.length < left) {
        left -= bytes.length;
        client.write(bytes);
        return;
      }
      cuts += 1;
      const last = bytes.subarray(0, left);
      left = 0;
      client.write(last, end);
    });
    upstream.once("end", () => client.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
