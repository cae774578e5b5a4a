/** Reads query parameters: every problem at once, and nothing that is not declared is let pass. */

import { type Finding, finding, findingsOf, TraconError } from "@tracon/core";
import * as z from "zod";

/** Declared query parameters, each schema reading the text of its parameter. */
export type QuerySchema = z.ZodObject;

/** The schema of a route without query parameters. */
export const noQuery = z.object({});

/** The parameters of `search` (without its question mark). */
export function readQuery<Schema extends QuerySchema>(
  schema: Schema,
  search: string,
): z.output<Schema> {
  const findings: Finding[] = [];
  const given: Record<string, string> = Object.create(null);
  for (const [name, value] of search === "" ? [] : new URLSearchParams(search)) {
    if (!Object.hasOwn(schema.shape, name)) {
      findings.push(finding("unknown_member", `query.${name}`, `there is no parameter '${name}'`));
    } else if (Object.hasOwn(given, name)) {
      findings.push(finding("duplicate_name", `query.${name}`, "is given more than once"));
    } else {
      given[name] = value;
    }
  }

  const parsed = schema.safeParse(given, { reportInput: true });
  if (!parsed.success) findings.push(...findingsOf(parsed.error, ["query"]));
  if (!parsed.success || findings.length > 0) {
    throw new TraconError("request_invalid", "the query parameters have findings", { findings });
  }
  return parsed.data;
}

const MAX_INT32 = 2_147_483_647;
const DECIMAL = /^-?\d{1,10}$/;

const toInteger = (value: unknown): unknown =>
  typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;

/** A whole number in decimal digits. */
export const integer = (minimum: number, maximum: number = MAX_INT32) =>
  z.preprocess(toInteger, z.int().min(minimum).max(maximum));

/** A whole number that is moved into its range instead of being refused. */
export const clampedInteger = (minimum: number, maximum: number) =>
  z.preprocess((value) => {
    const number = toInteger(value);
    return typeof number === "number" ? Math.min(Math.max(number, minimum), maximum) : number;
  }, z.int().min(minimum).max(maximum));

/** How many entries of a list are answered. */
export const take = () =>
  clampedInteger(1, 200).describe("Longest list to answer; moved into its range.").default(50);

/** `true` or `false`. */
export const switchText = () =>
  z.preprocess((value) => {
    if (value === "true") return true;
    return value === "false" ? false : value;
  }, z.boolean());

/** One of the names, in any case. */
export function oneOf<const Names extends readonly string[]>(names: Names) {
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  return z.preprocess(
    (value) =>
      typeof value === "string" ? (byLowerCase.get(value.toLowerCase()) ?? value) : value,
    z.enum(names),
  );
}

/** A text to compare with. Control characters are in no stored text, and PostgreSQL refuses NUL. */
export const filterText = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^\P{Cc}+$/u, "must not hold control characters");

/** A time in ISO 8601 with its offset, read as UTC. */
export const instant = () =>
  z.iso
    .datetime({ offset: true })
    .transform((value) => new Date(value).toISOString())
    .refine((value) => UTC_INSTANT.test(value), "lies beyond the year 9999");

/** An offset can move a time into a year that stores and their order of texts do not know. */
const UTC_INSTANT = /^\d{4}-/;

/** A run's id. */
export const runIdText = () => z.guid().toLowerCase();
