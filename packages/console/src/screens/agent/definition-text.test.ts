import { expect, it } from "vitest";
import { comparableText } from "./definition-text.ts";

it("puts texts of several lines on lines of their own", () => {
  const text = comparableText({ instructions: 'One.\nSay "two".', list: ["a\nb", "c"], n: 1 });

  expect(text.split("\n")).toEqual([
    "{",
    '  "instructions": """',
    "    One.",
    '    Say "two".',
    '  """,',
    '  "list": [',
    '    """',
    "      a",
    "      b",
    '    """,',
    '    "c"',
    "  ],",
    '  "n": 1',
    "}",
  ]);
});

it("leaves a backslash before an n as it is", () => {
  expect(comparableText({ a: "C:\\new" })).toBe('{\n  "a": "C:\\\\new"\n}');
});
