import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const TEXT = [
  "ink",
  "muted",
  "faint",
  "accent",
  "running",
  "good",
  "waiting",
  "failed",
  "idle",
] as const;
const GROUNDS = ["canvas", "surface", "raised"] as const;
const MINIMUM_TEXT = 4.5;
const MINIMUM_GRAPHICS = 3;

const colors = readColors();

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  it.each(TEXT)("text in %s is readable on every ground", (name) => {
    for (const ground of GROUNDS) {
      expect(contrast(theme, name, ground), ground).toBeGreaterThanOrEqual(MINIMUM_TEXT);
    }
  });

  it("text on the accent and its soft ground is readable", () => {
    expect(contrast(theme, "on-accent", "accent")).toBeGreaterThanOrEqual(MINIMUM_TEXT);
    expect(contrast(theme, "ink", "accent-soft")).toBeGreaterThanOrEqual(MINIMUM_TEXT);
    expect(contrast(theme, "accent", "accent-soft")).toBeGreaterThanOrEqual(MINIMUM_TEXT);
    expect(contrast(theme, "muted", "accent-soft")).toBeGreaterThanOrEqual(MINIMUM_TEXT);
  });

  it("edges of controls are visible on every ground", () => {
    for (const ground of GROUNDS) {
      expect(contrast(theme, "edge", ground), ground).toBeGreaterThanOrEqual(MINIMUM_GRAPHICS);
    }
  });
});

type Theme = "light" | "dark";

function readColors(): ReadonlyMap<string, Readonly<Record<Theme, string>>> {
  const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
  const pairs = css.matchAll(/--color-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g);
  return new Map(
    Array.from(pairs, ([, name = "", light = "", dark = ""]) => [name, { light, dark }]),
  );
}

/** WCAG 2.2 contrast ratio. */
function contrast(theme: Theme, first: string, second: string): number {
  const [darker, lighter] = [first, second]
    .map((name) => luminance(colors.get(name)?.[theme] ?? "missing"))
    .sort((a, b) => a - b);
  return ((lighter ?? Number.NaN) + 0.05) / ((darker ?? Number.NaN) + 0.05);
}

function luminance(hex: string): number {
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
