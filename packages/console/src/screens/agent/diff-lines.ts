/**
 * The lines of two texts side by side: equal lines face each other, a removed block faces the added
 * block that took its place.
 */

export type DiffLine = { readonly number: number; readonly text: string };

export type DiffRow = {
  readonly kind: "same" | "changed";
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
};

/** Cells of the table that finds the longest common part; above it everything in between counts as changed. */
const MAX_TABLE_CELLS = 4_000_000;

export function diffLines(leftText: string, rightText: string): readonly DiffRow[] {
  const left = leftText.split("\n");
  const right = rightText.split("\n");
  const rows: DiffRow[] = [];
  let [i, j] = [0, 0];
  for (const [leftAt, rightAt] of [...commonLines(left, right), [left.length, right.length]]) {
    rows.push(...changedRows(left.slice(i, leftAt), right.slice(j, rightAt), { i, j }));
    if (leftAt < left.length) {
      const text = left[leftAt] ?? "";
      rows.push({
        kind: "same",
        left: { number: leftAt + 1, text },
        right: { number: rightAt + 1, text },
      });
    }
    [i, j] = [leftAt + 1, rightAt + 1];
  }
  return rows;
}

function changedRows(
  removed: readonly string[],
  added: readonly string[],
  { i, j }: { readonly i: number; readonly j: number },
): readonly DiffRow[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => ({
    kind: "changed",
    left: lineOf(removed, index, i),
    right: lineOf(added, index, j),
  }));
}

function lineOf(lines: readonly string[], index: number, offset: number): DiffLine | undefined {
  const text = lines[index];
  return text === undefined ? undefined : { number: offset + index + 1, text };
}

type Pair = readonly [leftAt: number, rightAt: number];

/** Indexes of a longest common subsequence, in order. */
function commonLines(left: readonly string[], right: readonly string[]): readonly Pair[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let tail = 0;
  const room = Math.min(left.length, right.length) - start;
  while (tail < room && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;

  const head = Array.from({ length: start }, (_, at): Pair => [at, at]);
  const middle = commonMiddle(
    left.slice(start, left.length - tail),
    right.slice(start, right.length - tail),
  ).map(([i, j]): Pair => [i + start, j + start]);
  const end = Array.from(
    { length: tail },
    (_, at): Pair => [left.length - tail + at, right.length - tail + at],
  );
  return [...head, ...middle, ...end];
}

function commonMiddle(left: readonly string[], right: readonly string[]): readonly Pair[] {
  const width = right.length + 1;
  if (left.length * width > MAX_TABLE_CELLS) return [];
  // lengths[i * width + j]: longest common part of left from i and right from j.
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        left[i] === right[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }

  return walk(left, right, lengths);
}

/** The pairs along the longest common part that the table describes. */
function walk(
  left: readonly string[],
  right: readonly string[],
  lengths: Uint32Array,
): readonly Pair[] {
  const width = right.length + 1;
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      pairs.push([i, j]);
      [i, j] = [i + 1, j + 1];
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) {
      i += 1;
    } else {
      j += 1;
    }
  }
  return pairs;
}

/** Rows with long stretches of equal ones left out: a number stands for that many. */
export function collapseSame(
  rows: readonly DiffRow[],
  contextRows: number,
): readonly (DiffRow | number)[] {
  const nearChange = rows.map((_, index) =>
    rows
      .slice(Math.max(0, index - contextRows), index + contextRows + 1)
      .some((row) => row.kind === "changed"),
  );
  const collapsed: (DiffRow | number)[] = [];
  for (const [index, row] of rows.entries()) {
    const last = collapsed.at(-1);
    if (nearChange[index] === true) collapsed.push(row);
    else if (typeof last === "number") collapsed[collapsed.length - 1] = last + 1;
    else collapsed.push(1);
  }
  return collapsed;
}
