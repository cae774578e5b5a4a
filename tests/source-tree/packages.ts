import { readdirSync } from "node:fs";
import { read, root } from "./files.ts";

export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
  readonly exports?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

/** Names of the folders below `packages/`. */
export const packageNames: readonly string[] = readdirSync(`${root}/packages`).sort();

export const manifestAt = (path: string): Manifest => JSON.parse(read(path)) as Manifest;
export const manifestOf = (packageName: string): Manifest =>
  manifestAt(`packages/${packageName}/package.json`);

/** The folder of the package that an import names, when it is one of ours. */
export function packageOfSpecifier(specifier: string): string | undefined {
  if (specifier === "tracon" || specifier.startsWith("tracon/")) return "tracon";
  return /^@tracon\/([^/]+)/.exec(specifier)?.[1];
}
