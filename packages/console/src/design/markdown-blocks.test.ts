import { expect, it } from "vitest";
import { markdownBlocks } from "./markdown-blocks.ts";

it("cuts at blank lines", () => {
  expect(markdownBlocks("# Title\n\nFirst\nline.\n\n\nSecond.\n")).toEqual([
    "# Title",
    "First\nline.",
    "Second.",
  ]);
});

it("keeps a fence whole, also an open one and one that holds a shorter fence", () => {
  const closed = "````md\n```js\n\ncode\n```\n\nmore\n````";

  expect(markdownBlocks(`${closed}\n\nAfter`)).toEqual([closed, "After"]);
  expect(markdownBlocks("```\na\n\nb")).toEqual(["```\na\n\nb"]);
});

it("keeps lists, quotes and what is indented with what stands before", () => {
  expect(markdownBlocks("- a\n\n- b\n\n  inner\n\nend")).toEqual(["- a\n\n- b\n\n  inner", "end"]);
});

it("only ever changes the last block while text is appended", () => {
  const text = "One.\n\nTwo:\n\n```js\nlet a;\n\nlet b;\n```\n\nThree\n\n- x\n- y\n\nEnd.";

  for (let length = 1; length < text.length; length += 1) {
    const before = markdownBlocks(text.slice(0, length));
    const after = markdownBlocks(text.slice(0, length + 1));

    expect(after.slice(0, before.length - 1), `at ${length}`).toEqual(before.slice(0, -1));
  }
});

it("makes nothing of nothing", () => {
  expect(markdownBlocks("\n \n")).toEqual([]);
});
