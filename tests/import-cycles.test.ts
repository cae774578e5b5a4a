import { expect, it } from "vitest";
import { type Module, modulesBelow, targetOf } from "./source-tree/modules.ts";

it("has no cycle of imports between files", () => {
  const cycles = cyclesOf(modulesBelow("packages"));

  expect(cycles.map((cycle) => cycle.join(" → "))).toEqual([]);
});

it("finds a cycle of three files", () => {
  const cycles = cyclesOf([moduleOf("a", "b"), moduleOf("b", "c"), moduleOf("c", "a")]);

  expect(cycles).toEqual([["a.ts", "b.ts", "c.ts", "a.ts"]]);
});

/**
 * One cycle for every import that closes one, found by a walk in depth. A lazy import closes none:
 * both files are whole when it runs.
 */
function cyclesOf(modules: readonly Module[]): string[][] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const finished = new Set<string>();
  const cycles: string[][] = [];

  const visit = (module: Module, trail: readonly string[]): void => {
    const at = trail.indexOf(module.path);
    if (at >= 0) cycles.push([...trail.slice(at), module.path]);
    if (at >= 0 || finished.has(module.path)) return;
    for (const imported of module.imports.filter(({ isLazy }) => !isLazy)) {
      const target = byPath.get(targetOf(module, imported) ?? "");
      if (target !== undefined) visit(target, [...trail, module.path]);
    }
    finished.add(module.path);
  };

  for (const module of modules) visit(module, []);
  return cycles;
}

function moduleOf(name: string, imported: string): Module {
  return {
    path: `${name}.ts`,
    text: "",
    imports: [{ specifier: `./${imported}.ts`, offset: 0 }],
  } as unknown as Module;
}
