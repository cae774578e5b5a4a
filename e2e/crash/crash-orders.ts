/** What the test tells the process it will kill, and what it hears from it. */

export type ChildOrder = {
  readonly storage: string;
  /** A file outside of the product: one line for every tool body that ran. */
  readonly ledger: string;
};

export type ChildReport =
  | { readonly loaded: true }
  | { readonly url: string }
  | { readonly failed: string };
