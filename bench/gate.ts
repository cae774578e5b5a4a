/** What a gate is: a limit, and what it is held against. */

import type { Place } from "./samples.ts";

export type Gate = {
  readonly group: string;
  readonly title: string;
  /** The measured number has to be at most, or at least, the limit. */
  readonly bound: "at most" | "at least";
  readonly limit: number;
  readonly unit: string;
  readonly places: readonly Place[];
  readonly make: (...values: number[]) => number;
};

export const ratio = (a: number, b: number): number => a / b;
export const itself = (a: number): number => a;

export const atMost = (limit: number, unit = "×") => ({ bound: "at most", limit, unit }) as const;
export const atLeast = (limit: number, unit = "×") => ({ bound: "at least", limit, unit }) as const;
