import { expect, it } from "vitest";
import { jsonBody, problemIn, testServer } from "./testing/test-server.ts";

const PATH = "/tracon/api/agents/validate";
const post = (body: BodyInit | null, type = "application/json", headers = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": type, ...headers },
  body,
});

it.each([
  "application/json",
  "application/json; charset=UTF-8",
  "application/vnd.x+json",
  'application/json;charset="utf-8"',
])("reads a body of type %s", async (type) => {
  const server = testServer();

  const response = await server.ask(PATH, post('{"name":"a"}', type));

  expect(response.status).toBe(200);
  expect(server.calls).toEqual([["validate", { name: "a" }]]);
});

it.each([
  "text/plain",
  "application/jsonp",
  "application/json; charset=utf-16",
  "multipart/form-data",
  "x/application/json",
])("refuses a body of type %s", async (type) => {
  const response = await testServer().ask(PATH, post("{}", type));

  expect(response.status).toBe(415);
  expect(await problemIn(response)).toMatchObject({ code: "media_type_unsupported" });
});

it("refuses a body whose type is not given", async () => {
  const response = await testServer().ask(PATH, {
    method: "POST",
    body: new Uint8Array([123, 125]),
  });

  expect(response.status).toBe(415);
});

it("refuses a compressed body: its size is not known before it is open", async () => {
  const response = await testServer().ask(
    PATH,
    post("{}", undefined, { "content-encoding": "gzip" }),
  );

  expect(response.status).toBe(415);
});

it.each([
  ["nothing", ""],
  ["half an object", '{"a":'],
  ["a trailing comma", '{"a":1,}'],
  ["two values", "{}{}"],
  ["NaN", '{"a":NaN}'],
  ["a UTF-16 text", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0])],
  ["overlong UTF-8", new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
  ["half a character", new Uint8Array([0x22, 0xf0, 0x9f, 0x22])],
])("refuses %s as unreadable", async (_, body) => {
  const response = await testServer().ask(PATH, post(body));

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({
    code: "request_invalid",
    findings: [{ code: "body_unreadable", path: "" }],
  });
});

it("refuses a request without a body", async () => {
  const response = await testServer().ask(PATH, {
    method: "POST",
    headers: { "content-type": "application/json" },
  });

  expect(response.status).toBe(400);
});

it("reads 64 levels and not one more", async () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

  const deepest = await testServer().ask(PATH, post(nested(64)));
  const deeper = await testServer().ask(PATH, post(nested(65)));
  const bomb = await testServer().ask(PATH, post("[".repeat(500_000)));

  expect(deepest.status).toBe(200);
  expect(deeper.status).toBe(400);
  expect(bomb.status).toBe(400);
});

it("does not take brackets in texts for nesting", async () => {
  const text = '\\"[{'.repeat(1_000);

  const response = await testServer().ask(PATH, post(`{"a":"${text}\\\\","b":"["}`));

  expect(response.status).toBe(200);
});

it("refuses more values than any definition has", async () => {
  const many = (values: number) => `[${Array(values).fill("0").join(",")}]`;

  const most = await testServer().ask(PATH, post(many(100_000)));
  const more = await testServer().ask(PATH, post(many(100_001)));

  expect(most.status).toBe(200);
  expect(more.status).toBe(400);
});

it("refuses a body that announces more bytes than the limit, without reading it", async () => {
  const headers = { "content-length": "9999999" };

  const response = await testServer().ask(PATH, post("{}", undefined, headers));

  expect(response.status).toBe(413);
  expect(await problemIn(response)).toMatchObject({ code: "body_too_large" });
});

it("stops reading a body that turns out larger than the limit", async () => {
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(100_000).fill(0x20));
    },
  });
  const init = { ...post(body), duplex: "half" };

  const response = await testServer().ask("/tracon/api/agents/support/run", init);

  expect(response.status).toBe(413);
  expect(sent).toBeLessThan(15);
});

it.each(["2", "many"])(
  "refuses a body larger than the limit that declares %s bytes",
  async (length) => {
    const body = post("x".repeat(5_000_000), undefined, { "content-length": length });

    const response = await testServer().ask(PATH, body);

    expect(response.status).toBe(413);
  },
);

it("reads a body that declares its length", async () => {
  const server = testServer();

  await server.ask(PATH, post('{"a":"ü"}', undefined, { "content-length": "10" }));

  expect(server.calls[0]?.[1]).toEqual({ a: "ü" });
});

it("answers a body that breaks off before its declared length as unreadable", async () => {
  const body = new ReadableStream({
    start: (controller) => controller.error(new Error("the peer went away")),
  });
  const init = { ...post(body, undefined, { "content-length": "100" }), duplex: "half" };

  const response = await testServer().ask(PATH, init as RequestInit);

  expect(response.status).toBe(400);
});

it("allows a definition twice the size of a run request", async () => {
  const body = post(`{"a":"${"x".repeat(1_500_000)}"}`);

  const definition = await testServer().ask(PATH, body);
  const run = await testServer().ask("/tracon/api/agents/support/run", body);

  expect(definition.status).toBe(200);
  expect(run.status).toBe(413);
});

it("answers a body that breaks off as unreadable", async () => {
  const body = new ReadableStream({
    start: (controller) => controller.error(new Error("the peer went away")),
  });
  const server = testServer();

  const response = await server.ask(PATH, { ...post(body), duplex: "half" } as RequestInit);

  expect(response.status).toBe(400);
  expect(server.logged).toEqual([]);
});

it("hands members called like parts of every object on as members", async () => {
  const server = testServer();

  await server.ask(
    PATH,
    jsonBody('{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}'),
  );

  const [, body] = server.calls[0] ?? [];
  expect(Object.keys(body as object)).toEqual(["__proto__", "constructor"]);
  expect("polluted" in {}).toBe(false);
});
