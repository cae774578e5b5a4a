import type { DatedPrice, ModelDescriptor } from "@tracon/core";
import { expect, it } from "vitest";
import { createPriceTable, priceFindings } from "./price-table.ts";

const JULY = "2026-07-01T00:00:00.000Z";
const AUGUST = "2026-08-01T00:00:00.000Z";

it("finds the latest dated price that is in force, whatever their order", () => {
  const table = createPriceTable([], [priced(3, AUGUST), priced(1), priced(2, JULY)]);
  const at = (moment: string) => table("p", "m", moment)?.price.inputPerMillion;

  expect(at("2020-01-01T00:00:00.000Z")).toBe(1);
  expect(at("2026-06-30T23:59:59.999Z")).toBe(1);
  expect(at(JULY)).toBe(2);
  expect(at("2026-07-31T23:59:59.999Z")).toBe(2);
  expect(at(AUGUST)).toBe(3);
});

it("says where a price is from and since when it holds", () => {
  const table = createPriceTable([listed(9)], [priced(2, JULY)]);
  const other = createPriceTable([], [priced(2, JULY)]);

  expect(table("p", "m", AUGUST)).toEqual({
    price: { currency: "USD", inputPerMillion: 9 },
    source: "Catalog",
  });
  expect(other("p", "m", AUGUST)).toMatchObject({ source: "Configuration", validFrom: JULY });
});

it("knows no price before the first one is in force, nor of another model or provider", () => {
  const table = createPriceTable([], [priced(2, JULY)]);

  expect(table("p", "m", "2026-06-30T00:00:00.000Z")).toBeUndefined();
  expect(table("p", "other", AUGUST)).toBeUndefined();
  expect(table("other", "m", AUGUST)).toBeUndefined();
});

it("finds everything that is wrong with prices", () => {
  const nothing = { provider: "p", model: "free", currency: "USD" };

  const findings = priceFindings(
    [listed(9)],
    [priced(1), { ...priced(1), model: "n" }, { ...priced(2), model: "n" }, nothing],
  );

  expect(findings.map(({ code, path }) => [code, path])).toEqual([
    ["duplicate_name", "prices[0]"],
    ["duplicate_name", "prices[2]"],
    ["member_missing", "prices[3]"],
  ]);
});

function priced(inputPerMillion: number, validFrom?: string): DatedPrice {
  const date = validFrom === undefined ? {} : { validFrom };
  return { provider: "p", model: "m", currency: "USD", inputPerMillion, ...date };
}

function listed(inputPerMillion: number): ModelDescriptor {
  return {
    provider: "p",
    model: "m",
    supportsTools: true,
    supportsStructuredOutput: false,
    price: { currency: "USD", inputPerMillion },
  };
}
