import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import { completePlaceholder } from "./placeholders.ts";

const NAMES = ["days", "name"];

it.each([
  ["an opened placeholder", "Help {{", { from: 5, to: 7 }],
  ["the beginning of a name", "Help {{na", { from: 5, to: 9 }],
  ["a closed placeholder, taking over its end", "Help {{|}}.", { from: 5, to: 9 }],
])("offers the declared parameters at %s", (_, text, range) => {
  expect(completed(text)).toEqual({ ...range, labels: ["{{days}}", "{{name}}"] });
});

it.each(["Help ", "Help {na", "Help {{name}} "])("offers nothing while %j is written", (text) => {
  expect(completed(text)).toBeUndefined();
});

it("offers them anywhere when asked to", () => {
  expect(completed("Help ", { isAsked: true })).toMatchObject({ from: 5, to: 5 });
});

it("offers nothing where no parameter is declared", () => {
  expect(completed("Help {{", { names: [] })).toBeUndefined();
});

/** The cursor stands at `|`, or at the end. */
function completed(
  text: string,
  { isAsked = false, names = NAMES }: { isAsked?: boolean; names?: readonly string[] } = {},
) {
  const [before = "", after = ""] = text.split("|");
  const state = EditorState.create({ doc: before + after });
  const context = new CompletionContext(state, before.length, isAsked);
  const result = completePlaceholder(context, names);
  if (result === null) return undefined;
  const { from, to = before.length, options } = result;
  return { from, to, labels: options.map(({ label }) => label) };
}
