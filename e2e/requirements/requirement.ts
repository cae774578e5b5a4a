/**
 * One behaviour that the seed documents of the product specification state: the document
 * (by its number), the section in it, and the behaviour in our own words and spellings.
 * Where two documents disagree the entry holds what was decided, and `note` says so.
 * `status` is `built` once a test cites the `id`.
 */
export type Requirement = {
  readonly id: string;
  readonly document: "000" | "001" | "003" | "004";
  readonly section: string;
  readonly sentence: string;
  readonly status: "built" | "planned";
  readonly note?: string;
};
