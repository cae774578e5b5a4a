/** Entity tags of agents: the version's number, which a name never gets twice. */

import { finding, TraconError } from "@tracon/core";
import type { SavedAgent } from "@tracon/engine";
import type { HeaderSpec } from "./route.ts";

/** What the header says of an answer, for the API's description. */
export const ETAG = "Names the version, for `If-Match`.";
/** What `Tracon-Unchanged` says of a save. */
export const UNCHANGED = "`true` when the content equals the version before.";

/** The condition of a save. */
export const IF_MATCH: HeaderSpec = {
  name: "If-Match",
  description:
    "The `ETag` of the version this one is based on. A save based on an older version is refused instead of overwriting.",
  example: '"3"',
};

/** The tag of a version. */
export const etagOf = (version: number): string => `"${version}"`;

/** Headers of the answer to a save. */
export const saveHeaders = ({ definition, unchanged }: SavedAgent): Record<string, string> => ({
  etag: etagOf(definition.version),
  ...(unchanged ? { "tracon-unchanged": "true" } : {}),
});

const MAX_VERSION = 2_147_483_647;
const TAG = /^"([1-9]\d{0,9})"$/;

/** What the request's condition says of the version a save is based on. */
export function basedOnOf(request: Request): { readonly basedOn?: number | "any" } {
  const basedOn = versionOfIfMatch(request.headers.get("if-match"));
  return basedOn === undefined ? {} : { basedOn };
}

/** A condition that cannot be kept is refused: doing without it would do what it was to prevent. */
export function refuseIfMatch(request: Request): void {
  if (request.headers.get("if-match") === null) return;
  throw headerRefused("a delete takes no condition; leave the header out");
}

/**
 * The version an `If-Match` header names, `any` for `*`, or `undefined` without the header. A tag
 * that is none of ours is refused: ignoring it would overwrite what the caller wanted protected.
 */
function versionOfIfMatch(header: string | null): number | "any" | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  if (value === "*") return "any";
  const version = Number(TAG.exec(value)?.[1]);
  if (version <= MAX_VERSION) return version;
  throw headerRefused(`give one ETag of this agent, such as "3", or *`);
}

const headerRefused = (message: string): TraconError =>
  new TraconError("request_invalid", "the headers have findings", {
    findings: [finding("invalid_value", "headers.If-Match", message)],
  });
