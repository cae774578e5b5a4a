/**
 * The TypeScript in the documents compiles against the packages as they are. Names that a fence
 * leaves undeclared stand for what the reader has.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { filesBelow, read, root } from "./source-tree/files.ts";

type Fence = { readonly document: string; readonly line: number; readonly code: string };

/** Below `node_modules`, so that packages resolve as they do for a user. */
const FOLDER = `${root}/node_modules/.cache/document-code`;
const FENCE = /^```ts\n([\s\S]*?)^```/gm;

it("compiles every TypeScript fence of the documents", () => {
  const fences = filesBelow(".", /\.md$/).flatMap(fencesOf);
  writeProject(fences);

  const compiler = spawnSync(
    process.execPath,
    [`${root}/node_modules/typescript/bin/tsc`, "-p", FOLDER],
    { cwd: FOLDER, encoding: "utf8" },
  );

  expect(inDocuments(compiler.stdout, fences)).toEqual([]);
  expect(fences.length).toBeGreaterThan(0);
});

function fencesOf(document: string): readonly Fence[] {
  const text = read(document);
  return [...text.matchAll(FENCE)].map(({ 1: code = "", index }) => ({
    document,
    line: text.slice(0, index).split("\n").length,
    code,
  }));
}

function writeProject(fences: readonly Fence[]): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [index, { code }] of fences.entries()) {
    writeFileSync(`${FOLDER}/${fileName(index)}`, code);
  }
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(project(fences.length)));
}

const project = (count: number) => ({
  extends: "../../../tsconfig.base.json",
  compilerOptions: {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    moduleDetection: "force",
    types: ["node"],
    lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
    // A document shows what something is called; it need not use it.
    noUnusedLocals: false,
  },
  files: Array.from({ length: count }, (_, index) => fileName(index)),
});

const fileName = (index: number): string => `fence-${index}.ts`;

/** A name, plain or as a shorthand member, or a file of the reader's own. */
const UNDECLARED = /error TS(2304|18004|2552):|error TS2307: Cannot find module '\./;

/** The compiler's messages about fences, at the places in their documents. */
const inDocuments = (output: string, fences: readonly Fence[]): string[] =>
  [...output.matchAll(/^fence-(\d+)\.ts\((\d+),\d+\): (.*)$/gm)]
    .filter(([, , , message = ""]) => !UNDECLARED.test(message))
    .map(([, index, line, message]) => {
      const fence = fences[Number(index)];
      return `${fence?.document}:${(fence?.line ?? 0) + Number(line)}: ${message}`;
    });
