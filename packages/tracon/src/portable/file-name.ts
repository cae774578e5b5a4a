import { contentHash } from "@tracon/core";
import type { TextFormat } from "./definition-text.ts";
import { LOCK_FILE } from "./lock-file.ts";

/** Longest name kept as it is, in UTF-8 bytes; file systems end at 255. */
const MAX_NAME_BYTES = 200;
/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * File names for agents, one each, the same whatever else is exported, but for names that differ in
 * case only: many file systems take those for one.
 */
export function fileNamesOf(
  names: readonly string[],
  format: TextFormat,
): ReadonlyMap<string, string> {
  const spellings = new Map<string, number>();
  for (const name of names) {
    const key = name.toLowerCase();
    spellings.set(key, (spellings.get(key) ?? 0) + 1);
  }
  return new Map(
    names.map((name) => {
      const isPlain = (spellings.get(name.toLowerCase()) ?? 0) === 1 && isSafe(name, format);
      return [name, `${isPlain ? name : marked(name)}.${format}`];
    }),
  );
}

const isSafe = (name: string, format: TextFormat): boolean =>
  Buffer.byteLength(name) <= MAX_NAME_BYTES &&
  !DEVICE.test(name) &&
  `${name}.${format}`.toLowerCase() !== LOCK_FILE;

/** As much of the name as fits and a mark that tells it apart. */
function marked(name: string): string {
  let head = name;
  while (Buffer.byteLength(head) > MAX_NAME_BYTES) head = Array.from(head).slice(0, -1).join("");
  return `${head.replace(DEVICE, "$1-")}-${contentHash(name).slice(0, 8)}`;
}
