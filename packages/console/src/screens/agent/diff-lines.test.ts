import fc from "fast-check";
import { expect, it } from "vitest";
import { collapseSame, type DiffRow, diffLines } from "./diff-lines.ts";

it("puts equal lines and the changed ones between them face to face", () => {
  const rows = diffLines("{\n  a: 1,\n  b: 2\n}", "{\n  a: 1,\n  b: 3,\n  c: 4\n}");

  expect(rows.map(summary)).toEqual([
    "1 { | 1 {",
    "2   a: 1, | 2   a: 1,",
    "3   b: 2 <> 3   b: 3,",
    " <> 4   c: 4",
    "4 } | 5 }",
  ]);
});

it("finds the longest common part between changes", () => {
  const rows = diffLines("a\nb\nc\nd\ne", "x\nb\nd\ny");

  expect(rows.map(summary)).toEqual([
    "1 a <> 1 x",
    "2 b | 2 b",
    "3 c <> ",
    "4 d | 3 d",
    "5 e <> 4 y",
  ]);
});

it("has only equal rows for equal texts", () => {
  expect(diffLines("a\nb", "a\nb").every((row) => row.kind === "same")).toBe(true);
});

it("holds every line of both sides once, in order, whatever the texts", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 12 })
    .map((lines) => lines.join("\n"));

  fc.assert(
    fc.property(text, text, (left, right) => {
      const rows = diffLines(left, right);

      expect(rows.flatMap((row) => row.left?.text ?? []).join("\n")).toBe(left);
      expect(rows.flatMap((row) => row.right?.text ?? []).join("\n")).toBe(right);
      for (const { kind, left: before, right: after } of rows) {
        if (kind === "same") expect(before?.text).toBe(after?.text);
      }
    }),
  );
});

it("leaves out what is far from a change", () => {
  const lines = Array.from({ length: 9 }, (_, index) => String(index));
  const changed = lines.with(4, "x");

  const collapsed = collapseSame(diffLines(lines.join("\n"), changed.join("\n")), 1);

  expect(collapsed.map((row) => (typeof row === "number" ? row : summary(row)))).toEqual([
    3,
    "4 3 | 4 3",
    "5 4 <> 5 x",
    "6 5 | 6 5",
    3,
  ]);
});

const side = (line: DiffRow["left"]) => (line === undefined ? "" : `${line.number} ${line.text}`);
const summary = ({ kind, left, right }: DiffRow) =>
  `${side(left)} ${kind === "same" ? "|" : "<>"} ${side(right)}`.replace(/^ <>/, " <>");
