import { expect, it } from "vitest";
import { canonicalTag, resolveCulture } from "./culture.ts";

it.each([
  ["tr-TR", "tr-TR"],
  ["TR-tr", "tr-TR"],
  ["tr-CY", "tr"],
  ["zh-Hant-TW", "zh-Hant"],
  ["de", undefined],
  ["not a tag", undefined],
])("serves %s with %s", (asked, key) => {
  expect(resolveCulture(["tr", "tr-TR", "zh-Hant"], asked)).toBe(key);
});

it("finds a key in whatever spelling it has", () => {
  expect(resolveCulture(["TR-tr"], "tr-TR")).toBe("TR-tr");
});

it("skips a single letter that begins an extension", () => {
  expect(resolveCulture(["en"], "en-u-ca-gregory")).toBe("en");
});

it("knows what is no tag", () => {
  expect(canonicalTag("tr_TR")).toBeUndefined();
  expect(canonicalTag("")).toBeUndefined();
});
