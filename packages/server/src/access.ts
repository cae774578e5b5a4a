/**
 * Who is answered, in three layers:
 *
 *   open     everyone                                        `/api/meta`
 *   shell    the loopback rule, no credential                console files, reference pages: no data
 *   guarded  the loopback rule and, with a token, the token  everything else
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { assert, TraconError } from "@tracon/core";
import { isRemote, namesLoopback } from "./loopback.ts";
import type { ConnectionInfo } from "./server-options.ts";

export type Access = "open" | "shell" | "guarded";

/** Why a request is not answered, or `undefined` when it is. */
export type Gate = (
  request: Request,
  info: ConnectionInfo,
  access: Access,
) => TraconError | undefined;

const BEARER = /^bearer +(\S+) *$/i;

export function createGate(options: {
  readonly token: string | undefined;
  readonly allowRemote: boolean;
}): Gate {
  const { token, allowRemote } = options;
  assert(token === undefined || token !== "", "a configured token is not empty");
  const expected = token === undefined ? undefined : digest(token);

  return (request, info, access) => {
    if (access === "open") return undefined;
    if (isRemote(request.headers, info.remoteAddress)) {
      const refusal = refusalOfRemote(expected !== undefined, allowRemote);
      if (refusal !== undefined) return refusal;
    }
    if (expected === undefined) return namesLoopback(request) ? undefined : hostRefusal();
    return access === "shell" ? undefined : checkToken(request.headers, expected);
  };
}

function refusalOfRemote(hasToken: boolean, allowRemote: boolean): TraconError | undefined {
  if (!hasToken) return hostRefusal();
  if (allowRemote) return undefined;
  return new TraconError("forbidden", "requests from other machines are off; set allowRemote");
}

const hostRefusal = () =>
  new TraconError(
    "host_not_allowed",
    "without a configured token only requests from and to this machine are answered",
  );

function checkToken(headers: Headers, expected: Buffer): TraconError | undefined {
  const header = headers.get("authorization");
  if (header === null) {
    return new TraconError("unauthorized", "send the token as 'Authorization: Bearer …'");
  }
  const given = BEARER.exec(header)?.[1] ?? "";
  // Digests have one length, so the comparison tells nothing of the token, not even that.
  if (timingSafeEqual(digest(given), expected)) return undefined;
  return new TraconError("unauthorized", "the token is not valid");
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
