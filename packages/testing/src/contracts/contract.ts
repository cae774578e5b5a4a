import type { Stores } from "@tracon/core";

/** One promise of a port, to be run by any test runner. */
export type ContractCase = {
  /** A sentence about behaviour, for the runner's title. */
  readonly name: string;
  /** Rejects when the promise is not kept. */
  run(): Promise<void>;
};

/** What the store contracts are about; `engine` and `close` are the caller's own matter. */
export type ContractStores = Pick<
  Stores,
  "definitions" | "runs" | "journal" | "sessions" | "approvals" | "statistics" | "attachments"
>;

/** The stores that a contract is held against. */
export type ContractSubject = {
  /**
   * The stores under test. They may be the same each time and need not be empty: every case works
   * in tenants of its own.
   */
  stores(): Promise<ContractStores>;
  /** The same data through stores opened anew; left out by stores that keep nothing. */
  reopened?(): Promise<ContractStores>;
  /** The same data through other stores, open at the same time; left out where that cannot be. */
  beside?(): Promise<ContractStores>;
};

/** All promises of one port. */
export type StoreContract = (subject: ContractSubject) => readonly ContractCase[];
