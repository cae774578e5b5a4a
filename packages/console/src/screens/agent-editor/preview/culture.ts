/** Which text of a definition a culture reads, by the server's rules. */

/** The tag in its canonical spelling (`TR-tr` is `tr-TR`), or `undefined` when it is no BCP 47 tag. */
export function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    // Not well-formed: `getCanonicalLocales` knows no other way to say so.
    return undefined;
  }
}

/** The key that serves a culture: its own tag in any spelling, else a parent's, else none. */
export function resolveCulture(keys: readonly string[], culture: string): string | undefined {
  const keyOfTag = new Map(keys.map((key) => [canonicalTag(key) ?? key, key]));
  for (let tag = canonicalTag(culture); tag !== undefined; tag = parentOf(tag)) {
    const key = keyOfTag.get(tag);
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
