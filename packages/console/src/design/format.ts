/** How values read. A value that is not known reads "unknown" and never as zero. */

import type { RunCost, RunUsage } from "@tracon/core";

export const UNKNOWN = "unknown";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `340 ms`, `2.4 s`, `1 min 05 s`, `2 h 03 min`. */
export function formatDurationMs(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < SECOND) return `${whole} ms`;
  if (whole < 10 * SECOND) return `${(Math.floor(whole / 100) / 10).toFixed(1)} s`;
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)} s`;
  if (whole < HOUR) return twoParts(whole, [MINUTE, "min"], [SECOND, "s"]);
  if (whole < DAY) return twoParts(whole, [HOUR, "h"], [MINUTE, "min"]);
  return twoParts(whole, [DAY, "d"], [HOUR, "h"]);
}

type Unit = readonly [lengthMs: number, name: string];

function twoParts(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeName} ${String(rest).padStart(2, "0")} ${smallName}`;
}

/** `just now`, `12 s ago`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function formatAgo(timestamp: string, nowMs: number): string {
  const ms = nowMs - Date.parse(timestamp);
  if (ms < 5 * SECOND) return "just now";
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  return `${Math.floor(ms / DAY)} d ago`;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** `in 40 s`, `in 5 min`, `in 23 h`; an instant that has passed reads `now`. */
export function formatUntil(timestamp: string, nowMs: number): string {
  const ms = Date.parse(timestamp) - nowMs;
  if (ms <= 0) return "now";
  if (ms < MINUTE) return `in ${Math.ceil(ms / SECOND)} s`;
  if (ms < HOUR) return `in ${Math.ceil(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `in ${Math.floor(ms / HOUR)} h`;
  return `in ${Math.floor(ms / DAY)} d`;
}

/** `2026-11-30 14:03:05`, in the reader's time zone. */
export function formatInstant(timestamp: string): string {
  const at = new Date(timestamp);
  const date = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join("-");
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(":")}`;
}

/** `950`, `12.3 k`, `4.1 M`. */
export function formatCount(count: number): string {
  if (count < 10_000) return String(count);
  if (count < 999_500) return `${scaled(count / 1_000)} k`;
  return `${scaled(count / 1_000_000)} M`;
}

const scaled = (value: number): string => (value < 99.95 ? value.toFixed(1) : value.toFixed(0));

/** A share of 0 to 1 as `4.8 %`. */
export const formatShare = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Total tokens, or the sum of the two sides when only those were reported. */
export function totalTokens(usage: RunUsage | undefined): number | undefined {
  if (usage?.totalTokens !== undefined) return usage.totalTokens;
  if (usage?.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  return usage.inputTokens + usage.outputTokens;
}

export function formatTokens(usage: RunUsage | undefined): string {
  const total = totalTokens(usage);
  return total === undefined ? UNKNOWN : formatCount(total);
}

/** The total of a cost that is known as a whole. A part that is missing makes it unknown. */
export function formatCost(cost: RunCost | undefined): string {
  if (cost?.totalCost === undefined) return UNKNOWN;
  return formatMoney(cost.totalCost, cost.currency ?? "USD");
}

/** Two significant digits below a unit, so that a cheap call does not read as nothing. */
export function formatMoney(amount: number, currency: string): string {
  const symbol = currency === "USD" ? "$" : `${currency} `;
  if (amount === 0 || amount >= 1) return `${symbol}${amount.toFixed(2)}`;
  return `${symbol}${Number(amount.toPrecision(2)).toFixed(fractionDigits(amount))}`;
}

/** A known cost in each of its currencies, and of how many things it is not known. */
export function formatCosts(
  costs: readonly { readonly currency: string; readonly totalCost: number }[],
  unknown: { readonly count: number; readonly of: string },
): string {
  if (costs.length === 0) return UNKNOWN;
  const known = costs.map(({ totalCost, currency }) => formatMoney(totalCost, currency || "USD"));
  const { count, of } = unknown;
  const without = `without ${count} ${of}${count === 1 ? "" : "s"} of unknown price`;
  return [known.join(" + "), ...(count === 0 ? [] : [without])].join(", ");
}

const MAX_FRACTION_DIGITS = 9;

const fractionDigits = (amount: number): number =>
  Math.min(Math.max(2, 1 - Math.floor(Math.log10(amount))), MAX_FRACTION_DIGITS);

const LONGEST_NAME = 28;

/** `0198d3a0…4f1c`: the two ends that tell ids apart. */
export const shortenMiddle = (id: string, ends: readonly [number, number] = [8, 4]): string =>
  id.length <= ends[0] + ends[1] + 1 ? id : `${id.slice(0, ends[0])}…${id.slice(-ends[1])}`;

/** JSON for reading; text that is not JSON stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Tools answer in any form; only JSON gains from being laid out.
    return text;
  }
}

/** A name that people chose is read whole; a long or random id by its ends. */
export const shortenName = (name: string): string =>
  name.length <= LONGEST_NAME ? name : shortenMiddle(name);
