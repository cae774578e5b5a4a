import { memoryLog } from "@tracon/testing";
import { afterEach, expect, it } from "vitest";
import { createTracon } from "../create-tracon.ts";
import type { Tracon } from "../tracon.ts";
import { connectionInfo } from "./connection-info.ts";

const request = new Request("http://localhost/tracon/api/agents");
const opened: Tracon[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((tracon) => tracon.close()));
});

it.each<[string, unknown]>([
  ["a caller of ours", { remoteAddress: "192.0.2.7" }],
  ["Hono on Node", { incoming: { socket: { remoteAddress: "192.0.2.7" } }, outgoing: {} }],
  ["Deno", { remoteAddr: { transport: "tcp", hostname: "192.0.2.7", port: 1 } }],
  ["Bun", bun({ address: "192.0.2.7", port: 1, family: "IPv4" })],
])("reads the peer's address from what %s passes", (_host, connection) => {
  expect(connectionInfo(request, connection)).toEqual({ remoteAddress: "192.0.2.7" });
});

it("takes a call with nothing beside it for one from within the process", () => {
  expect(connectionInfo(request, undefined)).toEqual({});
});

it.each<[string, unknown]>([
  ["Next's route context", { params: Promise.resolve({}) }],
  ["Cloudflare's bindings", { DATABASE: {} }],
  ["Bun with a closed socket", bun(null)],
  ["Hono with a closed socket", { incoming: { socket: {} } }],
  ["null", null],
])("takes %s for a call from somewhere unknown", (_host, connection) => {
  expect(connectionInfo(request, connection)).toEqual({ remoteAddress: "unknown" });
});

it("answers without a token only who is known to be on this machine", async () => {
  const tracon = await open();

  const local = await tracon.fetch(request, { remoteAddress: "127.0.0.1" });
  const inProcess = await tracon.fetch(request);
  const remote = await tracon.fetch(request, { remoteAddr: { hostname: "192.0.2.7" } });
  const unknown = await tracon.fetch(request, {});

  expect([local, inProcess, remote, unknown].map(({ status }) => status)).toEqual([
    200, 200, 403, 403,
  ]);
});

it("answers another machine only with the token, and only when that is allowed", async () => {
  const opening = await open({ TRACON_TOKEN: "secret" }, true);
  const closing = await open({ TRACON_TOKEN: "secret" }, false);
  const withToken = new Request(request.url, { headers: { authorization: "Bearer secret" } });
  const far = { remoteAddress: "192.0.2.7" };

  const statuses = [
    await opening.fetch(withToken, far),
    await opening.fetch(request, far),
    await closing.fetch(withToken, far),
  ].map(({ status }) => status);

  expect(statuses).toEqual([200, 401, 403]);
});

function bun(address: unknown) {
  return {
    address,
    requestIP(this: { address: unknown }) {
      return this.address;
    },
  };
}

async function open(env = {}, allowRemote = false): Promise<Tracon> {
  const config = { storage: "memory:", log: memoryLog() };
  const tracon = await createTracon(config, { env, allowRemote });
  opened.push(tracon);
  return tracon;
}
