import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Folders that hold nothing written by hand. */
const IGNORED = new Set([
  ".git",
  ".tracon",
  "coverage",
  "dist",
  "dist.next",
  "node_modules",
  "screenshots",
]);

/** Paths of the files below a folder, relative to the repository and sorted. */
export function filesBelow(folder: string, pattern = /(?:)/): readonly string[] {
  return readdirSync(`${root}/${folder}`, { withFileTypes: true })
    .filter((entry) => !IGNORED.has(entry.name))
    .flatMap((entry) => {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(path, pattern);
      return pattern.test(path) ? [path] : [];
    })
    .sort();
}

export const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

/** Number of the line, from 1, that holds the character at `offset`. */
export const lineAt = (text: string, offset: number): number =>
  text.slice(0, offset).split("\n").length;
