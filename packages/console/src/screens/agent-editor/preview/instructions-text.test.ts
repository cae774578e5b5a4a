import { DEFAULT_HARNESS_INSTRUCTIONS } from "@tracon/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instructionsPreview, substitute } from "./instructions-text.ts";

describe("putting values in", () => {
  it("replaces every declared placeholder and leaves the others", () => {
    expect(put("{{a}} {{b}} {{a}}", { a: "1" })).toBe("1 {{b}} 1");
  });

  it("never looks at a value again", () => {
    expect(put("{{a}}{{b}}", { a: "{{b}}", b: "{{a}}" })).toBe("{{b}}{{a}}");
  });

  it("escapes a value that is a whole JSON string, and no other", () => {
    const value = 'say "hi"\n';

    expect(put('{"x": "{{a}}"}', { a: value })).toBe('{"x": "say \\"hi\\"\\n"}');
    expect(put('He said "{{a}}" twice', { a: value })).toBe(`He said "${value}" twice`);
    expect(put('{"{{a}}": 1}', { a: value })).toBe(`{"${value}": 1}`);
  });

  it("leaves nothing behind for a declared parameter without a value", () => {
    const parts = substitute("a{{x}}b", new Map([["x", undefined]]));

    expect(parts.map(({ text }) => text).join("")).toBe("ab");
  });

  it("finds the placeholder inside of more braces", () => {
    expect(put("{{{a}}}", { a: "1" })).toBe("{1}");
  });

  it("keeps JSON valid whatever the value is", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...DIFFICULT) }), (value) => {
        expect(JSON.parse(put('["{{a}}", {"b": "{{a}}"}]', { a: value }))).toEqual([
          value,
          { b: value },
        ]);
      }),
    );
  });
});

describe("the preview", () => {
  const definition = {
    instructions: "Hello {{name}}.",
    instructionsByCulture: { tr: "Merhaba {{name}}." },
    parameters: [
      { name: "name", kind: "Text", required: true },
      { name: "tone", kind: "Text", required: true, defaultValue: "calm" },
    ],
  };

  it("reads the text of the culture behind the shared block", () => {
    const { parts, cultureKey } = instructionsPreview(definition, {
      culture: "tr-TR",
      values: { name: "Ada" },
      block: "House rules, {{tone}}.",
    });

    expect(parts.map(({ text }) => text).join("")).toBe("House rules, calm.\n\nMerhaba Ada.");
    expect(parts.filter(({ parameter }) => parameter === "name")).toHaveLength(1);
    expect(cultureKey).toBe("tr");
  });

  it.each([
    ["its own words", {}, `${DEFAULT_HARNESS_INSTRUCTIONS}\n\nHello Ada.`],
    ["the words of the definition", { harnessInstructions: "Plan." }, "Plan.\n\nHello Ada."],
    ["no words", { harnessInstructions: "" }, "Hello Ada."],
  ])("puts %s of a harness in front", (_, harness, text) => {
    const input = { culture: "", values: { name: "Ada" }, block: undefined };

    const { parts } = instructionsPreview({ ...definition, harness }, input);

    expect(parts.map((part) => part.text).join("")).toBe(text);
  });

  it("names required parameters that have neither a value nor a default", () => {
    const { missing } = instructionsPreview(definition, {
      culture: "",
      values: { name: "" },
      block: undefined,
    });

    expect(missing).toEqual(["name"]);
  });

  it("makes do with a definition that is not finished", () => {
    const unfinished = { instructions: 3, instructionsByCulture: [], parameters: [null, {}, 1] };

    const { parts } = instructionsPreview(unfinished, {
      culture: "x",
      values: {},
      block: undefined,
    });

    expect(parts).toEqual([]);
  });
});

/** What JSON escapes, what the placeholders are made of, and what is plain. */
const DIFFICULT = ['"', "\\", "\n", "\u0000", "\u2028", "\ud83d", "{", "}", "a", "ü", "😀"];

const put = (text: string, values: Record<string, string>): string =>
  substitute(text, new Map(Object.entries(values)))
    .map((part) => part.text)
    .join("");
