/** The built console, read once into memory and served from there. */

import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConsoleFile, ConsoleFiles } from "@tracon/server";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** The console's files, or `undefined` when it has not been built. */
export function loadConsoleFiles(): ConsoleFiles | undefined {
  const folder = consoleFolder();
  if (folder === undefined) return undefined;
  const files = new Map<string, ConsoleFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    files.set(name, {
      body: readFileSync(path),
      contentType: CONTENT_TYPES[extname(name)] ?? "application/octet-stream",
      immutable: name.startsWith("assets/"),
    });
  }
  return files.has("index.html") ? (path) => files.get(path) : undefined;
}

function consoleFolder(): string | undefined {
  try {
    const manifest = fileURLToPath(import.meta.resolve("@tracon/console/package.json"));
    const folder = join(manifest, "..", "dist");
    readdirSync(folder);
    return folder;
  } catch {
    // The console is not installed or not built: the API works without it.
    return undefined;
  }
}
