import type { Log } from "@tracon/core";
import { parseStoreUrl } from "../store-url.ts";
import type { Driver } from "./driver.ts";
import { openSqliteFile, openSqliteMemory } from "./sqlite.ts";

export async function openDriver(url: string, log: Log | undefined): Promise<Driver> {
  const location = parseStoreUrl(url);
  switch (location.engine) {
    case "memory":
      return openSqliteMemory();
    case "sqlite":
      return openSqliteFile(location.path);
    case "postgres": {
      // Loaded only where it is used: most installations are on SQLite.
      const { openPostgres } = await import("./postgres.ts");
      return openPostgres(location.url, log);
    }
  }
}
