import { EditorState } from "@codemirror/state";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lineEndsOf, withPlainLineEnds } from "./line-ends.ts";

it("gives every text back as it was", () => {
  const piece = fc.constantFrom("a", "{{b}}", "\n", "\r\n", "\r", "\u2028", "\u0085", "");

  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");

      expect(edited(text, 0, "")).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ["lines of one system", "a\nb\n", "a\n\nb\n"],
  ["lines of another", "a\r\nb\r\n", "a\r\n\r\nb\r\n"],
  ["lines of several", "a\rb\r\nc\n", "a\n\rb\r\nc\n"],
])("writes a new line into %s and leaves the others", (_, text, expected) => {
  expect(edited(text, 1, "\n")).toBe(expected);
});

it("takes over no line ends of a pasted text", () => {
  expect(withPlainLineEnds("a\r\nb\rc\nd")).toBe("a\nb\nc\nd");
});

function edited(text: string, at: number, insert: string): string {
  const { separator, written } = lineEndsOf(text);
  const state = EditorState.create({
    doc: text,
    extensions: separator === undefined ? [] : [EditorState.lineSeparator.of(separator)],
  });
  const { doc } = state.update({ changes: { from: at, insert: state.toText(insert) } }).state;
  return [...doc.iterLines()].join(written);
}
