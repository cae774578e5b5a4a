import { posix } from "node:path";
import { parseSync } from "vite";
import { filesBelow, folderOf, read } from "./files.ts";

/** An import or re-export of another module; types count, for a cycle of types is a cycle. */
export type Import = {
  readonly specifier: string;
  readonly offset: number;
  /** Loaded by an `import()` that runs later, if at all. */
  readonly isLazy?: boolean;
};

export type Module = {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  readonly syntax: ReturnType<typeof parseSync>;
};

const TEST_FILE = /\.test\.tsx?$/;
const SOURCE_FILE = /\.tsx?$/;
const modules = new Map<string, Module>();

export const isTest = (path: string): boolean => TEST_FILE.test(path);

/** Every TypeScript file below a folder. */
export const modulesBelow = (folder: string): readonly Module[] =>
  filesBelow(folder, SOURCE_FILE).map(moduleAt);

/** The files that are built and published: no tests. */
export const sourcesOf = (packageName: string): readonly Module[] =>
  modulesBelow(`packages/${packageName}/src`).filter((module) => !isTest(module.path));

export function moduleAt(path: string): Module {
  const known = modules.get(path);
  if (known !== undefined) return known;

  const text = read(path);
  const syntax = parseSync(path, text);
  const module = { path, text, imports: importsOf(text, syntax), syntax };
  modules.set(path, module);
  return module;
}

/** Path of the imported file, or `undefined` when it is not a file of this repository. */
export function targetOf(importer: Module, { specifier }: Import): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return posix.join(folderOf(importer.path), specifier);
}

function importsOf(text: string, { module }: Module["syntax"]): readonly Import[] {
  const statics = module.staticImports.map(({ moduleRequest }) => moduleRequest);
  const reExports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap((entry) => entry.moduleRequest ?? []),
  );
  const declared = [...statics, ...reExports].map(({ value, start }) => ({
    specifier: value,
    offset: start,
  }));
  return [...declared, ...callImports(text, module.dynamicImports)];
}

/** `import("…")`, as an expression (which is lazy) and as a type. */
const callImports = (
  text: string,
  expressions: Module["syntax"]["module"]["dynamicImports"],
): readonly Import[] =>
  [...text.matchAll(/\bimport\(\s*"([^"]+)"/g)].map((match) => ({
    specifier: match[1] ?? "",
    offset: match.index,
    isLazy: expressions.some(({ start }) => start === match.index),
  }));
