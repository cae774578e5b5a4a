/**
 * Which instructions a run reads: the exact tag, else its parent at any depth, else the default.
 * Choosing never fails; a tag that is none simply matches nothing.
 */

import { type Finding, finding } from "@tracon/core";

/** The tag in its canonical spelling (`TR-tr` is `tr-TR`), or `undefined` when it is no BCP 47 tag. */
export function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    // Not well-formed: `getCanonicalLocales` knows no other way to say so.
    return undefined;
  }
}

/**
 * The key of `instructionsByCulture` that serves a culture, or `undefined` for the default
 * instructions. Every spelling of a tag finds the same key.
 */
export function resolveCulture(
  instructionsByCulture: Readonly<Record<string, string>> | undefined,
  culture: string | undefined,
): string | undefined {
  if (culture === undefined || instructionsByCulture === undefined) return undefined;
  const asked = canonicalTag(culture);
  if (asked === undefined) return undefined;
  const keys = new Map(
    Object.keys(instructionsByCulture).map((key) => [canonicalTag(key) ?? key, key]),
  );
  for (let tag: string | undefined = asked; tag !== undefined; tag = parentOf(tag)) {
    const key = keys.get(tag);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** The tag without its last subtag, and without a single letter left at its end (RFC 4647, 3.4). */
function parentOf(tag: string): string | undefined {
  const subtags = tag.split("-").slice(0, -1);
  if (subtags.at(-1)?.length === 1) subtags.pop();
  return subtags.length === 0 ? undefined : subtags.join("-");
}

/** Where the text of a culture stands in its definition. */
export const culturePath = (key: string): string => `instructionsByCulture[${JSON.stringify(key)}]`;

/** Keys that are no tags, and keys that are two spellings of one. */
export function cultureFindings(
  instructionsByCulture: Readonly<Record<string, string>> | undefined,
): Finding[] {
  const seen = new Map<string, string>();
  return Object.keys(instructionsByCulture ?? {}).flatMap((key) => {
    const path = culturePath(key);
    const tag = canonicalTag(key);
    if (tag === undefined) {
      return [finding("culture_invalid", path, "is not a BCP 47 tag such as 'tr' or 'tr-TR'")];
    }
    const other = seen.get(tag);
    seen.set(tag, key);
    if (other === undefined) return [];
    return [finding("duplicate_name", path, `'${key}' and '${other}' are the same culture`)];
  });
}
