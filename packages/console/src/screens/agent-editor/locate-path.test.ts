import { expect, it } from "vitest";
import { parsePath } from "./form/json-path.ts";
import { locatePath } from "./locate-path.ts";

const TEXT = `{
  "name": "a",
  "model": { "provider": "p\\"}", "temperature": 3 },
  "toolNames": ["x", "y"],
  "harness": {
    "loop": { "criteria": [{ "kind": "marker" }, { "kind": "" }] }
  }
}`;

it.each([
  ["name", '"a"'],
  ["model.temperature", "3"],
  ["model.provider", '"p\\"}"'],
  ["toolNames[1]", '"y"'],
  ["harness.loop.criteria[1].kind", '""'],
])("finds %s", (path, value) => {
  expect(at(path)).toBe(value);
});

it("leads to the object in which a member is missing", () => {
  expect(at("harness.loop.criteria[0].marker")).toBe('{ "kind": "marker" }');
  expect(at("harness.missing.deeper")).toBe("{");
  expect(at("toolNames[7]")).toBe('["x", "y"]');
});

it("leads to the first line when the whole is meant", () => {
  expect(at("")).toBe("{");
  expect(at("unknown")).toBe("{");
});

it("finds a key that is no plain name", () => {
  const text = '{"texts": {"de-AT": "a", "x.y": "b"}}';

  const found = ['texts["de-AT"]', 'texts["x.y"]'].map((path) => locatePath(text, parsePath(path)));

  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['"a"', '"b"']);
});

it("is not led astray by a member with the text of another inside", () => {
  const text = '{"a": "\\"b\\": 1", "b": 2}';
  const { start, end } = locatePath(text, ["b"]);

  expect(text.slice(start, end)).toBe("2");
});

function at(path: string): string {
  const { start, end } = locatePath(TEXT, parsePath(path));
  return TEXT.slice(start, end);
}
