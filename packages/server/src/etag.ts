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

/** The condition of a delete. */
export const IF_MATCH_OF_DELETE: HeaderSpec = {
  ...IF_MATCH,
  description:
    "The `ETag` of the version that is to go. A delete is refused when somebody saved another one since.",
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

/** What the request's condition says of the version a save or a delete is based on. */
export function basedOnOf(request: Request): { readonly basedOn?: number | "any" } {
  const basedOn = versionOfIfMatch(request.headers.get("if-match"));
  return basedOn === undefined ? {} : { basedOn };
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
  throw new TraconError("request_invalid", "the headers have findings", {
    findings: [
      finding(
        "invalid_value",
        "headers.If-Match",
        'give one ETag of this agent, such as "3", or *',
      ),
    ],
  });
}
