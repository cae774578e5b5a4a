import { expect, it } from "vitest";
import { requirements } from "../e2e/requirements/index.ts";
import { filesBelow, lineAt } from "./source-tree/files.ts";
import { isTest, type Module, moduleAt, modulesBelow } from "./source-tree/modules.ts";

type Citation = { readonly id: string; readonly place: string };

const CITATION = /\bcovers\(([^)]*)\)/g;
const STRING_LIST = /^\s*("[^"]+"\s*,?\s*)+$/;

const citations = modulesBelow(".")
  .filter(({ path }) => isTest(path))
  .flatMap(citationsOf);
const cited = new Set(citations.map(({ id }) => id));
const statusOf = new Map(requirements.map(({ id, status }) => [id, status]));

it("states every requirement once", () => {
  const ids = requirements.map(({ id }) => id);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it("states a requirement in one sentence of the present", () => {
  const odd = requirements.filter(
    ({ sentence }) => !/[.`"]$/.test(sentence) || /\b(should|will|shall)\b/.test(sentence),
  );

  expect(odd.map(({ id }) => id)).toEqual([]);
});

it("lists the requirements of every area", () => {
  const areas = filesBelow("e2e/requirements", /\.ts$/).filter((path) =>
    /readonly Requirement\[\] = \[/.test(moduleAt(path).text),
  );
  const listed = moduleAt("e2e/requirements/index.ts").imports.map(({ specifier }) => specifier);

  const forgotten = areas
    .filter((path) => path !== "e2e/requirements/index.ts")
    .filter((path) => !listed.includes(path.replace("e2e/requirements/", "./")));

  expect(forgotten).toEqual([]);
});

it("cites requirements by ids written in place", () => {
  const computed = modulesBelow(".")
    .filter(({ path }) => isTest(path) && path !== "tests/requirements.test.ts")
    .flatMap(({ path, text }) =>
      [...text.matchAll(CITATION)]
        .filter(([, list = ""]) => !STRING_LIST.test(list))
        .map(({ index }) => `${path}:${lineAt(text, index)}`),
    );

  expect(computed).toEqual([]);
});

it("cites only requirements that are stated", () => {
  const unknown = citations.filter(({ id }) => !statusOf.has(id));

  expect(unknown).toEqual([]);
});

it("has a test for every requirement that is built", () => {
  const untested = requirements.filter(({ id, status }) => status === "built" && !cited.has(id));

  expect(untested.map(({ id }) => id)).toEqual([]);
});

it("calls no requirement planned that a test covers", () => {
  const outdated = citations.filter(({ id }) => statusOf.get(id) === "planned");

  expect(outdated).toEqual([]);
});

function citationsOf({ path, text }: Module): readonly Citation[] {
  if (path === "tests/requirements.test.ts") return [];
  return [...text.matchAll(CITATION)].flatMap(({ 1: list = "", index }) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, id = ""]) => ({
      id,
      place: `${path}:${lineAt(text, index)}`,
    })),
  );
}
