import { describe, expect, it } from "vitest";
import {
  formatAgo,
  formatCost,
  formatCosts,
  formatCount,
  formatDurationMs,
  formatInstant,
  formatMoney,
  formatShare,
  formatTokens,
  formatUntil,
  prettyJson,
  shortenMiddle,
  shortenName,
} from "./format.ts";

it.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [999.6, "1.0 s"],
  [2_449, "2.4 s"],
  [9_999, "9.9 s"],
  [59_999, "59 s"],
  [65_000, "1 min 05 s"],
  [3_599_999, "59 min 59 s"],
  [7_380_000, "2 h 03 min"],
  [90_000_000, "1 d 01 h"],
  [-5, "0 ms"],
])("writes %d ms as %s", (ms, text) => {
  expect(formatDurationMs(ms)).toBe(text);
});

it.each([
  [0, "just now"],
  [-3_000, "just now"],
  [59_000, "59 s ago"],
  [3_599_000, "59 min ago"],
  [86_399_000, "23 h ago"],
  [86_400_000 * 3, "3 d ago"],
])("writes %d ms back as %s", (ms, text) => {
  expect(formatAgo("2026-11-30T10:00:00Z", Date.parse("2026-11-30T10:00:00Z") + ms)).toBe(text);
});

it("writes an instant in the reader's time zone", () => {
  const at = new Date(2026, 10, 30, 4, 3, 5);

  expect(formatInstant(at.toISOString())).toBe("2026-11-30 04:03:05");
});

it.each([
  [0, "0"],
  [9_999, "9999"],
  [12_345, "12.3 k"],
  [99_960, "100 k"],
  [999_499, "999 k"],
  [999_500, "1.0 M"],
])("writes %d tokens as %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

describe("what is not known", () => {
  it("reads as unknown and not as zero", () => {
    expect(formatTokens(undefined)).toBe("unknown");
    expect(formatTokens({ outputTokens: 3 })).toBe("unknown");
    expect(formatCost(undefined)).toBe("unknown");
    expect(formatCost({ source: "Unknown" })).toBe("unknown");
    expect(formatCost({ source: "Catalog", inputCost: 1, currency: "USD" })).toBe("unknown");
  });

  it("is told apart from a measured zero", () => {
    expect(formatTokens({ inputTokens: 0, outputTokens: 0 })).toBe("0");
    expect(formatCost({ source: "Catalog", totalCost: 0, currency: "USD" })).toBe("$0.00");
  });
});

it.each([
  [12.345, "USD", "$12.35"],
  [0.5, "USD", "$0.50"],
  [0.0123, "USD", "$0.012"],
  [0.000_000_456, "EUR", "EUR 0.00000046"],
])("writes %d %s as %s", (amount, currency, text) => {
  expect(formatMoney(amount, currency)).toBe(text);
});

it("shortens long ids in the middle and leaves short ones", () => {
  expect(shortenMiddle("0198d3a0-0000-7000-8000-00000000abcd")).toBe("0198d3a0…abcd");
  expect(shortenMiddle("call_1")).toBe("call_1");
});

it("lays JSON out and leaves other text as it is", () => {
  expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(prettyJson("not {json")).toBe("not {json");
});

it.each([
  [-1, "now"],
  [39_100, "in 40 s"],
  [61_000, "in 2 min"],
  [3_600_000 * 23.5, "in 23 h"],
  [86_400_000 * 3, "in 3 d"],
])("writes %d ms ahead as %s", (ms, text) => {
  const at = new Date(Date.parse("2026-11-30T10:00:00Z") + ms).toISOString();

  expect(formatUntil(at, Date.parse("2026-11-30T10:00:00Z"))).toBe(text);
});

it("writes a share with one digit", () => {
  expect(formatShare(61 / 1_272)).toBe("4.8 %");
});

it("shortens ids, and leaves names that people chose", () => {
  expect(shortenName("customer-4711/mail")).toBe("customer-4711/mail");
  expect(shortenName("0198d3a0-0000-7000-8000-00000000abcd")).toBe("0198d3a0…abcd");
});

it.each([
  ["unknown", [], 0],
  ["unknown", [], 3],
  ["$0.010", [{ currency: "USD", totalCost: 0.01 }], 0],
  ["$2.00", [{ currency: "", totalCost: 2 }], 0],
  ["$1.50, without 1 run of unknown price", [{ currency: "USD", totalCost: 1.5 }], 1],
  [
    "$1.50 + EUR 2.00, without 2 runs of unknown price",
    [
      { currency: "USD", totalCost: 1.5 },
      { currency: "EUR", totalCost: 2 },
    ],
    2,
  ],
])("reads %j for costs of several things", (text, costs, count) => {
  expect(formatCosts(costs, { count, of: "run" })).toBe(text);
});
