import { expect, it } from "vitest";
import { filesBelow, read } from "./source-tree/files.ts";

const BINARY = /\.(png|jpe?g|gif|ico|woff2?|db)$/;
const files = filesBelow(".").filter(
  (path) => !BINARY.test(path) && path !== "tests/tracked-files.test.ts",
);

it("names no path of the machine it was written on", () => {
  expect(placesOf(/(^|[\s"'`(=:])\/(work|root|home\/\w+|Users\/\w+)\//)).toEqual([]);
});

it("names no package registry", () => {
  expect(placesOf(/https?:\/\/[\w.-]*(registry|npmjs\.org|artifactory|nexus|verdaccio)/)).toEqual(
    [],
  );
});

it("cites no document that is not part of the repository", () => {
  expect(
    placesOf(
      /\b(stack|wire|architecture|performance|house-style|console|api|tracon-(surface|guides))\.md\b|\bspec\/tracon/,
    ),
  ).toEqual([]);
});

it("holds no credential", () => {
  expect(
    placesOf(/\b(sk-[A-Za-z0-9]{20,}|ghp_\w{20,}|AKIA[0-9A-Z]{16}|-----BEGIN \w* ?PRIVATE)/),
  ).toEqual([]);
});

function placesOf(pattern: RegExp): string[] {
  return files.flatMap((path) =>
    read(path)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}
