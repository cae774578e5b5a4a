/**
 * Building blocks of the schemas: how a member of a definition or a request is read.
 *
 * Reading is forgiving where the wire contract says so (enum members in any case, `null` for
 * "not given") and strict everywhere else: an unknown member is refused, never dropped.
 */

import * as z from "zod";

/** Longest text a definition may hold in one member, in UTF-16 units: 256 KiB of ASCII. */
export const MAX_TEXT_LENGTH = 262_144;
/** Most entries of a list in a definition. A longer list is a mistake, not a use. */
export const MAX_LIST_LENGTH = 256;
/** Longest name of anything a definition can point at. */
export const MAX_NAME_LENGTH = 128;

/** An enum whose members are PascalCase on the wire and read in any case. */
export function enumMember<const Names extends readonly [string, ...string[]]>(names: Names) {
  const byLowerCase = new Map<string, string>(names.map((name) => [name.toLowerCase(), name]));
  const canonical = (value: unknown) =>
    typeof value === "string" ? (byLowerCase.get(value.toLowerCase()) ?? value) : value;
  return z.preprocess(canonical, z.enum(names));
}

/** A list that reads as empty when it is left out. */
export const list = <Item extends z.ZodType>(item: Item) =>
  z.array(item).max(MAX_LIST_LENGTH).default([]);

/** A switch that is off when it is left out. */
export const flag = () => z.boolean().default(false);

/** A text of bounded length. */
export const text = (maxLength: number = MAX_TEXT_LENGTH) => z.string().max(maxLength);

/**
 * A name that also works as a path segment and in a model's tool list: letters and digits of any
 * script, inside also `.`, `_`, `-` and single spaces. Compared after Unicode normalization (NFC).
 */
export const nameText = () =>
  z
    .string()
    .max(MAX_NAME_LENGTH)
    .regex(
      /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._ -]*[\p{L}\p{N}\p{M}._-])?$/u,
      "use letters, digits, '.', '_', '-' and inner spaces, starting with a letter or digit",
    )
    .refine((name) => !name.includes("  "), "use single spaces")
    .normalize("NFC");

/** The name of something registered elsewhere; whether it exists is the compiler's question. */
export const referenceText = () => z.string().min(1).max(MAX_NAME_LENGTH);

/** A whole number of at least `minimum`. */
export const count = (minimum = 1) => z.int().min(minimum).max(2_147_483_647);

/** A JSON object whose content is not looked at. */
export const jsonObject = () => z.record(z.string(), z.unknown());

/**
 * Reads what a user sent: refuses members named `__proto__` at any depth, which schemas would drop
 * without a word, and then applies `normalize`.
 */
export const fromUser = <Schema extends z.ZodType>(
  normalize: (value: unknown) => unknown,
  schema: Schema,
) =>
  z.preprocess((value, context) => {
    for (const path of protoPaths(value, [])) {
      const input = value as Readonly<Record<string, unknown>>;
      context.issues.push({ code: "unrecognized_keys", keys: ["__proto__"], path, input });
    }
    return normalize(value);
  }, schema);

/** Where members named `__proto__` stand. Hardly ever anywhere, so looking costs no allocation. */
function protoPaths(value: unknown, path: readonly PropertyKey[]): PropertyKey[][] {
  if (!holdsProto(value)) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => protoPaths(item, [...path, index]));
  }
  return Object.entries(value as object).flatMap(([key, member]) =>
    key === "__proto__" ? [[...path]] : protoPaths(member, [...path, key]),
  );
}

function holdsProto(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.some(holdsProto);
  if (Object.hasOwn(value, "__proto__")) return true;
  for (const key of Object.keys(value)) {
    if (holdsProto((value as Readonly<Record<string, unknown>>)[key])) return true;
  }
  return false;
}

/**
 * Removes members that are `null`, at any depth, because `null` means "not given" in a request.
 * The content of members named in `opaque` is kept as it is: there `null` is a value.
 */
export function withoutNullMembers(value: unknown, opaque: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNullMembers(item, opaque));
  if (value === null || typeof value !== "object") return value;

  const kept: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    // What is named `__proto__` was refused before; it only must not be refused twice.
    if (member === null || member === undefined || key === "__proto__") continue;
    kept.push([key, opaque.has(key) ? member : withoutNullMembers(member, opaque)]);
  }
  return Object.fromEntries(kept);
}
