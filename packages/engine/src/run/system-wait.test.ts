import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemSleep } from "./system-wait.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each([1, LONGEST_TIMER_MS, LONGEST_TIMER_MS + 1, 3 * LONGEST_TIMER_MS + 5])(
  "waits %i ms, also where that is more than one timer can",
  async (ms) => {
    let isOver = false;
    void systemSleep(ms, new AbortController().signal).then(() => {
      isOver = true;
    });

    await vi.advanceTimersByTimeAsync(ms - 1);
    const wasOver = isOver;
    await vi.advanceTimersByTimeAsync(1);

    expect(wasOver).toBe(false);
    expect(isOver).toBe(true);
  },
);

it.each([1_000, 2 * LONGEST_TIMER_MS])(
  "ends a wait of %i ms when its signal fires, and leaves no timer",
  async (ms) => {
    const stop = new AbortController();
    const waiting = systemSleep(ms, stop.signal);
    const refused = expect(waiting).rejects.toThrow("enough");
    await vi.advanceTimersByTimeAsync(ms - 1);

    stop.abort(new Error("enough"));

    await refused;
    expect(vi.getTimerCount()).toBe(0);
  },
);
