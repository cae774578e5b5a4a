import { findingPath } from "@tracon/core";

/**
 * What is wrong, or questionable, in a file. `code` is a finding code of the installation, which
 * may be newer than this package; `path` is empty when it is about the whole file.
 */
export type FileFinding = {
  readonly file: string;
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly severity: "Error" | "Warning";
};

/** Something an import changed while it read. */
export type FileNote = { readonly file: string; readonly path: string; readonly message: string };

export const hasErrors = (findings: readonly FileFinding[]): boolean =>
  findings.some(({ severity }) => severity === "Error");

/** `path` below the place where a definition stands in its file. */
export function pathBelow(place: readonly PropertyKey[], path: string): string {
  const prefix = findingPath(place);
  if (prefix === "" || path === "") return prefix + path;
  return `${prefix}.${path}`;
}
