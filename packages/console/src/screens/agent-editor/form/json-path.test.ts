import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Path, parsePath, pathText, readAt, sameJson, writeAt } from "./json-path.ts";

const key = fc.string({ minLength: 1, maxLength: 8 });
const document = fc.dictionary(key, fc.jsonValue({ maxDepth: 4 }));

describe("writing a place", () => {
  it("leaves every other place as it is, and the document it started from too", () => {
    fc.assert(
      fc.property(documentWithPlace(), fc.jsonValue(), ([before, path], value) => {
        const frozen = JSON.stringify(before);

        const after = writeAt(before, path, value);

        expect(readRaw(after, path)).toEqual(value);
        expect(leavesOf(after, path)).toEqual(leavesOf(before, path));
        expect(JSON.stringify(before)).toBe(frozen);
      }),
    );
  });

  it("can be taken back by writing what was there", () => {
    fc.assert(
      fc.property(documentWithPlace(), fc.jsonValue(), ([before, path], value) => {
        const after = writeAt(writeAt(before, path, value), path, readRaw(before, path));

        expect(JSON.stringify(after)).toBe(JSON.stringify(before));
      }),
    );
  });

  it("makes the objects on the way and removes with undefined", () => {
    expect(writeAt({}, ["a", "b"], 1)).toEqual({ a: { b: 1 } });
    expect(writeAt({ a: { b: 1 }, c: 2 }, ["a", "b"], undefined)).toEqual({ a: {}, c: 2 });
    expect(writeAt({ a: [1, 2, 3] }, ["a", 1], undefined)).toEqual({ a: [1, 3] });
    expect(writeAt({ c: 2 }, ["a", "b"], undefined)).toEqual({ c: 2 });
  });

  it("keeps a member that is named like a part of the language", () => {
    const before = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "a": 3}');

    const after = writeAt(before, ["a"], 4);

    expect(JSON.stringify(after)).toBe('{"__proto__":{"x":1},"constructor":2,"a":4}');
  });
});

describe("paths in writing", () => {
  it("read as they are written", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat({ max: 99 }), key), { minLength: 1 }), (path) => {
        expect(parsePath(pathText(path))).toEqual(path);
      }),
    );
  });

  it.each([
    ["harness.loop.criteria[0].kind", ["harness", "loop", "criteria", 0, "kind"]],
    ['instructionsByCulture["de-AT"]', ["instructionsByCulture", "de-AT"]],
    ["instructionsByCulture.de-AT", ["instructionsByCulture", "de-AT"]],
    ["", []],
  ] as const)("reads %s", (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });
});

it("compares without regard to the order of members", () => {
  expect(sameJson({ a: [1, { b: null }], c: 1 }, { c: 1, a: [1, { b: null }] })).toBe(true);
  expect(sameJson({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  expect(sameJson({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  expect(sameJson([], {})).toBe(false);
});

/** A document and one of the places in it. */
function documentWithPlace() {
  return document
    .map((it) => [it, placesOf(it, [])] as const)
    .filter(([, places]) => places.length > 0)
    .chain(([it, places]) => fc.tuple(fc.constant(it), fc.constantFrom(...places)));
}

function placesOf(value: unknown, path: Path): Path[] {
  if (value === null || typeof value !== "object") return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([at, item]) => [[...path, at], ...placesOf(item, [...path, at])]);
}

/** Every leaf outside of a place, by its path. */
const leavesOf = (value: unknown, without: Path): readonly string[] =>
  placesOf(value, [])
    .filter((path) => !without.every((at, index) => path[index] === at))
    .filter((path) => placesOf(readRaw(value, path), []).length === 0)
    .map((path) => JSON.stringify([path, readRaw(value, path)]))
    .filter((leaf) => leaf !== undefined);

/** As `readAt`, with `null` as a value of its own. */
function readRaw(value: unknown, path: Path): unknown {
  const [at, ...rest] = path;
  if (at === undefined) return value;
  return readRaw((value as Readonly<Record<string | number, unknown>>)[at], rest);
}

it("reads what is null as not given", () => {
  expect(readAt({ a: { b: null } }, ["a", "b"])).toBeUndefined();
  expect(readAt({ a: null }, ["a", "b"])).toBeUndefined();
});
