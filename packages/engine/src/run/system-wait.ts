import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

const RANGE = 2 ** 32;

/** A number from 0 up to, but not including, 1. */
export const systemRandom = (): number => randomInt(RANGE) / RANGE;

/** Waits in real time; rejects with the signal's reason when it fires first. */
export async function systemSleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    // The timer rejects with an error of its own.
    signal.throwIfAborted();
    throw error;
  }
}
