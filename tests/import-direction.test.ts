import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { lineAt, root } from "./source-tree/files.ts";
import { isTest, type Module, modulesBelow, sourcesOf, targetOf } from "./source-tree/modules.ts";
import { packageNames, packageOfSpecifier } from "./source-tree/packages.ts";

/** The drawing of ARCHITECTURE.md: which of our packages a package may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  engine: ["core"],
  store: ["core"],
  providers: ["core"],
  server: ["core", "engine"],
  client: ["core"],
  console: ["core", "client"],
  testing: ["core", "engine"],
  tracon: ["core", "engine", "store", "providers", "server", "client"],
};

/** The folders of the engine, lowest first: a folder imports only those before it. */
const ENGINE_LAYERS = [
  "telemetry",
  "scope",
  "approval",
  "tools",
  "attachment",
  "model",
  "budget",
  "harness",
  "delegation",
  "memory",
  "session",
  "catalog",
  "progress",
  "turn",
  "loop",
  "compile",
  "definitions",
  "run",
  "mailbox",
  "workflow",
  "queue",
  "eval",
] as const;

it("gives every package a row in the table of directions", () => {
  expect(packageNames).toEqual(Object.keys(MAY_IMPORT).sort());
});

for (const [name, allowed] of Object.entries(MAY_IMPORT)) {
  it(`lets ${name} import ${allowed.join(", ") || "nothing of ours"}`, () => {
    const foreign = sourcesOf(name).flatMap((module) =>
      importsWhere(module, (specifier) => {
        const imported = packageOfSpecifier(specifier);
        return imported !== undefined && !allowed.includes(imported);
      }),
    );

    expect(foreign).toEqual([]);
  });
}

it("keeps relative imports inside their package", () => {
  const leaving = packageNames.flatMap((name) =>
    sourcesOf(name).flatMap((module) =>
      module.imports
        .map((imported) => targetOf(module, imported))
        .filter((target) => target !== undefined && !target.startsWith(`packages/${name}/`))
        .map((target) => `${module.path} → ${target}`),
    ),
  );

  expect(leaving).toEqual([]);
});

it("lets only tests import the testing package", () => {
  const importers = [...modulesBelow("packages"), ...modulesBelow("examples")]
    .filter((module) => !isTest(module.path) && !module.path.startsWith("packages/testing/"))
    .flatMap((module) => importsWhere(module, (it) => packageOfSpecifier(it) === "testing"));

  expect(importers).toEqual([]);
});

it("reaches a package through its exports, never through its files", () => {
  const deep = modulesBelow("packages").flatMap((module) =>
    importsWhere(module, (specifier) => /^@tracon\/[^/]+\/(src|dist)\b/.test(specifier)),
  );

  expect(deep).toEqual([]);
});

it("knows every folder of the engine as a layer", () => {
  const folders = readdirSync(`${root}/packages/engine/src`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

  expect(folders.filter((folder) => !isLayer(folder))).toEqual([]);
});

for (const layer of ENGINE_LAYERS) {
  it(`lets the engine's ${layer} see only the layers below it`, () => {
    const above = engineImports(layer).filter(({ target }) => !maySee(layer, target));

    expect(above.map(({ importer, target }) => `${importer} → ${target}`)).toEqual([]);
  });
}

const isLayer = (folder: string): boolean => (ENGINE_LAYERS as readonly string[]).includes(folder);

function maySee(layer: (typeof ENGINE_LAYERS)[number], target: string): boolean {
  const lower = ENGINE_LAYERS.slice(0, ENGINE_LAYERS.indexOf(layer) + 1);
  return lower.some((it) => target.startsWith(`packages/engine/src/${it}/`));
}

function engineImports(layer: string): readonly { importer: string; target: string }[] {
  const own = sourcesOf("engine").filter(({ path }) =>
    path.startsWith(`packages/engine/src/${layer}/`),
  );
  return own.flatMap((module) =>
    module.imports.flatMap((imported) => {
      const target = targetOf(module, imported);
      return target === undefined ? [] : [{ importer: module.path, target }];
    }),
  );
}

function importsWhere(module: Module, isWanted: (specifier: string) => boolean): string[] {
  return module.imports
    .filter(({ specifier }) => isWanted(specifier))
    .map(
      ({ specifier, offset }) =>
        `${module.path}:${lineAt(module.text, offset)} imports ${specifier}`,
    );
}
