/** Serves the built console: its files, and its page for every address it routes itself. */

import type { ConsoleFile, ConsoleFiles } from "./server-options.ts";

const INDEX = "index.html";
/** What the build puts where the prefix goes. */
const BASE_PLACEHOLDER = /<base href="\/tracon\/" *\/?>/;
const UNSAFE_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)|[\\\0]/;

const SECURITY_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** The file at `path` (below the prefix, with its slash), or the page; `undefined` when neither. */
export function consolePage(
  path: string,
  headers: Headers,
  options: { readonly prefix: string; readonly consoleFiles: ConsoleFiles | undefined },
): Response | undefined {
  const { prefix, consoleFiles } = options;
  const name = decodeURIComponent(path.slice(1));
  if (consoleFiles === undefined || UNSAFE_SEGMENT.test(name)) return undefined;

  const file = name === "" || name === INDEX ? undefined : consoleFiles(name);
  if (file !== undefined) return fileResponse(file, file.body);
  if (!isPage(name, headers)) return undefined;
  const index = consoleFiles(INDEX);
  return index === undefined ? undefined : fileResponse(index, withBase(index.body, prefix));
}

export const redirectToConsole = (prefix: string, search: string): Response =>
  new Response(null, {
    status: 302,
    headers: { location: `${prefix}/${search === "" ? "" : `?${search}`}` },
  });

/**
 * Whether a path without a file is an address inside the console. A dot alone does not tell: names
 * of agents hold dots, and a missing script must not be answered with a page.
 */
function isPage(name: string, headers: Headers): boolean {
  const lastSegment = name.slice(name.lastIndexOf("/") + 1);
  if (name === INDEX || !lastSegment.includes(".")) return true;
  return headers.get("accept")?.includes("text/html") ?? false;
}

function withBase(html: Uint8Array, prefix: string): Uint8Array {
  const text = new TextDecoder().decode(html);
  // The prefix holds only characters that mean nothing in HTML: `normalizePrefix` sees to it.
  return new TextEncoder().encode(
    text.replace(BASE_PLACEHOLDER, () => `<base href="${prefix}/" />`),
  );
}

function fileResponse({ contentType, immutable }: ConsoleFile, body: Uint8Array): Response {
  return new Response(body as Uint8Array<ArrayBuffer>, {
    headers: {
      ...SECURITY_HEADERS,
      "content-type": contentType,
      "cache-control": immutable ? "public, max-age=31536000, immutable" : "no-cache",
    },
  });
}
