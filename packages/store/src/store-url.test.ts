import { TraconError } from "@tracon/core";
import { expect, it } from "vitest";
import { checkStoreUrl, parseStoreUrl } from "./store-url.ts";

it.each([
  ["memory:", { engine: "memory" }],
  ["sqlite:tracon.db", { engine: "sqlite", path: "tracon.db" }],
  ["sqlite:.tracon/a b.db", { engine: "sqlite", path: ".tracon/a b.db" }],
  ["sqlite:/var/tracon.db", { engine: "sqlite", path: "/var/tracon.db" }],
  ["sqlite:///var/tracon.db", { engine: "sqlite", path: "/var/tracon.db" }],
  ["postgres://u:p@h:1/d", { engine: "postgres", url: "postgres://u:p@h:1/d" }],
  ["postgresql:///d?host=/run", { engine: "postgres", url: "postgresql:///d?host=/run" }],
])("reads %s", (url, expected) => {
  expect(parseStoreUrl(url)).toEqual(expected);
  expect(checkStoreUrl(url)).toEqual([]);
});

it.each([
  "",
  "tracon.db",
  "sqlite:",
  "sqlite::memory:",
  "mysql://user:secret@host/db",
  "postgres:user:secret@host/db",
  "postgres://user:secret@ho st/db",
  "postgres://user:secret%ZZ@host/db",
  "user:secret@host",
  "secret",
])("refuses %j with a finding that repeats no secret", (url) => {
  const error = errorOf(() => parseStoreUrl(url));

  expect(TraconError.is(error, "configuration_invalid")).toBe(true);
  expect(checkStoreUrl(url)).toMatchObject([{ code: "invalid_value", path: "store" }]);
  expect(String(error) + JSON.stringify(error)).not.toContain("secret");
});

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("expected a refusal");
}
