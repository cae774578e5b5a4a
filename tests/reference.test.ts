import { expect, it } from "vitest";
import { referencePages } from "../scripts/reference/pages.ts";
import { filesBelow, read } from "./source-tree/files.ts";

it.each(referencePages)("has $path as generated (npm run docs)", ({ path, text }) => {
  expect(read(path)).toBe(text);
});

it("keeps no reference page that is no longer generated", () => {
  expect(filesBelow("docs/reference")).toEqual(referencePages.map(({ path }) => path).sort());
});
