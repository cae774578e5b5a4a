const JSON_HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

type Init = { readonly status?: number; readonly headers?: Readonly<Record<string, string>> };

/** An answer whose JSON text exists already. */
export function jsonText(text: string, { status = 200, headers }: Init = {}): Response {
  return new Response(text, {
    status,
    headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers },
  });
}

/** An answer in JSON. */
export const json = (value: unknown, init?: Init): Response =>
  jsonText(JSON.stringify(value), init);

export const noContent = (): Response =>
  new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
