/**
 * How an editor that counts in lines gives back the line ends it was given.
 *
 * An editor of the platform, and CodeMirror by default, reads every kind of line end and writes one,
 * so a text that came from another system would change on every line with the first key pressed.
 */

export type LineEnds = {
  /** What the editor splits its text at; by default at every kind of line end. */
  readonly separator: string | undefined;
  /** What stands between two lines of the text that is given back. */
  readonly written: string;
};

const ANY = /\r\n?|\n/g;

export function lineEndsOf(text: string): LineEnds {
  const kinds = new Set(text.match(ANY));
  if (!text.includes("\r")) return { separator: undefined, written: "\n" };
  if (kinds.size === 1 && kinds.has("\r\n")) return { separator: undefined, written: "\r\n" };
  // Several kinds, or bare carriage returns: these stay in their lines as characters of their own.
  return { separator: "\n", written: "\n" };
}

/** Text from elsewhere has the line ends of where it came from. */
export const withPlainLineEnds = (text: string): string => text.replace(ANY, "\n");
