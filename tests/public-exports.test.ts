import { expect, it } from "vitest";
import { type Module, moduleAt, targetOf } from "./source-tree/modules.ts";
import { packageNames } from "./source-tree/packages.ts";

/** The console is an application: nobody imports it. */
const libraries = packageNames.filter((name) => name !== "console");

it.each(libraries)("exports names from the root of %s, each with a doc comment", (name) => {
  const undocumented = publicExports(`packages/${name}/src/index.ts`).filter(
    ({ module, exported }) => !isDocumented(module, exported),
  );

  expect(undocumented.map(({ module, exported }) => `${module.path}: ${exported}`)).toEqual([]);
});

it.each(libraries)("declares nothing in the root of %s: it only names what others hold", (name) => {
  const { syntax } = moduleAt(`packages/${name}/src/index.ts`);
  const declared = syntax.module.staticExports.flatMap(({ entries }) =>
    entries.filter(({ moduleRequest }) => moduleRequest === null),
  );

  expect(declared).toEqual([]);
});

type PublicExport = { readonly module: Module; readonly exported: string };

function publicExports(path: string): readonly PublicExport[] {
  const index = moduleAt(path);
  return index.syntax.module.staticExports.flatMap(({ entries }) =>
    entries.flatMap((entry) => {
      const name = entry.importName.name;
      const specifier = entry.moduleRequest?.value;
      if (name === null || specifier === undefined) return [];
      const target = targetOf(index, { specifier, offset: 0 });
      return target === undefined ? [] : [{ module: moduleAt(target), exported: name }];
    }),
  );
}

/**
 * A type inferred from a value (`z.output<typeof runRecordSchema>`, `keyof typeof errorCodes`) and
 * that value are one thing: a comment on either documents both.
 */
function isDocumented(module: Module, name: string): boolean {
  const [own, inferredFrom] = [declarationOf(module, name), inferredValue(module, name)];
  if (own?.hasComment) return true;
  if (inferredFrom !== undefined) return declarationOf(module, inferredFrom)?.hasComment ?? false;
  return typesInferredFrom(module, name).some((type) => declarationOf(module, type)?.hasComment);
}

type Declaration = { readonly text: string; readonly hasComment: boolean };

function declarationOf({ text, syntax }: Module, name: string): Declaration | undefined {
  const statement = syntax.module.staticExports.find(({ entries }) =>
    entries.some(({ exportName }) => exportName.name === name),
  );
  if (statement === undefined) return undefined;
  return {
    text: text.slice(statement.start, statement.end),
    hasComment: text.slice(0, statement.start).trimEnd().endsWith("*/"),
  };
}

const inferredValue = (module: Module, type: string): string | undefined =>
  /^export type .*\btypeof (\w+)/s.exec(declarationOf(module, type)?.text ?? "")?.[1];

function typesInferredFrom(module: Module, value: string): readonly string[] {
  const exported = module.syntax.module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => exportName.name ?? []),
  );
  return exported.filter((name) => inferredValue(module, name) === value);
}
