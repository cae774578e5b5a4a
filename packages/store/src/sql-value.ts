/** What columns hold. The SQLite worker imports this file, so it must not import any package. */

export type SqlValue = string | number | null;

export type ColumnType = "text" | "integer" | "bigint" | "double precision";

export type Column = readonly [name: string, type: ColumnType];
