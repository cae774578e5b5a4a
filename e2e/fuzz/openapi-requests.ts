/**
 * Requests nobody should send, made from an OpenAPI document: each starts as the document's own
 * example of an operation and is then bent in its path, query, headers, method and body.
 *
 * What must hold for every one of them: an answer, never a status above 500 but 501, and a problem
 * whenever it is an error. `problemsOf` says what does not hold.
 */

import fc from "fast-check";

/** A request as data, so that a failing one can be printed and repeated. */
export type FuzzRequest = {
  readonly method: string;
  /** Below the document's prefix, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly example?: unknown;
  readonly schema: Readonly<Record<string, unknown>>;
};

type Operation = {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
};

/** As much of an OpenAPI document as is read here. */
export type FuzzedDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** Requests bent out of every operation of the document. */
export function openApiRequests(document: FuzzedDocument): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return fc.constantFrom(...operations).chain(({ path, method, operation }) =>
    fc
      .record({
        method: rarely(
          fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
          {
            usually: method.toUpperCase(),
          },
        ),
        path: pathFor(path, operation.parameters),
        query: queryFor(operation.parameters),
        headers: headersFor(operation.parameters),
        body: bodyFor(operation),
      })
      .map(({ query, body, ...request }) => ({
        ...request,
        path: request.path + query,
        ...(body === undefined || /^(GET|HEAD)$/.test(request.method) ? {} : { body }),
      })),
  );
}

const STACK = /\bat .+:\d+:\d+|node_modules|node:internal/;
const PROBLEM_WORDS = ["type", "title", "detail", "code", "traceId"];

/** What an answer has that it must not have; empty when it is in order. */
export async function problemsOf(response: Response): Promise<readonly string[]> {
  const { status } = response;
  const text = await response.text();
  if (status < 400 || text === "") return status < 500 ? [] : [`status ${status}`];

  const faults: string[] = [];
  if (status >= 500 && status !== 501) faults.push(`status ${status}`);
  if (STACK.test(text)) faults.push("a stack");
  if (response.headers.get("content-type") === "application/problem+json") {
    const problem = JSON.parse(text) as Record<string, unknown>;
    if (problem.status !== status) faults.push(`a problem of another status than ${status}`);
    const isWorded = PROBLEM_WORDS.every((name) => typeof problem[name] === "string");
    if (!isWorded) faults.push("a problem without its words");
  } else {
    faults.push("an error that is no problem");
  }
  return faults.map((fault) => `${fault}: ${text.slice(0, 500)}`);
}

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, { usually }: { usually: Value }) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(usually) }, { weight: 1, arbitrary });

const HOSTILE_TEXTS = [
  "",
  " ",
  "0",
  "-1",
  "1e400",
  "NaN",
  "null",
  "true",
  "9007199254740993",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "a\u0000b",
  "a\r\nx-injected: 1",
  "<script>alert(1)</script>",
  "' or 1=1 --",
  "\ud800",
  "\ufeff",
  "\u202e",
  "İı",
  "e\u0301",
  "💥".repeat(50),
  "x".repeat(5_000),
] as const;

const hostileText = fc.oneof(
  fc.constantFrom<string>(...HOSTILE_TEXTS),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);

/** Text in an address, mostly encoded as it should be. */
const hostileSegment = fc.oneof(
  { weight: 5, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed())) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("%", "%zz", "%ff", "%c0%af", "%00", "%2e%2e", "%252e", "%ed%a0%80"),
  },
  { weight: 1, arbitrary: fc.constantFrom("a/b", "..", "a//b", "a;b", "*", "{name}", ":name") },
);

function pathFor(path: string, parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const names = parameters.filter((it) => it.in === "path");
  const segments = names.map(({ example }) =>
    rarely(hostileSegment, { usually: encodeURIComponent(String(example)) }),
  );
  const filled = fc
    .tuple(...segments)
    .map((values) =>
      names.reduce((text, { name }, at) => text.replace(`{${name}}`, () => values[at] ?? ""), path),
    );
  return rarely(
    fc
      .tuple(filled, fc.constantFrom("/", "/x", "//", "/%ff", ".json", ""))
      .map((it) => it.join("")),
    { usually: "" },
  ).chain((odd) => (odd === "" ? filled : fc.constant(odd)));
}

