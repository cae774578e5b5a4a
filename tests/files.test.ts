import { expect, it } from "vitest";
import { baseName, filesBelow, lineAt, read } from "./source-tree/files.ts";
import { isTest, modulesBelow } from "./source-tree/modules.ts";

const MAX_SOURCE_LINES = 400;
const MAX_TEST_LINES = 600;
const CODE = /\.(ts|tsx|mjs|css)$/;
const FOLDERS = ["packages", "tests", "e2e", "examples", "bench", "scripts"];
/** Words that name a place where anything fits. */
const FORBIDDEN_WORDS = [
  "base",
  "common",
  "helper",
  "helpers",
  "impl",
  "lib",
  "manager",
  "misc",
  "service",
  "shared",
  "types",
  "util",
  "utils",
];
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/;

const code = FOLDERS.flatMap((folder) => filesBelow(folder, CODE));

it(`holds source files to ${MAX_SOURCE_LINES} lines and tests to ${MAX_TEST_LINES}`, () => {
  const tooLong = code
    .map((path) => ({ path, lines: lineCount(path) }))
    .filter(({ path, lines }) => lines > (isTestCode(path) ? MAX_TEST_LINES : MAX_SOURCE_LINES));

  expect(tooLong).toEqual([]);
});

it("names files in kebab-case", () => {
  const misnamed = code.filter((path) => !KEBAB_CASE.test(baseName(path)));

  expect(misnamed).toEqual([]);
});

it("gives no file or folder a name under which anything fits", () => {
  const vague = code.filter((path) =>
    segmentsOf(path).some((segment) => FORBIDDEN_WORDS.includes(lastWordOf(segment))),
  );

  expect(vague).toEqual([]);
});

it("gives no exported name a word under which anything fits", () => {
  const vague = modulesBelow("packages").flatMap(({ path, syntax }) =>
    exportedNames(syntax)
      .filter((name) =>
        /(Manager|Service|Helper|Utils?|Impl|Base)$|^Abstract|^I[A-Z][a-z]/.test(name),
      )
      .map((name) => `${path}: ${name}`),
  );

  expect(vague).toEqual([]);
});

it("exports names one by one, never everything of another file", () => {
  const stars = modulesBelow("packages").flatMap(({ path, text, syntax }) =>
    syntax.module.staticExports
      .filter(({ entries }) => entries.some(({ importName }) => importName.kind.startsWith("All")))
      .map(({ start }) => `${path}:${lineAt(text, start)}`),
  );

  expect(stars).toEqual([]);
});

it("leaves no work marked for later in the code", () => {
  const marked = code.flatMap((path) => linesMatching(path, /\b(TODO|FIXME|XXX|HACK)\b/));

  expect(marked.filter((place) => !place.startsWith("tests/files.test.ts"))).toEqual([]);
});

it("divides no file with banners", () => {
  const banners = code.flatMap((path) => linesMatching(path, /^\s*\/[/*]+\s*[-=*#─═]{4,}/));

  expect(banners).toEqual([]);
});

it("runs every test: none is skipped for good, singled out or left to do", () => {
  const marked = modulesBelow(".")
    .filter(({ path }) => isTest(path))
    .flatMap(({ path }) => linesMatching(path, /\b(it|test|describe)\.(only|skip|todo|fails)\(/));

  expect(marked).toEqual([]);
});

const isTestCode = (path: string): boolean => isTest(path) || /^(tests|e2e)\//.test(path);

function lineCount(path: string): number {
  const text = read(path);
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** `packages/core/src/run-record.test.ts` has `packages`, `core`, `src` and `run-record`. */
const segmentsOf = (path: string): string[] =>
  path.split("/").map((segment) => segment.split(".")[0] ?? "");

const lastWordOf = (segment: string): string => segment.slice(segment.lastIndexOf("-") + 1);

function linesMatching(path: string, pattern: RegExp): string[] {
  return read(path)
    .split("\n")
    .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));
}

function exportedNames({ module }: ReturnType<typeof modulesBelow>[number]["syntax"]): string[] {
  return module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => exportName.name ?? []),
  );
}
