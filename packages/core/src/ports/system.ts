/** Time as the engine sees it. Nothing reads the system clock elsewhere. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never run backwards, for durations. */
  monotonicMs(): number;
};

/** Makes ids: UUIDv7, rising within one process. */
export type IdSource = { next(): string };

/** Where the engine reports what no caller sees. Fields never hold secrets, prompts or answers. */
export type Log = {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
};
