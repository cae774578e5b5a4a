/**
 * Secrets as configuration holds them: the name of an environment variable, or a function.
 *
 * A literal is refused, and nothing here ever puts a value into a finding or an error.
 */

import { type Finding, finding } from "@tracon/core";
import * as z from "zod";

/** The values of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The name of an environment variable. */
export type EnvironmentReference = { readonly env: string };

/** A secret: an environment variable, or a function that is asked before every request. */
export type Secret = EnvironmentReference | (() => string | Promise<string>);

const REFERENCE = '{ env: "NAME" }';
const REFUSED_LITERAL = `a secret is never written here; name an environment variable: ${REFERENCE}`;
const REFUSED_SHAPE = `give ${REFERENCE} or a function that returns the key`;

/** Longer names are no names; it also keeps a pasted key out of the environment's look-up. */
const MAX_NAME_LENGTH = 128;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** A name of this shape can be repeated in a message: no provider's keys look like it. */
const CONVENTIONAL_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** An optional secret; wrap it in `z.nonoptional` where it is required. */
export const secretSchema = z.custom<Secret>(
  (value) => value === undefined || typeof value === "function" || isReference(value),
  { error: ({ input }) => (typeof input === "string" ? REFUSED_LITERAL : REFUSED_SHAPE) },
);

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "api-key",
  "authorization",
  "cookie",
  "proxy-authorization",
  "x-api-key",
  "x-goog-api-key",
]);

/** Headers sent with every request: literal values, or environment variables. */
export const headersSchema = z
  .record(z.string(), z.custom<string | EnvironmentReference>())
  .superRefine((headers, context) => {
    for (const [name, value] of Object.entries(headers)) {
      const message = headerRefusal(name, value);
      if (message !== undefined) context.addIssue({ code: "custom", path: [name], message });
    }
  });

function headerRefusal(name: string, value: unknown): string | undefined {
  if (!HEADER_NAME.test(name)) return "is not a header name";
  if (isReference(value)) return undefined;
  if (typeof value !== "string") return `give a text or ${REFERENCE}`;
  if (SECRET_HEADERS.has(name.toLowerCase())) return REFUSED_LITERAL;
  return HEADER_VALUE.test(value) ? undefined : "has characters that a header cannot carry";
}

function isReference(value: unknown): value is EnvironmentReference {
  if (value === null || typeof value !== "object") return false;
  const { env, ...rest } = value as Readonly<Record<string, unknown>>;
  return (
    typeof env === "string" &&
    env.length <= MAX_NAME_LENGTH &&
    VARIABLE_NAME.test(env) &&
    Object.keys(rest).length === 0
  );
}

/** The value of a named variable, or the finding that it has none. */
export function readVariable(
  { env }: EnvironmentReference,
  environment: Environment,
  path: string,
): { readonly value: string } | Finding {
  const value = Object.hasOwn(environment, env) ? environment[env] : undefined;
  if (value !== undefined && value !== "") return { value };
  const which = CONVENTIONAL_NAME.test(env) ? `'${env}'` : "of that name";
  return finding("secret_missing", path, `the environment variable ${which} is not set`);
}
