/** The driver the store uses, for what a job does beside it. */

import { createRequire } from "node:module";

type Query = {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
};

export type PostgresClient = {
  connect(): Promise<void>;
  query(query: string | Query): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
  end(): Promise<void>;
};

type Driver = { readonly Client: new (options: { connectionString: string }) => PostgresClient };

/** Connects to a database with the version of `pg` that the store depends on. */
export async function connectPostgres(url: string): Promise<PostgresClient> {
  const require = createRequire(new URL("../packages/store/package.json", import.meta.url));
  const { Client } = require("pg") as Driver;
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
