import { expect, it } from "vitest";
import { assert, faultText, TraconError } from "./errors.ts";

it("carries its code, its findings and its cause", () => {
  const cause = new Error("why");
  const findings = [{ code: "invalid_value", path: "a", message: "m", severity: "Error" }] as const;

  const error = new TraconError("request_invalid", "the run was not started", { findings, cause });

  expect(error).toMatchObject({
    name: "TraconError",
    code: "request_invalid",
    message: "the run was not started",
    details: { findings },
    cause,
  });
  expect(error.details).not.toHaveProperty("cause");
});

it("is told from other errors, by its code too, and across copies of the package", () => {
  const error = new TraconError("timeout", "too late");
  const copy = Object.defineProperty(new Error("x"), Symbol.for("tracon.error"), { value: true });

  expect(TraconError.is(error)).toBe(true);
  expect(TraconError.is(error, "timeout")).toBe(true);
  expect(TraconError.is(error, "internal")).toBe(false);
  expect(TraconError.is(copy)).toBe(true);
  expect(TraconError.is(new Error("timeout"))).toBe(false);
  expect(TraconError.is({ code: "timeout" })).toBe(false);
  expect(TraconError.is(undefined)).toBe(false);
});

it("says something of anything that was thrown", () => {
  const hostile = {
    toString() {
      throw new Error("no");
    },
  };
  const thrown = [
    new TypeError("bad"),
    "text",
    undefined,
    Symbol("s"),
    Object.create(null),
    hostile,
  ];

  expect(thrown.map(faultText)).toEqual([
    "TypeError: bad",
    "text",
    "undefined",
    "Symbol(s)",
    "a value that has no text",
    "a value that has no text",
  ]);
});

it("stops at what cannot be", () => {
  expect(() => assert(false, "the list is sorted")).toThrow("assertion failed: the list is sorted");
  expect(() => assert(1, "fine")).not.toThrow();
});
