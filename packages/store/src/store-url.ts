import { type Finding, finding, TraconError } from "@tracon/core";

/** Where the stores are. */
export type StoreUrl =
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly url: string }
  | { readonly engine: "memory" };

const FORMS = "'sqlite:<path>', 'postgres://user:password@host:port/database' or 'memory:'";

/** Throws `configuration_invalid`; the message never repeats a user or password of the url. */
export function parseStoreUrl(url: string): StoreUrl {
  if (url === "memory:") return { engine: "memory" };
  if (url.startsWith("sqlite:")) return { engine: "sqlite", path: sqlitePath(url) };
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (!URL.canParse(url)) throw invalid(`'${redacted(url)}' is not a URL`);
    return { engine: "postgres", url };
  }
  throw invalid(`'${redacted(url)}' is not a store URL; use ${FORMS}`);
}

/** What is wrong with a store URL, at `store`; opens nothing. */
export function checkStoreUrl(url: string): readonly Finding[] {
  try {
    parseStoreUrl(url);
    return [];
  } catch (error) {
    if (TraconError.is(error, "configuration_invalid")) return error.details.findings ?? [];
    throw error;
  }
}

function sqlitePath(url: string): string {
  const path = url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
  if (path === "") throw invalid(`'${url}' names no file; use 'sqlite:<path>'`);
  // SQLite would take these for a private database of each connection.
  if (path === ":memory:") throw invalid("use 'memory:' for stores in memory");
  if (path.includes("\0")) throw invalid("a file name holds no U+0000");
  return path;
}

/** The url without user, password and query, which may hold secrets too. */
export const redacted = (url: string): string =>
  url.replace(/\/\/.*@/s, "//***@").replace(/\?.*/s, "?***");

function invalid(message: string): TraconError {
  return new TraconError("configuration_invalid", message, {
    findings: [finding("invalid_value", "store", message)],
  });
}
