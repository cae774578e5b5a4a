/** Entity tags of agents: the version's number, which a name never gets twice. */

import { finding, TraconError } from "@tracon/core";

/** The tag of a version. */
export const etagOf = (version: number): string => `"${version}"`;

const IF_MATCH = /^"([1-9]\d{0,9})"$/;

/**
 * The version an `If-Match` header names, `any` for `*`, or `undefined` without the header. A tag
 * that is none of ours is refused: ignoring it would overwrite what the caller wanted protected.
 */
export function versionOfIfMatch(header: string | null): number | "any" | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  if (value === "*") return "any";
  const version = IF_MATCH.exec(value)?.[1];
  if (version !== undefined) return Number(version);
  const message = `give one ETag of this agent, such as "3", or *`;
  throw new TraconError("request_invalid", "the headers have findings", {
    findings: [finding("invalid_value", "headers.If-Match", message)],
  });
}
