/** HTML as text: everything that is not markup of ours is escaped on its way in. */

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup that is safe to put into a page. */
export type Html = { readonly markup: string };

type Part = Html | string | number | readonly Part[] | undefined;

/** A template whose values are escaped unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  let markup = strings[0] ?? "";
  values.forEach((value, index) => {
    markup += markupOf(value) + (strings[index + 1] ?? "");
  });
  return { markup };
}

function markupOf(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "markup" in part ? part.markup : part.map(markupOf).join("");
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (it) => ESCAPES[it] ?? it);

/** Prose with `code` in backquotes. */
export function prose(text: string): Html {
  const parts = text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
  return html`${parts}`;
}
