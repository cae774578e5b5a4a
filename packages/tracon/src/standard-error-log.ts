import type { Log } from "@tracon/core";
import { pino } from "pino";

/** JSON lines on standard error. `TRACON_LOG_LEVEL` chooses how much; warnings and worse by default. */
export function standardErrorLog(level = process.env.TRACON_LOG_LEVEL || "warn"): Log {
  const logger = pino({ name: "tracon", level }, pino.destination({ dest: 2, sync: true }));
  return {
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}
