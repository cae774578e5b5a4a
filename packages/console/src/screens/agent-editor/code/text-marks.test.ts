import { expect, it } from "vitest";
import { marksIn } from "./text-marks.ts";

const finding = (path: string, severity: "Error" | "Warning" = "Error") =>
  ({ code: "invalid", path, message: `about ${path}`, severity }) as const;

it("marks what findings name, errors apart from warnings", () => {
  const text = '{ "model": { "topP": 3 }, "toolNames": ["x"] }';

  expect(marked(text, [finding("model.topP"), finding("toolNames[0]", "Warning")])).toEqual([
    ["3", "error", "about model.topP"],
    ['"x"', "warning", "about toolNames[0]"],
  ]);
});

it("marks in a part of the definition what is said of that part", () => {
  const text = '{ "type": "strange" }';
  const findings = [finding("model.schema.type"), finding("model.schema"), finding("model.topP")];

  expect(marked(text, findings, ["model", "schema"])).toEqual([
    ['"strange"', "error", "about model.schema.type"],
    ['{ "type": "strange" }', "error", "about model.schema"],
  ]);
});

it("marks the first line of what takes several", () => {
  expect(marked('{ "model": { "a": [\n1\n] } }', [finding("model")])).toEqual([
    ['{ "a": [', "error", "about model"],
  ]);
});

it("marks where a text stops being JSON, and nothing else", () => {
  const [mark, ...others] = marksIn('{\n"a": 1 "b" }', [finding("a")]);

  expect(mark).toMatchObject({ start: 9, end: 10, severity: "error" });
  expect(others).toEqual([]);
});

it("marks the end of a text that stops too early", () => {
  expect(marksIn('{"a":', [])).toMatchObject([{ start: 4, end: 5, severity: "error" }]);
});

it("marks nothing in an empty text, nor for the definition as a whole", () => {
  expect(marked("", [finding("a")])).toEqual([]);
  expect(marked("{}", [finding("")])).toEqual([]);
});

function marked(...[text, ...rest]: Parameters<typeof marksIn>) {
  return marksIn(text, ...rest).map(({ start, end, severity, message }) => [
    text.slice(start, end),
    severity,
    message,
  ]);
}
