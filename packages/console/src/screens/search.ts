/**
 * Reading the members of an address. What does not fit is left out: a link somebody mistyped still
 * opens the screen.
 */

type Member<Key extends string, Value> = { readonly [K in Key]?: Value };

const member = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as Member<Key, Value>;

/** A member that is one of `names`. */
export const choice = <Key extends string, const Name extends string>(
  key: Key,
  value: unknown,
  names: readonly Name[],
): Member<Key, Name> =>
  member(
    key,
    names.find((name) => name === value),
  );

/** A member that is a text. The router reads digits as a number. */
export const text = <Key extends string>(key: Key, value: unknown): Member<Key, string> =>
  member(key, typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** A member that is a whole number above 0. */
export const wholeNumber = <Key extends string>(key: Key, value: unknown): Member<Key, number> =>
  member(
    key,
    typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined,
  );
