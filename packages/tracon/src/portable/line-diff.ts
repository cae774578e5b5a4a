/** The lines that differ between two texts, with a little of what stands around them. */

export type DiffLine = {
  /** `gap` stands for equal lines that are left out. */
  readonly kind: "same" | "removed" | "added" | "gap";
  readonly text: string;
};

/** Equal lines shown before and after a difference. */
const CONTEXT_LINES = 3;
/**
 * Most pairs of lines that are compared with each other: 16 MB of table. Beyond it the whole middle
 * counts as replaced, which is right, only not the shortest way to say it.
 */
const MAX_PAIRS = 4_000_000;

/** The shortest way from one text to the other, line by line; removed lines before added ones. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const left = before.split("\n");
  const right = after.split("\n");
  const head = commonLength(left, right, (lines, index) => lines[index]);
  const tail = Math.min(
    commonLength(left, right, (lines, index) => lines[lines.length - 1 - index]),
    Math.min(left.length, right.length) - head,
  );
  return withGaps([
    ...left.slice(0, head).map(line("same")),
    ...diffMiddle(left.slice(head, left.length - tail), right.slice(head, right.length - tail)),
    ...left.slice(left.length - tail).map(line("same")),
  ]);
}

const line =
  (kind: DiffLine["kind"]) =>
  (text: string): DiffLine => ({ kind, text });

function commonLength(
  left: readonly string[],
  right: readonly string[],
  at: (lines: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && at(left, length) === at(right, length)) length++;
  return length;
}

function diffMiddle(left: readonly string[], right: readonly string[]): readonly DiffLine[] {
  const replaced = [...left.map(line("removed")), ...right.map(line("added"))];
  if (left.length * right.length > MAX_PAIRS) return replaced;
  const common = commonLengths(left, right);
  const width = right.length + 1;
  const result: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const [old, young] = [left[i], right[j]];
    if (old !== undefined && old === young) {
      result.push({ kind: "same", text: old });
      i++;
      j++;
    } else if (
      old !== undefined &&
      (young === undefined ||
        (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      result.push({ kind: "removed", text: old });
      i++;
    } else {
      result.push({ kind: "added", text: young ?? "" });
      j++;
    }
  }
  return result;
}

/** For each pair of positions, how many lines their rests have in common, in order. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint32Array {
  const width = right.length + 1;
  const common = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      common[i * width + j] =
        left[i] === right[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  return common;
}

function withGaps(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind === "same") return;
    isNear.fill(1, Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1);
  });
  return lines.flatMap((it, index) => {
    if (isNear[index] === 1) return [it];
    return index === 0 || isNear[index - 1] === 1 ? [{ kind: "gap", text: "" } as const] : [];
  });
}