function queryFor(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const declared = parameters.filter((it) => it.in === "query");
  const known = declared.map(({ name, schema }) => {
    const fitting = [...(Array.isArray(schema.enum) ? schema.enum : []), schema.default ?? 1, true];
    const value = fc.oneof(fc.constantFrom(...fitting.map(String)), hostileSegment);
    return value.map((it) => `${name}=${it}`);
  });
  const unknown = fc.tuple(hostileSegment, hostileSegment).map((pair) => pair.join("="));
  const pairs = fc.array(known.length === 0 ? unknown : fc.oneof(...known, unknown), {
    minLength: 1,
    maxLength: 3,
  });
  return fc.oneof(
    { weight: known.length === 0 ? 9 : 2, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: pairs.map((it) => `?${it.join("&")}`) },
  );
}

/** Printable Latin-1: what the `Headers` of a client can carry at all. */
const headerValue = fc.oneof(
  fc.constantFrom("-1", "0", "1", "1e9", "abc", "x".repeat(4_000), "*/*;q=", ",,,;;;===", ""),
  fc.stringMatching(/^[ -~]{0,40}$/),
);

const STANDARD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ["application/json", "text/event-stream", "*/*", "q=1;;,", "text/html;q=2"],
  "content-type": ["application/json; charset=utf-16", "text/plain", "application/json;;;", "x"],
  "content-encoding": ["gzip", "identity", "br, gzip"],
  "content-length": ["99999999999", "-5", "abc"],
  authorization: ["Bearer", "Bearer x", "Basic eDp5"],
  range: ["bytes=0-1"],
  "if-match": ['"x"'],
};

function headersFor(parameters: readonly Parameter[]): fc.Arbitrary<Record<string, string>> {
  const declared = parameters.filter((it) => it.in === "header").map(({ name }) => name);
  const odd = Object.entries(STANDARD_HEADERS).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  const given = fc.oneof(
    fc.constantFrom(...odd),
    fc.tuple(fc.constantFrom(...declared, ...Object.keys(STANDARD_HEADERS)), headerValue),
  );
  const some = fc.array(given, { minLength: 1, maxLength: 2 });
  return fc
    .oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some })
    .map((pairs) => ({ "content-type": "application/json", ...Object.fromEntries(pairs) }));
}

const RAW_BODIES: readonly (string | Uint8Array)[] = [
  "",
  "{",
  "null",
  "[]",
  '"text"',
  "{}{}",
  '{"a":1,"a":2}',
  '{"message":1e400}',
  "\ufeff{}",
  "[".repeat(100_000),
  `${'{"a":'.repeat(200)}1${"}".repeat(200)}`,
  `[${"0,".repeat(120_000)}0]`,
  new Uint8Array([0xff, 0xfe, 0x7b]),
  new Uint8Array([0x22, 0xc0, 0xaf, 0x22]),
];

/** Always a text or bytes: also an operation that takes no body is sent one. */
function bodyFor({ requestBody }: Operation): fc.Arbitrary<string | Uint8Array | undefined> {
  const example = Object.values(requestBody?.content ?? {})[0]?.example;
  if (example === undefined) return rarely(fc.constantFrom(...RAW_BODIES), { usually: "" });
  return fc.oneof(
    { weight: 6, arbitrary: bent(example).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: fc.constantFrom(...RAW_BODIES) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], {}, [null], [[]]),
  fc.jsonValue({ maxDepth: 2 }),
);

const hostileMember = fc.constantFrom(
  "__proto__",
  "constructor",
  "userId",
  "callableAgentNames",
  "é",
);

/** The example with one to three of its places changed. */
const bent = (example: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(
      fc.tuple(fc.nat(), fc.constantFrom("replace", "remove", "add"), hostileValue, hostileMember),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((changes) =>
      changes.reduce<unknown>(
        (value, [place, how, content, member]) =>
          change(value, { place, how, content: structuredClone(content), member }),
        structuredClone(example),
      ),
    );

type Change = {
  readonly place: number;
  readonly how: string;
  readonly content: unknown;
  readonly member: string;
};

function change(root: unknown, { place, how, content, member }: Change): unknown {
  const containers = containersOf(root);
  const container = containers[place % Math.max(containers.length, 1)];
  if (container === undefined) return content;
  const keys = Object.keys(container);
  const key = how === "add" || keys.length === 0 ? member : (keys[place % keys.length] ?? member);
  if (how === "remove") delete container[key];
  // Defined rather than assigned, so that `__proto__` becomes a member.
  else
    Object.defineProperty(container, key, {
      value: content,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return root;
}

function containersOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const container = value as Record<string, unknown>;
  return [container, ...Object.values(container).flatMap(containersOf)];
}
