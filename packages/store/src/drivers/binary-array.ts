/**
 * PostgreSQL arrays in the binary format of the wire.
 *
 * `pg` would write an array as text, quoting and escaping each element, and the server would parse
 * it: for JSON texts that is most of the time of a commit on both sides.
 */

import type { ColumnType, SqlValue } from "../sql-value.ts";

/** `pg_type.oid` of the elements; these never change. */
const ELEMENT_OIDS: Readonly<Record<ColumnType, number>> = {
  text: 25,
  integer: 23,
  bigint: 20,
  "double precision": 701,
};

const HEADER_BYTES = 12;
const DIMENSION_BYTES = 8;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

export type ArrayColumn = { readonly type: ColumnType; readonly values: readonly SqlValue[] };

/** More than this is given back after a batch. */
const MAX_KEPT_BYTES = 4_194_304;
/** Room for a batch that is a little larger than the largest before it. */
const GROWTH = 1.5;

/**
 * Writes the arrays of a batch, one for each column, into memory that the next batch uses again:
 * memory outside the heap for every batch would make the garbage collector the larger part of the
 * cost of a commit. The arrays are good until the next call.
 */
export function arrayWriter(): (columns: readonly ArrayColumn[]) => readonly Buffer[] {
  let kept = Buffer.alloc(0);

  return (columns) => {
    const lengths = columns.map(({ type, values }) => values.map((it) => byteLength(type, it)));
    const sizes = lengths.map(arraySize);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const memory = total <= kept.length ? kept : Buffer.allocUnsafeSlow(Math.ceil(total * GROWTH));
    if (memory.length <= MAX_KEPT_BYTES) kept = memory;

    let start = 0;
    return columns.map((column, index) => {
      const end = start + (sizes[index] ?? 0);
      const array = memory.subarray(start, end);
      writeArray(array, column, lengths[index] ?? []);
      start = end;
      return array;
    });
  };
}

function arraySize(lengths: readonly number[]): number {
  let size = HEADER_BYTES + (lengths.length === 0 ? 0 : DIMENSION_BYTES);
  for (const length of lengths) size += LENGTH_BYTES + Math.max(length, 0);
  return size;
}

function writeArray(array: Buffer, { type, values }: ArrayColumn, lengths: readonly number[]) {
  let at = array.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  at = array.writeInt32BE(lengths.includes(NULL_LENGTH) ? 1 : 0, at);
  at = array.writeInt32BE(ELEMENT_OIDS[type], at);
  if (values.length === 0) return;
  at = array.writeInt32BE(values.length, at);
  at = array.writeInt32BE(1, at);
  for (const [index, value] of values.entries()) {
    at = array.writeInt32BE(lengths[index] ?? NULL_LENGTH, at);
    at = writeElement(array, at, type, value);
  }
}

function byteLength(type: ColumnType, value: SqlValue): number {
  if (value === null) return NULL_LENGTH;
  if (typeof value === "string") return Buffer.byteLength(value);
  return type === "integer" ? 4 : 8;
}

function writeElement(buffer: Buffer, at: number, type: ColumnType, value: SqlValue): number {
  if (value === null) return at;
  if (typeof value === "string") return at + buffer.write(value, at);
  if (type === "integer") return buffer.writeInt32BE(value, at);
  return type === "bigint"
    ? buffer.writeBigInt64BE(BigInt(value), at)
    : buffer.writeDoubleBE(value, at);
}
