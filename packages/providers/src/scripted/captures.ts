/** A capture: `word:` and the beginning of the word to look for, such as `word:ORD-`. */
export const CAPTURE = /^word:[\p{L}\p{N}_-]{1,64}$/u;

const NOT_OF_A_WORD = /[^\p{L}\p{N}_-]+/u;

/**
 * The words a rule's captures find in a message, or `undefined` when one finds none. The beginning
 * is compared without regard to case and given back as the script writes it, so that `ord-3` and
 * `ORD-3` call a tool with the same id.
 */
export function captureWords(
  captures: Readonly<Record<string, string>>,
  message: string,
): ReadonlyMap<string, string> | undefined {
  const words = message.split(NOT_OF_A_WORD);
  const found = new Map<string, string>();
  for (const [name, capture] of Object.entries(captures)) {
    const prefix = capture.slice("word:".length);
    const word = words.find(
      (it) => it.length > prefix.length && it.toLowerCase().startsWith(prefix.toLowerCase()),
    );
    if (word === undefined) return undefined;
    found.set(name, prefix + word.slice(prefix.length));
  }
  return found;
}
