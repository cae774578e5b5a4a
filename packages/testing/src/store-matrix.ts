import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, FOLDER_VARIABLE } from "./postgres-databases.ts";

/** A database engine that tests run on. */
export type StoreEngine = {
  readonly engine: "memory" | "sqlite" | "postgres";
  /** The URL of new, empty stores that live as long as the test run. */
  newUrl(): Promise<string>;
};

/**
 * The engines a test of stores runs on: all, or the ones listed in the environment variable
 * `STORES`, such as `STORES=memory,sqlite`.
 */
export function storeMatrix(): readonly StoreEngine[] {
  const wanted = process.env.STORES?.split(",").map((it) => it.trim());
  return engines.filter(({ engine }) => wanted?.includes(engine) ?? true);
}

const engines: readonly StoreEngine[] = [
  { engine: "memory", newUrl: async () => "memory:" },
  { engine: "sqlite", newUrl: async () => `sqlite:${join(newFolder(), "stores", "tracon.db")}` },
  { engine: "postgres", newUrl: createTestDatabase },
];

/** Test runners kill their processes, so only the one that started them can clean up. */
const newFolder = (): string =>
  mkdtempSync(join(process.env[FOLDER_VARIABLE] ?? tmpdir(), "tracon-sqlite-"));
