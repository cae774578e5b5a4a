/**
 * What a host passes beside a request, whichever host it is. Only the peer's address matters: it
 * decides whether a call without a credential may be answered.
 */

import type { ConnectionInfo } from "@tracon/server";

/** An address that is nobody's: a call that came over a network from we know not where. */
const UNKNOWN_ADDRESS = "unknown";

/**
 * The address from what Hono's Node server, Deno, Bun or a caller of ours passes. Nothing passed at
 * all is a call from within the process; something without an address is a call from anywhere.
 */
export function connectionInfo(request: Request, connection: unknown): ConnectionInfo {
  if (connection === undefined) return {};
  return { remoteAddress: addressOf(request, connection) ?? UNKNOWN_ADDRESS };
}

function addressOf(request: Request, connection: unknown): string | undefined {
  const direct = member(connection, "remoteAddress");
  if (typeof direct === "string") return direct;
  const incoming = member(member(member(connection, "incoming"), "socket"), "remoteAddress");
  if (typeof incoming === "string") return incoming;
  const deno = member(member(connection, "remoteAddr"), "hostname");
  if (typeof deno === "string") return deno;
  const requestIp = member(connection, "requestIP");
  if (typeof requestIp !== "function") return undefined;
  const bun = member(requestIp.call(connection, request), "address");
  return typeof bun === "string" ? bun : undefined;
}

function member(value: unknown, key: string): unknown {
  return value !== null && typeof value === "object" ? Reflect.get(value, key) : undefined;
}
