import { type Finding, finding, TraconError } from "@tracon/core";

/** Where the stores are. */
export type StoreUrl =
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly url: string }
  | { readonly engine: "memory" };

const FORMS = "'sqlite:<path>', 'postgres://user:password@host:port/database' or 'memory:'";

/** Throws `configuration_invalid`. No message repeats a url: it may hold a password in any place. */
export function parseStoreUrl(url: string): StoreUrl {
  if (url === "memory:") return { engine: "memory" };
  if (url.startsWith("sqlite:")) return { engine: "sqlite", path: sqlitePath(url) };
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (!isDecodable(url)) throw invalid(`the postgres URL cannot be read; use ${FORMS}`);
    return { engine: "postgres", url };
  }
  const scheme = /^[a-z][a-z0-9+.-]{0,19}:/i.exec(url)?.[0];
  throw invalid(
    scheme === undefined
      ? `the store has no URL; use ${FORMS}`
      : `there is no store of the kind '${scheme}'; use ${FORMS}`,
  );
}

function isDecodable(url: string): boolean {
  try {
    return URL.canParse(url) && decodeURIComponent(url) !== "";
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
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
  if (path === "") throw invalid("'sqlite:' names no file; use 'sqlite:<path>'");
  // SQLite would take these for a private database of each connection.
  if (path === ":memory:") throw invalid("use 'memory:' for stores in memory");
  if (path.includes("\0")) throw invalid("a file name holds no U+0000");
  return path;
}

function invalid(message: string): TraconError {
  return new TraconError("configuration_invalid", message, {
    findings: [finding("invalid_value", "store", message)],
  });
}
