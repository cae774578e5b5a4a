import { expect, it } from "vitest";
import { type FormPart, partsOfForm } from "./multipart.ts";

const TYPE = "multipart/form-data; boundary=x";

it("reads what the platform writes", async () => {
  const form = new FormData();
  const name = 'a "b"\\c ü\u{1f600}.txt';
  form.set("note", "über");
  form.set("file", new File(["a\r\n--", new Uint8Array([0, 255]), "\r\n"], name));
  const request = new Request("http://localhost", { method: "POST", body: form });
  const type = request.headers.get("content-type") ?? "";

  const parts = partsOfForm(new Uint8Array(await request.arrayBuffer()), type, 9);

  expect(parts?.map(readable)).toEqual([
    ["note", undefined, "über"],
    ["file", name, "a\r\n--\u0000\ufffd\r\n"],
  ]);
});

it.each<[string, string]>([
  ["a text before the first part", "Hello\r\n--x\r\n"],
  ["nothing before the first part", "--x\r\n"],
  ["an empty line before the first part", "\r\n--x\r\n"],
])("reads a form with %s", (_, beginning) => {
  const parts = partsOf(
    `${beginning}Content-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n`,
  );

  expect(parts?.map(readable)).toEqual([["a", undefined, "1"]]);
});

it.each<[string, string, string]>([
  ["quoted, as others write it", 'name="file"; filename="a \\"b\\".txt"', 'a "b".txt'],
  ["a path of Windows", 'name="file"; filename="C:\\a\\b.txt"', "C:\\a\\b.txt"],
  ["in the other order", 'filename="a.txt"; name="file"', "a.txt"],
  ["empty", 'name="file"; filename=""', ""],
])("reads a name that is %s", (_, members, fileName) => {
  const parts = partsOf(`--x\r\ncontent-disposition: form-data; ${members}\r\n\r\n1\r\n--x--`);

  expect(parts?.map(readable)).toEqual([["file", fileName, "1"]]);
});

it("reads a form without parts", () => {
  expect(partsOf("--x--\r\n")).toEqual([]);
});

it.each<[string, string, string]>([
  ["nothing", "", TYPE],
  ["another boundary", "--y\r\n\r\n--y--", TYPE],
  ["no end", '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1', TYPE],
  ["an end in its middle", '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x', TYPE],
  ["headers without an end", "--x\r\ncontent-disposition: form-data\r\n--x--", TYPE],
  ["headers too long", `--x\r\na: ${"b".repeat(9_000)}\r\n\r\n1\r\n--x--`, TYPE],
  ["a part without a name", "--x\r\ncontent-disposition: form-data\r\n\r\n1\r\n--x--", TYPE],
  ["a part of no form", '--x\r\ncontent-disposition: file; name="a"\r\n\r\n1\r\n--x--', TYPE],
  ["no boundary in its type", "--x--", "multipart/form-data; charset=utf-8"],
  [
    "more parts than asked for",
    '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(4),
    TYPE,
  ],
])("reads no form with %s", (_, body, type) => {
  expect(partsOfForm(Buffer.from(body), type, 3)).toBeUndefined();
});

const partsOf = (body: string) => partsOfForm(Buffer.from(body), TYPE, 9);

const readable = ({ name, fileName, content }: FormPart) => [
  name,
  fileName,
  new TextDecoder().decode(content),
];
