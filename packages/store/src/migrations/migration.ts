/** One step of the schema. Once released it is never edited: its checksum is in every database. */
export type Migration = {
  /** Number and name; migrations run in the order of their ids. */
  readonly id: string;
  statements(dialect: MigrationDialect): readonly string[];
};

/** What differs between the engines. Most statements need `key` alone. */
export type MigrationDialect = {
  readonly engine: "sqlite" | "postgres";
  /** The type of text that is compared or sorted: by code point, on both engines. */
  readonly key: string;
};
