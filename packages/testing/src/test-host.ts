/** A Tracon on a socket of its own, for tests that speak HTTP. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What can be hosted: a Tracon, or anything else that has its handler, its prefix and its end. */
export type Hostable = {
  /** Path everything is served under, without a slash at its end. */
  readonly prefix: string;
  node(): (request: IncomingMessage, response: ServerResponse) => void;
  close(options?: { readonly graceMs?: number }): Promise<void>;
};

/** A running host. `await using` closes it too. */
export type TestHost<Hosted extends Hostable = Hostable> = AsyncDisposable & {
  /** `http://127.0.0.1:PORT/tracon`: the base URL of clients. */
  readonly url: string;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly tracon: Hosted;
  /** Cancels running runs, ends every connection and closes the stores. Later calls wait for the first. */
  close(): Promise<void>;
};

/**
 * Serves what `create` makes on a free port of 127.0.0.1:
 *
 *     const host = await startTestHost(() => createTracon({ …, storage: "memory:" }, { env: {} }));
 *
 * Rejects with what `create` rejects with; nothing is left open then.
 */
export async function startTestHost<Hosted extends Hostable>(
  create: () => Hosted | Promise<Hosted>,
): Promise<TestHost<Hosted>> {
  const tracon = await create();
  const server = createServer(tracon.node());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= end();
    return closing;
  };
  async function end(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    await tracon.close({ graceMs: 0 });
    server.closeAllConnections();
    await closed;
  }

  return { url: origin + tracon.prefix, origin, tracon, close, [Symbol.asyncDispose]: close };
}
