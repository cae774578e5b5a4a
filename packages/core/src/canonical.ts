/**
 * The canonical form of a JSON value and its hash: equal for equal meaning, whatever the order of
 * members and whether an absent member was left out or written as `undefined`.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** JSON text with members in code-unit order and no white space (the order of RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** SHA-256 of the canonical form, as 64 hexadecimal digits. */
export const contentHash = (value: unknown): string =>
  bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
