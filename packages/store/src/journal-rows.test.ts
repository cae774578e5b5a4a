import fc from "fast-check";
import { expect, it } from "vitest";
import { packRows, type RowKind, rowColumns, rowKinds, unpackRows } from "./journal-rows.ts";
import type { SqlValue } from "./sql-value.ts";

const number: fc.Arbitrary<SqlValue> = fc.oneof(fc.integer(), fc.double({ noNaN: true }));
const text: fc.Arbitrary<SqlValue> = fc.string({ unit: "binary" });

const row = fc
  .constantFrom(...rowKinds)
  .chain((kind) =>
    fc
      .tuple(...rowColumns[kind].map(([, type]) => fc.option(type === "text" ? text : number)))
      .map((values): Row => [kind, values]),
  );

it("unpacks the rows that were packed", () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const packed = packRows((put) => {
        for (const [kind, values] of rows) put(kind, values);
      });
      const unpacked: Row[] = [];

      unpackRows(packed, (kind, values) => unpacked.push([kind, values]));

      expect(unpacked).toEqual(rows);
    }),
  );
});

type Row = readonly [kind: RowKind, values: readonly SqlValue[]];
