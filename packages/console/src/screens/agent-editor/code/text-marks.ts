import type { EditorFinding } from "../editor-finding.ts";
import { isWithin, type Path, parsePath } from "../form/json-path.ts";
import { locatePath } from "../locate-path.ts";
import type { TextMark } from "./text-editor.ts";

/**
 * Findings at their places in a JSON text, which holds what stands at `root` of the definition.
 * A text that cannot be read has one mark, where the parser stopped.
 */
export function marksIn(
  text: string,
  findings: readonly EditorFinding[],
  root: Path = [],
): readonly TextMark[] {
  const unreadable = unreadableMark(text);
  if (unreadable !== undefined) return unreadable;
  return findings.flatMap(({ path, message, severity }) => {
    const at = parsePath(path);
    // What is said of the definition as a whole has no place in it.
    if (at.length === 0 || !isWithin(at, root)) return [];
    const place = locatePath(text, at.slice(root.length));
    return [
      {
        start: place.start,
        end: Math.min(place.end, lineEndAfter(text, place.start)),
        message,
        severity: severity === "Error" ? "error" : "warning",
      } as const,
    ];
  });
}

/** All lines of a long value are no place to look at; its first one is. */
function lineEndAfter(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

function unreadableMark(text: string): readonly TextMark[] | undefined {
  if (text.trim() === "") return [];
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = error as SyntaxError;
    const start = Math.min(stopOf(message, text), text.length - 1);
    return [{ start, end: start + 1, message, severity: "error" }];
  }
}

/** Where the parser of the browser says that it stopped; the end when it does not say. */
function stopOf(message: string, text: string): number {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line === undefined || column === undefined) return text.length;
  const before = text.split("\n").slice(0, Number(line) - 1);
  return before.join("\n").length + (before.length > 0 ? 1 : 0) + Number(column) - 1;
}
