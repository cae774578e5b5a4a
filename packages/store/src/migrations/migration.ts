/** One step of the schema. Once released it is never edited: its checksum is in every database. */
export type Migration = {
  /** Number and name; migrations run in the order of their ids. */
  readonly id: string;
  /** `key` is the type of text that is compared or sorted. */
  statements(types: { readonly key: string }): readonly string[];
};
