import fc from "fast-check";
import { expect, it } from "vitest";
import { cutText } from "./cut-text.ts";

it("keeps a text that is short enough", () => {
  expect(cutText("abc", 3)).toBe("abc");
});

it("cuts before a character that does not fit whole", () => {
  expect(cutText("ab😀", 3)).toBe("ab");
  expect(cutText("ab😀c", 4)).toBe("ab😀");
});

it("gives a beginning of the text that is as well formed as the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, maxLength) => {
      const cut = cutText(text, maxLength);

      expect(text.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(maxLength);
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, maxLength) - 1);
    }),
  );
});
