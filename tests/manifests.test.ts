import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { read, root } from "./source-tree/files.ts";
import { type Manifest, manifestAt, manifestOf, packageNames } from "./source-tree/packages.ts";

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
const NODE_FLOOR = ">=22.19";

/** The console is files to serve, not a module to import. */
const libraries = packageNames.filter((name) => name !== "console");
const manifests = [
  "package.json",
  ...packageNames.map((name) => `packages/${name}/package.json`),
] as const;

it.each(manifests)("pins every dependency of %s to one version", (path) => {
  const loose = dependenciesOf(manifestAt(path)).filter(([, range]) => !EXACT.test(range));

  expect(loose).toEqual([]);
});

it("uses one version of a dependency everywhere", () => {
  const versions = new Map<string, Set<string>>();
  for (const [name, version] of manifests.flatMap((path) => dependenciesOf(manifestAt(path)))) {
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }

  const split = [...versions].filter(([, found]) => found.size > 1);

  expect(split.map(([name, found]) => [name, ...found])).toEqual([]);
});

it.each(packageNames)("describes the package %s in its manifest", (name) => {
  const manifest = manifestOf(name);

  expect(manifest).toMatchObject({
    name: name === "tracon" ? "tracon" : `@tracon/${name}`,
    version: manifestAt("package.json").version,
    description: expect.stringMatching(/\w/),
    license: "MIT",
    type: "module",
    engines: { node: NODE_FLOOR },
    files: expect.arrayContaining(["dist", "README.md"]),
  });
});

it.each(libraries)("points %s at its sources first and at its declarations second", (name) => {
  const entry = (manifestOf(name).exports as Record<string, Record<string, string>>)["."];

  expect(Object.keys(entry ?? {})).toEqual(["@tracon/source", "types", "default"]);
});

it.each(packageNames)("has a README for %s", (name) => {
  expect(existsSync(`${root}/packages/${name}/README.md`)).toBe(true);
});

it("runs no script of a package at installation", () => {
  const scripts = manifests.flatMap((path) => Object.keys(manifestAt(path).scripts ?? {}));

  expect(scripts.filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
});

it("compiles every package", () => {
  const { references } = JSON.parse(read("tsconfig.json")) as {
    references: readonly { path: string }[];
  };

  expect(references.map(({ path }) => path)).toEqual(
    expect.arrayContaining(packageNames.map((name) => `packages/${name}`)),
  );
});

it("says nothing in the lock file about where packages were fetched from", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Readonly<Record<string, { resolved?: string }>>;
  };

  const fetched = Object.values(packages).flatMap(({ resolved }) => resolved ?? []);

  expect(fetched.filter((place) => !place.startsWith("packages/"))).toEqual([]);
});

function dependenciesOf(manifest: Manifest): [name: string, range: string][] {
  return [
    manifest.dependencies,
    manifest.devDependencies,
    manifest.optionalDependencies,
    manifest.peerDependencies,
  ].flatMap((group) => Object.entries(group ?? {}));
}
