import { expect, it } from "vitest";
import { mediaTypeOf } from "./media-type.ts";

const bytes = (...parts: readonly (string | number)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : [part])),
  );

it.each<[string, Uint8Array]>([
  ["image/png", bytes(0x89, "PNG\r\n", 0x1a, "\n", 0, 0)],
  ["image/jpeg", bytes(0xff, 0xd8, 0xff, 0xe0)],
  ["image/gif", bytes("GIF87a", 1)],
  ["image/gif", bytes("GIF89a", 1)],
  ["image/webp", bytes("RIFF", 1, 2, 3, 4, "WEBPVP8 ")],
  ["application/pdf", bytes("%PDF-1.7\n")],
  ["audio/wav", bytes("RIFF", 1, 2, 3, 4, "WAVEfmt ")],
  ["audio/ogg", bytes("OggS", 0)],
  ["audio/mpeg", bytes("ID3", 4, 0)],
  ["audio/mpeg", bytes(0xff, 0xfb, 0x90, 0x64)],
  ["text/plain", bytes("Where is ORD-3?\r\n\tÜber\f")],
  ["text/plain", bytes(0xef, 0xbb, 0xbf, "with a mark")],
  ["text/plain", bytes("<html><script>alert(1)</script>")],
])("knows %s by its bytes", (mediaType, content) => {
  expect(mediaTypeOf(content)).toBe(mediaType);
});

it.each<[string, Uint8Array]>([
  ["nothing", bytes()],
  ["a program", bytes(0x7f, "ELF", 2, 1)],
  ["an archive", bytes("PK", 3, 4, 20, 0)],
  ["text with a NUL", bytes("a", 0, "b")],
  ["text with an escape sequence", bytes("a", 0x1b, "[31m")],
  ["text in another encoding", bytes("Gr", 0xfc, 0xdf, "e")],
  ["UTF-16", bytes(0xff, 0xfe, "a", 0)],
  ["RIFF of another kind", bytes("RIFF", 1, 2, 3, 4, "AVI ")],
  ["the beginning of a PNG", bytes(0x89, "PN")],
])("does not know %s", (_, content) => {
  expect(mediaTypeOf(content)).toBeUndefined();
});

it("takes a character that the first kilobyte cuts through for what it is", () => {
  const text = `${"a".repeat(1_023)}ü and more`;

  expect(mediaTypeOf(bytes(text))).toBe("text/plain");
  expect(mediaTypeOf(bytes("a".repeat(1_023), 0xc3))).toBeUndefined();
});

it("looks at the first kilobyte only", () => {
  expect(mediaTypeOf(bytes("a".repeat(1_024), 0))).toBe("text/plain");
});
