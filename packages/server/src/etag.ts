/** Entity tags of agents: the version's number, which a name never gets twice. */

import { finding, TraconError } from "@tracon/core";
import type { SavedAgent } from "@tracon/engine";

/** What the header says of an answer, for the API's description. */
export const ETAG = "Names the version, for `If-Match`.";
/** What `Tracon-Unchanged` says of a save. */
export const UNCHANGED = "`true` when the content equals the version before.";

/** The tag of a version. */
export const etagOf = (version: number): string => `"${version}"`;

/** Headers of the answer to a save. */
export const saveHeaders = ({ definition, unchanged }: SavedAgent): Record<string, string> => ({
  etag: etagOf(definition.version),
  ...(unchanged ? { "tracon-unchanged": "true" } : {}),
});

const MAX_VERSION = 2_147_483_647;
const IF_MATCH = /^"([1-9]\d{0,9})"$/;

/**
 * The version an `If-Match` header names, `any` for `*`, or `undefined` without the header. A tag
 * that is none of ours is refused: ignoring it would overwrite what the caller wanted protected.
 */
export function versionOfIfMatch(header: string | null): number | "any" | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  if (value === "*") return "any";
  const version = Number(IF_MATCH.exec(value)?.[1]);
  if (version <= MAX_VERSION) return version;
  const message = `give one ETag of this agent, such as "3", or *`;
  throw new TraconError("request_invalid", "the headers have findings", {
    findings: [finding("invalid_value", "headers.If-Match", message)],
  });
}
