import type { Log } from "@tracon/core";
import { pino } from "pino";

/** What `TRACON_LOG_LEVEL` may be. */
export const LOG_LEVELS: readonly string[] = ["debug", "info", "warn", "error", "silent"];

/** JSON lines on standard error: warnings and worse, or what `level` says. */
export function standardErrorLog(level: string | undefined): Log {
  const logger = pino(
    { name: "tracon", level: level || "warn" },
    pino.destination({ dest: 2, sync: true }),
  );
  return {
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}
