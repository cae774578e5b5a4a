import type { Log } from "@tracon/core";

/** One line that was logged. */
export type LogEntry = {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** A log that keeps what it is told. */
export type MemoryLog = Log & {
  /** Everything logged so far, oldest first. */
  readonly entries: readonly LogEntry[];
};

/** Creates a log that keeps its entries in memory. */
export function memoryLog(): MemoryLog {
  const entries: LogEntry[] = [];
  const keep =
    (level: LogEntry["level"]): Log["info"] =>
    (message, fields = {}) => {
      entries.push({ level, message, fields });
    };
  return { entries, info: keep("info"), warn: keep("warn"), error: keep("error") };
}
