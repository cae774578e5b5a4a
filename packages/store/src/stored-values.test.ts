import fc from "fast-check";
import { expect, it } from "vitest";
import { isoTime, originalText, storedText, storedTime } from "./stored-values.ts";

/** Any UTF-16, with what needs escaping more often than chance would have it. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("\u0000", "\u0010", "\u00100000", "\uD83D", "\uDE00", "\u{1F600}", "a"),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
  )
  .map((parts) => parts.join(""));

it("stores every text so that it comes back as it was", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(originalText(storedText(text))).toBe(text);
    }),
  );
});

it("stores only what both engines can hold", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const stored = storedText(text);

      expect(stored.isWellFormed()).toBe(true);
      expect(stored).not.toContain("\u0000");
    }),
  );
});

it("leaves ordinary text as it is", () => {
  const text = 'Grüße \u{1F600}\n"\\u0000"';

  expect(storedText(text)).toBe(text);
});

it("keeps times to the millisecond, in one form", () => {
  expect(isoTime(storedTime("2026-01-01T00:00:00Z"))).toBe("2026-01-01T00:00:00.000Z");
  expect(isoTime(storedTime("2026-01-01T01:00:00.001+01:00"))).toBe("2026-01-01T00:00:00.001Z");
});

it("refuses what is not a time", () => {
  expect(() => storedTime("yesterday")).toThrow(RangeError);
});

it("writes every time as the platform does", () => {
  const MAX_TIME = 8.64e15;
  const anyTime = fc.oneof(
    fc.integer({ min: -MAX_TIME, max: MAX_TIME }),
    fc.integer({ min: 0, max: 4e12 }),
    fc.constantFrom(0, -1, 86_399_999, 86_400_000, MAX_TIME, -MAX_TIME),
  );

  fc.assert(
    fc.property(anyTime, (time) => {
      expect(isoTime(time)).toBe(new Date(time).toISOString());
    }),
  );
});
