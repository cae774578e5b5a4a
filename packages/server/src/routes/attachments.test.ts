import { expect, it } from "vitest";
import * as examples from "../openapi/examples.ts";
import { ATTACHED, fakeEngine, MAX_BYTES } from "../testing/fake-engine.ts";
import { problemIn, testServer } from "../testing/test-server.ts";

const PATH = "/tracon/api/attachments";
const { id, sha256 } = examples.attachment;
const UNKNOWN = "01993c1e-7d2b-7a54-9c0e-000000000000";

it("takes the file of a form", async () => {
  const server = testServer();

  const body = formOf({ file: new File(["%PDF-1.7"], "Bestellung ü.pdf") });
  const response = await server.ask(`${PATH}?sessionId=s`, { method: "POST", body });

  expect(response.status).toBe(201);
  expect(response.headers.get("location")).toBe(`${PATH}/${id}`);
  expect(await response.json()).toEqual(examples.attachment);
  expect(server.calls).toEqual([
    [
      "upload",
      {
        fileName: "Bestellung ü.pdf",
        content: new TextEncoder().encode("%PDF-1.7"),
        sessionId: "s",
      },
    ],
  ]);
});

it("takes a file of just the largest size", async () => {
  const body = formOf({ file: new File([new Uint8Array(MAX_BYTES)], "a") });

  const response = await testServer().ask(PATH, { method: "POST", body });

  expect(response.status).toBe(201);
});

it.each<[string, FormData, string, string]>([
  ["no file", formOf({}), "member_missing", "file"],
  ["a text instead of a file", formOf({ file: "text" }), "member_missing", "file"],
  ["another field", formOf({ file: aFile(), note: "x" }), "unknown_member", "note"],
  ["two files", formOf({ file: aFile() }, { file: aFile() }), "duplicate_name", "file"],
])("refuses a form with %s", async (_, body, code, path) => {
  const server = testServer();

  const response = await server.ask(PATH, { method: "POST", body });

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({ findings: [{ code, path }] });
  expect(server.calls).toEqual([]);
});

it("reads no more of a file than the largest one may have", async () => {
  const server = testServer();
  let pulls = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls++;
      controller.enqueue(new Uint8Array(16_384));
    },
    cancel() {
      isCancelled = true;
    },
  });

  const response = await server.ask(PATH, {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: endless,
    duplex: "half",
  } as RequestInit);

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({
    findings: [{ code: "attachment_too_large", path: "file" }],
  });
  expect(isCancelled).toBe(true);
  expect(pulls).toBeLessThan(8);
  expect(server.calls).toEqual([]);
});

it.each<[string, string | undefined, BodyInit, number]>([
  ["JSON", "application/json", "{}", 415],
  ["bytes", "application/pdf", "%PDF-1.7", 415],
  ["a form without its boundary", "multipart/form-data", "x", 415],
  ["a form that is none", "multipart/form-data; boundary=x", "--y\r\n", 400],
  ["a form that breaks off", "multipart/form-data; boundary=x", "--x\r\ncontent-dispo", 400],
  ["nothing", "multipart/form-data; boundary=x", "", 400],
])("refuses %s", async (_, type, body, status) => {
  const server = testServer();

  const headers = type === undefined ? {} : { "content-type": type };
  const response = await server.ask(PATH, { method: "POST", headers, body });

  expect(response.status).toBe(status);
  expect((await problemIn(response)).status).toBe(status);
  expect(server.calls).toEqual([]);
});

it("gives the bytes to be saved, and lets no browser guess at them", async () => {
  const response = await testServer().ask(`${PATH}/${id.toUpperCase()}`);

  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toEqual({
    "cache-control": "private, no-cache",
    "content-disposition": "attachment; filename=\"order.pdf\"; filename*=UTF-8''order.pdf",
    "content-length": String(ATTACHED.length),
    "content-security-policy": "sandbox; default-src 'none'",
    "content-type": "application/pdf",
    etag: `"${sha256}"`,
    "x-content-type-options": "nosniff",
  });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(ATTACHED);
});

it.each([
  ['a "b"; c.txt', "filename=\"a _b_; c.txt\"; filename*=UTF-8''a%20%22b%22%3B%20c.txt"],
  ["ü'(💥)*.txt", "filename=\"_'(__)*.txt\"; filename*=UTF-8''%C3%BC%27%28%F0%9F%92%A5%29%2A.txt"],
])("writes the name %s so that no reader of headers trips over it", async (fileName, written) => {
  const get = async () => ({ ...examples.attachment, byteSize: ATTACHED.length, fileName });
  const engine = fakeEngine({ attachments: { get } });

  const response = await testServer({ engine }).ask(`${PATH}/${id}`);

  expect(response.headers.get("content-disposition")).toBe(`attachment; ${written}`);
});

it.each([`"${sha256}"`, `W/"${sha256}"`, `"other", "${sha256}"`, "*"])(
  "answers 304 and reads no bytes when the caller has %s",
  async (known) => {
    const server = testServer();

    const response = await server.ask(`${PATH}/${id}`, { headers: { "if-none-match": known } });

    expect(response.status).toBe(304);
    expect(response.headers.get("etag")).toBe(`"${sha256}"`);
    expect(server.calls.map(([name]) => name)).toEqual(["get"]);
  },
);

it("gives the bytes to a caller that has others", async () => {
  const headers = { "if-none-match": '"other"' };

  const response = await testServer().ask(`${PATH}/${id}`, { headers });

  expect(response.status).toBe(200);
});

it("lists files, with the way to the next page", async () => {
  const server = testServer();

  const first = await server.ask(`${PATH}?take=1&sessionId=a%20b`);
  const link = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1];
  await server.ask(link ?? "");

  expect(await first.json()).toEqual([examples.attachment]);
  expect(server.calls).toEqual([
    ["list", { sessionId: "a b" }, { skip: 0, take: 1 }],
    ["list", { sessionId: "a b" }, { skip: 0, take: 1, before: id }],
  ]);
});

it("deletes a file", async () => {
  const response = await testServer().ask(`${PATH}/${id}`, { method: "DELETE" });

  expect(response.status).toBe(204);
});

it.each([
  ["GET", UNKNOWN],
  ["DELETE", UNKNOWN],
  ["GET", "..%2Fagents"],
  ["DELETE", "17"],
])("has nothing to %s at %s", async (method, segment) => {
  const response = await testServer().ask(`${PATH}/${segment}`, { method });

  expect(response.status).toBe(404);
  expect(await problemIn(response)).toMatchObject({ code: "attachment_not_found" });
});

function formOf(...fields: readonly Readonly<Record<string, string | File>>[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields.flatMap((it) => Object.entries(it))) form.append(name, value);
  return form;
}

function aFile(): File {
  return new File(["%PDF-1.7"], "a.pdf");
}
