/**
 * Durations as they travel: `"[d.]hh:mm:ss[.fff]"` on output, and on input also `"10s"`, `"2m"`,
 * `"1h"`, `"250ms"`, `"1d"` and the day-to-second part of ISO 8601 (`"PT1M30S"`).
 */

import * as z from "zod";

const CLOCK = /^(?:(\d{1,6})\.)?(\d{2}):([0-5]\d):([0-5]\d)(?:\.(\d{1,7}))?$/;
const SHORT = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;
const ISO = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,3})?)S)?)?$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of a duration text, or `undefined` when it is none. */
export function parseDuration(value: string): number | undefined {
  return parseClock(value) ?? parseShort(value) ?? parseIso(value);
}

/** The wire form of a duration: `"00:00:10"`, `"1.02:00:00"`, `"00:00:00.250"`. */
export function formatDuration(durationMs: number): string {
  const whole = Math.round(durationMs);
  const days = Math.floor(whole / UNIT_MS.d);
  const hours = Math.floor(whole / UNIT_MS.h) % 24;
  const minutes = Math.floor(whole / UNIT_MS.m) % 60;
  const seconds = Math.floor(whole / UNIT_MS.s) % 60;
  const fraction = whole % 1_000;
  const clock = [hours, minutes, seconds].map((part) => String(part).padStart(2, "0")).join(":");
  const head = days > 0 ? `${days}.` : "";
  const tail = fraction > 0 ? `.${String(fraction).padStart(3, "0")}` : "";
  return head + clock + tail;
}

/** A duration member: read in every accepted form, kept in the wire form. */
export const duration = () =>
  z
    .string()
    .max(40)
    .refine((value) => parseDuration(value) !== undefined, {
      error: 'write a duration as "hh:mm:ss", "10s", "2m", "1h" or "PT10S"',
    })
    .overwrite((value) => {
      const durationMs = parseDuration(value);
      return durationMs === undefined ? value : formatDuration(durationMs);
    });

function parseClock(value: string): number | undefined {
  const match = CLOCK.exec(value);
  if (match === null) return undefined;
  const [, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = "0"] = match;
  if (Number(hours) > 23) return undefined;
  return (
    Number(days) * UNIT_MS.d +
    Number(hours) * UNIT_MS.h +
    Number(minutes) * UNIT_MS.m +
    Number(seconds) * UNIT_MS.s +
    Number(fraction.padEnd(3, "0").slice(0, 3))
  );
}

function parseShort(value: string): number | undefined {
  const match = SHORT.exec(value);
  if (match === null) return undefined;
  return Math.round(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]);
}

function parseIso(value: string): number | undefined {
  const match = ISO.exec(value);
  if (match === null || value.endsWith("P") || value.endsWith("T")) return undefined;
  const [, days = "0", hours = "0", minutes = "0", seconds = "0"] = match;
  return (
    Number(days) * UNIT_MS.d +
    Number(hours) * UNIT_MS.h +
    Number(minutes) * UNIT_MS.m +
    Math.round(Number(seconds) * UNIT_MS.s)
  );
}
