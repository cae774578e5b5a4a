/** Places in a JSON document: reading them, writing them without touching anything else. */

export type Path = readonly (string | number)[];
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** What stands at a place; `undefined` when there is nothing, `null` included: it means "not given". */
export function readAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (Array.isArray(at) && typeof key === "number") at = at[key];
    else if (isJsonObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at ?? undefined;
}

/**
 * The document with one place changed; everything else is the very same values in the same order.
 * `undefined` removes the member or the item. Objects on the way that are missing are made.
 */
export function writeAt(value: unknown, path: Path, next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (next === undefined && readAt(value, [key]) === undefined && !holds(value, key)) return value;
  return typeof key === "number"
    ? writeItem(value, [key, rest], next)
    : writeMember(value, [key, rest], next);
}

const holds = (value: unknown, key: string | number): boolean =>
  value !== null && typeof value === "object" && Object.hasOwn(value, key);

function writeItem(value: unknown, [index, rest]: readonly [number, Path], next: unknown): unknown {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  if (rest.length === 0 && next === undefined) return items.toSpliced(index, 1);
  const item = writeAt(items[index], rest, next);
  return index < items.length ? items.with(index, item) : [...items, item];
}

function writeMember(value: unknown, [key, rest]: readonly [string, Path], next: unknown): unknown {
  const object = isJsonObject(value) ? value : {};
  if (rest.length === 0 && next === undefined) {
    const { [key]: _, ...others } = object;
    return others;
  }
  return { ...object, [key]: writeAt(object[key], rest, next) };
}

/** Whether two documents mean the same: the order of members does not matter. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length && left.every((item, index) => sameJson(item, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]))
  );
}

const SEGMENT = /\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g;

/** The path of a finding: `criteria[0].kind`, and `texts["de-AT"]` for keys that are no plain names. */
export const parsePath = (text: string): Path =>
  Array.from(text.matchAll(SEGMENT), ([, index, quoted, name]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? (name ?? "") : (JSON.parse(`"${quoted}"`) as string);
  });

/** The same in writing. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    if (/[.[\]"]/.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");

/** Whether a place is `ancestor` or lies below it. */
export const isWithin = (path: Path, ancestor: Path): boolean =>
  ancestor.every((key, index) => path[index] === key);
