import { describe, expect, it } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { canonicalTag, cultureFindings, resolveCulture } from "./culture.ts";

const TEXTS = { tr: "t", "zh-Hant": "z", "zh-Hant-TW": "zt", "de-AT": "a", "en-a-bc": "x" };

describe("the text of a culture", () => {
  it.each([
    ["tr", "tr"],
    ["TR", "tr"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["ZH-HANT", "zh-Hant"],
    ["de-at", "de-AT"],
  ])(
    "is the one of its own tag: %s finds %s",
    covers("culture.exact-match-first"),
    (asked, found) => {
      expect(resolveCulture(TEXTS, asked)).toBe(found);
    },
  );

  it.each([
    ["tr-TR", "tr"],
    ["TR-tr", "tr"],
    ["tr-Latn-TR-x-any", "tr"],
    ["zh-Hant-HK", "zh-Hant"],
    ["zh-Hant-TW-u-co-stroke", "zh-Hant-TW"],
    ["de-AT-1996", "de-AT"],
  ])(
    "is its parent's at any depth without one: %s finds %s",
    covers("culture.parent-second"),
    (asked, found) => {
      expect(resolveCulture(TEXTS, asked)).toBe(found);
    },
  );

  it.each([
    "de",
    "de-DE",
    "zh",
    "zh-Hans-TW",
    "t",
    "trk",
    "en-a",
    "en",
    "",
    "*",
    "x-private",
    "../tr",
    "tr/",
    "tr\u0000",
    "tr_TR",
    " tr",
    "tr\n",
    "ṫr",
    "İ",
    "constructor",
    "__proto__",
    "tr,en;q=0.5",
    "a".repeat(1_024),
    "tr-".repeat(300),
  ])("is the default without either: %j", covers("culture.default-last"), (asked) => {
    expect(resolveCulture(TEXTS, asked)).toBeUndefined();
  });

  it("is the default when no culture is asked for or none has a text", () => {
    expect(resolveCulture(TEXTS, undefined)).toBeUndefined();
    expect(resolveCulture(undefined, "tr")).toBeUndefined();
    expect(resolveCulture({}, "tr")).toBeUndefined();
  });

  it("is found under any spelling of its key", () => {
    expect(resolveCulture({ "PT-br": "p" }, "pt-BR")).toBe("PT-br");
    expect(resolveCulture({ "PT-br": "p" }, "pt-BR-x-a")).toBe("PT-br");
    expect(resolveCulture({ iw: "h" }, "he-IL")).toBe("iw");
  });
});

describe("the keys", () => {
  it.each(["tr", "tr-TR", "zh-Hant-TW", "TR", "sr-latn", "de-CH-1996", "en-x-shop"])(
    "may be the tag %s",
    covers("culture.keys-are-bcp-47"),
    (key) => {
      expect(cultureFindings({ [key]: "text" })).toEqual([]);
    },
  );

  it.each(["", "*", "tr_TR", "../tr", "notalanguage", "t", "tr-", "tr\u0000", "x".repeat(1_024)])(
    "may not be %j",
    covers("culture.keys-are-bcp-47"),
    (key) => {
      expect(cultureFindings({ ok: "", [key]: "" })).toMatchObject([
        { code: "culture_invalid", path: `instructionsByCulture[${JSON.stringify(key)}]` },
      ]);
    },
  );

  it("may not be two spellings of one tag", () => {
    expect(cultureFindings({ "tr-TR": "", de: "", "TR-tr": "" })).toMatchObject([
      { code: "duplicate_name", path: 'instructionsByCulture["TR-tr"]' },
    ]);
  });

  it("may be missing altogether", () => {
    expect(cultureFindings(undefined)).toEqual([]);
  });
});

it("writes a tag in one way, whatever the host's language", () => {
  expect(["TR-tr", "zh-hANT-tw", "EN"].map(canonicalTag)).toEqual(["tr-TR", "zh-Hant-TW", "en"]);
  expect(canonicalTag("ıd")).toBeUndefined();
});
