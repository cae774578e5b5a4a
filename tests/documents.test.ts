import { existsSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { filesBelow, folderOf, read, root } from "./source-tree/files.ts";
import { moduleAt } from "./source-tree/modules.ts";
import { packageNames } from "./source-tree/packages.ts";

const MAX_ARCHITECTURE_LINES = 300;
const MAX_AGENTS_LINES = 60;
const LINK = /(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g;

const documents = filesBelow(".", /\.md$/);

it.each(documents)("links from %s only to what is there", (path) => {
  const broken = linksOf(path).filter((link) => !resolves(path, link));

  expect(broken).toEqual([]);
});

it("holds ARCHITECTURE.md and AGENTS.md to their lengths", () => {
  expect(lineCount("ARCHITECTURE.md")).toBeLessThanOrEqual(MAX_ARCHITECTURE_LINES);
  expect(lineCount("AGENTS.md")).toBeLessThanOrEqual(MAX_AGENTS_LINES);
});

it("names every package in README.md and ARCHITECTURE.md", () => {
  const names = packageNames.map((name) => (name === "tracon" ? "`tracon`" : `@tracon/${name}`));

  expect(names.filter((name) => !read("README.md").includes(name))).toEqual([]);
  expect(names.filter((name) => !read("ARCHITECTURE.md").includes(name))).toEqual([]);
});

it("names every member of the configuration in its guide", () => {
  const guide = read("docs/guides/configuration.md");
  const members = membersOfTypes("packages/tracon/src/config/config.ts");

  expect(members.filter((member) => !guide.includes(`\`${member}\``))).toEqual([]);
  expect(members).toContain("storage");
});

it("numbers decisions without gaps, each with its title", () => {
  const decisions = filesBelow("docs/decisions", /\/\d{3}-[a-z0-9-]+\.md$/);
  const numbers = decisions.map((path) => Number(/\/(\d{3})-/.exec(path)?.[1]));

  expect(decisions).toEqual(filesBelow("docs/decisions"));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(decisions.filter((path) => !/^# \d{3} /.test(read(path)))).toEqual([]);
});

it("lists every hand-written page and every decision in llms.txt", () => {
  const index = read("llms.txt");
  const pages = filesBelow("docs", /\.md$/);

  expect(pages.filter((path) => !index.includes(`(${path})`))).toEqual([]);
});

it("lists in llms.txt only what is there", () => {
  expect(linksOf("llms.txt").filter((link) => !resolves("llms.txt", link))).toEqual([]);
});

/** Names of the members of the types whose names end with `Config`, but for those of models. */
function membersOfTypes(path: string): readonly string[] {
  const { program } = moduleAt(path).syntax;
  return program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration") return [];
    const { declaration } = statement;
    if (declaration?.type !== "TSTypeAliasDeclaration" || declaration.id.name === "ModelConfig") {
      return [];
    }
    const { typeAnnotation } = declaration;
    if (typeAnnotation.type !== "TSTypeLiteral") return [];
    return typeAnnotation.members.flatMap((member) =>
      member.type === "TSPropertySignature" && member.key.type === "Identifier"
        ? [member.key.name]
        : [],
    );
  });
}

/** Relative links; code is no place for one. */
function linksOf(path: string): readonly string[] {
  const prose = withoutCode(read(path));
  return [...prose.matchAll(LINK)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function resolves(from: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? from : posix.join(folderOf(from), file);
  if (!existsSync(`${root}/${target}`)) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(path: string): readonly string[] {
  const headings = withoutFences(read(path)).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");
const withoutCode = (text: string): string => withoutFences(text).replace(/`[^`\n]*`/g, "");
const lineCount = (path: string): number => read(path).trimEnd().split("\n").length;
