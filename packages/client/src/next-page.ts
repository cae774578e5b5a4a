/**
 * Paging over `Link: <…>; rel="next"`.
 *
 * What callers hold is the query of that link and nothing else: which members it has is the
 * server's business, and a link can never lead a request, with its token, to another host.
 */

/** The query of the answer's next page; `undefined` on the last page. */
export function nextPage(response: Response): string | undefined {
  const header = response.headers.get("link") ?? "";
  for (const [, target = "", attributes = ""] of header.matchAll(/<([^>]*)>([^,<]*)/g)) {
    const isNext = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(attributes);
    const question = target.indexOf("?");
    if (isNext && question >= 0) return target.slice(question + 1);
  }
  return undefined;
}

/** The members of a query kept by {@link nextPage}. */
export const pageQuery = (next: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(next));
