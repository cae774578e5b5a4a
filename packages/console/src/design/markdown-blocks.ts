/**
 * Cuts markdown at blank lines outside of fences, lists and quotes, so that while an answer grows
 * only its last block is parsed again. Joined with blank lines the blocks are the text.
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/**
 * Lines that may belong to what stands before them also after a blank line: indented ones, list
 * items, quotes, link definitions. Half a marker counts, so that a growing line does not move.
 */
const CONTINUES = /^(?:\s|(?:[-*+]|\d+[.)]?)(?:\s|$)|>|\[)/;

export function markdownBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let current: string[] = [];
  let fence: string | undefined;
  let previousIsBlank = false;

  for (const line of text.split("\n")) {
    const startsBlock =
      fence === undefined && previousIsBlank && line.trim() !== "" && !CONTINUES.test(line);
    if (startsBlock && current.length > 0) {
      blocks.push(current.join("\n").trimEnd());
      current = [];
    }
    fence = fenceAfter(line, fence);
    previousIsBlank = line.trim() === "";
    current.push(line);
  }
  const last = current.join("\n").trimEnd();
  return last === "" ? blocks : [...blocks, last];
}

function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark;
  const closes = mark.startsWith(fence) && line.trim() === mark;
  return closes ? undefined : fence;
}
