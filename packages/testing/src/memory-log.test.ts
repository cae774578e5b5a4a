import { expect, it } from "vitest";
import { memoryLog } from "./memory-log.ts";

it("keeps what it is told, oldest first", () => {
  const log = memoryLog();

  log.info("started");
  log.warn("store is slow", { waitedMs: 900 });

  expect(log.entries).toEqual([
    { level: "info", message: "started", fields: {} },
    { level: "warn", message: "store is slow", fields: { waitedMs: 900 } },
  ]);
});
