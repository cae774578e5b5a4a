import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson, contentHash } from "./canonical.ts";

it("orders members by code unit and leaves out white space", () => {
  expect(canonicalJson({ b: [1, { d: 2, c: null }], a: "x", B: true, ä: 1 })).toBe(
    '{"B":true,"a":"x","b":[1,{"c":null,"d":2}],"ä":1}',
  );
});

it("treats an undefined member as absent and an undefined item as null", () => {
  expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
});

it("hashes known content to a known value", () => {
  // printf '{"a":1}' | sha256sum
  expect(contentHash({ a: 1 })).toBe(
    "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862",
  );
});

it("says the same of equal content in any order of members", () => {
  fc.assert(
    fc.property(json(), fc.integer(), (value, seed) => {
      expect(contentHash(shuffled(value, seed))).toBe(contentHash(value));
    }),
  );
});

it("says something else of other content", () => {
  fc.assert(
    fc.property(json(), json(), (one, other) => {
      const areEqual = canonicalJson(one) === canonicalJson(other);

      expect(contentHash(one) === contentHash(other)).toBe(areEqual);
      expect(areEqual).toBe(isDeepStrictEqual(travelled(one), travelled(other)));
    }),
  );
});

it("writes JSON that reads back as the same value", () => {
  fc.assert(
    fc.property(json(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it("tells apart texts with different lone surrogates", () => {
  expect(contentHash("\uD83D")).not.toBe(contentHash("\uD83E"));
});

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const json = (): fc.Arbitrary<Json> => fc.jsonValue() as fc.Arbitrary<Json>;

function shuffled(value: Json, seed: number): Json {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, seed));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, it]) => [key, shuffled(it, seed)] as const);
  const at = entries.length === 0 ? 0 : Math.abs(seed) % entries.length;
  return Object.fromEntries([...entries.slice(at), ...entries.slice(0, at)].reverse());
}

const travelled = (value: Json): unknown => JSON.parse(JSON.stringify(value));
