import { randomFillSync } from "node:crypto";
import type { Clock, IdSource } from "@tracon/core";

/** Random bytes drawn at once; one id takes eight. */
const POOL_BYTES = 4_096;
const BYTES_PER_ID = 8;
/** Ids of one millisecond before the time in them runs ahead by one. */
const IDS_PER_MS = 4_096;

/** UUIDv7 ids that rise within the process, also within one millisecond and when the clock steps back. */
export function createIdSource(clock: Clock): IdSource {
  const pool = Buffer.allocUnsafe(POOL_BYTES);
  let offset = POOL_BYTES;
  let lastMs = 0;
  let counter = 0;

  return {
    next() {
      const nowMs = Math.floor(clock.now());
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = 0;
      } else if (++counter === IDS_PER_MS) {
        lastMs++;
        counter = 0;
      }
      if (offset === POOL_BYTES) {
        randomFillSync(pool);
        offset = 0;
      }
      const time = lastMs.toString(16).padStart(12, "0");
      const high = ((pool.readUInt16BE(offset) & 0x3fff) | 0x8000).toString(16);
      const low = pool.toString("hex", offset + 2, offset + BYTES_PER_ID);
      offset += BYTES_PER_ID;
      return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${high}-${low}`;
    },
  };
}
