import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "./postgres-databases.ts";

/** A database engine that tests run on. */
export type StoreEngine = {
  readonly engine: "memory" | "sqlite" | "postgres";
  /** The URL of new, empty stores that live as long as the test process. */
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

const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tracon-sqlite-"));
  if (folders.length === 0) process.once("exit", removeFolders);
  folders.push(folder);
  return folder;
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
