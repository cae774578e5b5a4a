/**
 * PostgreSQL arrays in the binary format of the wire.
 *
 * `pg` would write an array as text, quoting and escaping each element, and the server would parse
 * it: for JSON texts that is most of the time of a commit on both sides.
 */

import type { ColumnType, SqlValue } from "../journal-rows.ts";

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

export function binaryArray(type: ColumnType, values: readonly SqlValue[]): Buffer {
  const lengths = values.map((value) => byteLength(type, value));
  const size = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(length, 0), 0);
  const dimensions = values.length === 0 ? 0 : 1;
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + dimensions * DIMENSION_BYTES + size);

  let at = buffer.writeInt32BE(dimensions, 0);
  at = buffer.writeInt32BE(lengths.includes(NULL_LENGTH) ? 1 : 0, at);
  at = buffer.writeInt32BE(ELEMENT_OIDS[type], at);
  if (dimensions === 1) {
    at = buffer.writeInt32BE(values.length, at);
    at = buffer.writeInt32BE(1, at);
  }
  for (const [index, value] of values.entries()) {
    at = buffer.writeInt32BE(lengths[index] ?? NULL_LENGTH, at);
    at = writeElement(buffer, at, type, value);
  }
  return buffer;
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
