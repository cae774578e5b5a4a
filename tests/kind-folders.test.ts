/**
 * A kind folder holds files of one shape and an `index.ts` whose array lists them all, so that
 * adding one is adding a file and a line, and forgetting the line fails here.
 */

import { expect, it } from "vitest";
import { baseName, filesBelow, folderOf, read } from "./source-tree/files.ts";
import { isTest, moduleAt, modulesBelow, targetOf } from "./source-tree/modules.ts";

const PACKAGE_ROOT = /^packages\/[^/]+\/src\/index\.ts$/;
const ARRAY = /export const \w+(: readonly [^=]+)? = \[/;

const kindFolders = filesBelow("packages", /\/src\/.*\/index\.tsx?$/)
  .filter((path) => !PACKAGE_ROOT.test(path))
  .map((path) => ({ folder: folderOf(path), index: path }));

it.each(kindFolders)("lists every file of $folder in its index", ({ folder, index }) => {
  const members = modulesBelow(folder).filter((module) => !isTest(module.path));
  const listed = reachableFrom(index, folder);

  expect(members.map(({ path }) => path).filter((path) => !listed.has(path))).toEqual([]);
});

it.each(kindFolders)("exports the array of $folder", ({ index }) => {
  expect(read(index)).toMatch(ARRAY);
});

it("has an index only at package roots and in kind folders", () => {
  const barrels = modulesBelow("packages")
    .filter(({ path }) => /^index\.tsx?$/.test(baseName(path)) && !PACKAGE_ROOT.test(path))
    .filter(({ text }) => !ARRAY.test(text));

  expect(barrels.map(({ path }) => path)).toEqual([]);
});

/** The files of a folder that its index uses, directly or through another file of the folder. */
function reachableFrom(index: string, folder: string): ReadonlySet<string> {
  const seen = new Set<string>([index]);
  for (const path of seen) {
    const module = moduleAt(path);
    for (const imported of module.imports) {
      const target = targetOf(module, imported);
      if (target?.startsWith(`${folder}/`)) seen.add(target);
    }
  }
  return seen;
}
