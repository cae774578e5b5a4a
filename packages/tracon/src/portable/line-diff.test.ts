import * as fc from "fast-check";
import { expect, it } from "vitest";
import { diffLines } from "./line-diff.ts";

it("shows removed and added lines with three lines around them", () => {
  const before = ["1", "2", "3", "4", "5", "6", "7", "8"].join("\n");

  expect(marked(before, before.replace("6", "six"))).toEqual([
    "gap:",
    "same:3",
    "same:4",
    "same:5",
    "removed:6",
    "added:six",
    "same:7",
    "same:8",
  ]);
});

it("finds what was put in between", () => {
  expect(marked("a\nb\nc", "a\nx\nb\nc\ny")).toEqual([
    "same:a",
    "added:x",
    "same:b",
    "same:c",
    "added:y",
  ]);
});

it("leads from any text to any other", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 4 })
    .map((it) => it.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const lines = diffLines(before, after);

      const without = (kind: string) =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join("\n");

      expect([without("added"), without("removed")]).toEqual([before, after]);
    }),
  );
});

it("takes a text as replaced that is too large to compare", () => {
  const many = (mark: string) => Array.from({ length: 2_500 }, (_, i) => `${mark}${i}`).join("\n");

  const kinds = diffLines(many("a"), many("b")).map(({ kind }) => kind);

  expect(kinds.indexOf("added")).toBe(2_500);
  expect(kinds).toHaveLength(5_000);
});

const marked = (before: string, after: string): readonly string[] =>
  diffLines(before, after).map(({ kind, text }) => `${kind}:${text}`);
