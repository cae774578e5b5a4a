/** How a provider is reached: its address, its headers and its key. */

import { assert, type Finding, findingPath, TraconError } from "@tracon/core";
import * as z from "zod";
import {
  type Environment,
  headersSchema,
  readVariable,
  type Secret,
  secretSchema,
} from "./secret.ts";

/** A key that is known, or one that is asked for before every request. */
export type ApiKey = string | (() => Promise<string>);

/** What a preset needs to reach its provider. */
export type Connection = {
  readonly apiKey: ApiKey | undefined;
  readonly headers: Readonly<Record<string, string>>;
};

const ABSOLUTE_URL = "must be an absolute http or https URL";

/** An absolute http or https address, without a trailing slash. */
export const baseUrlSchema = z
  .url({ protocol: /^https?$/, error: ABSOLUTE_URL })
  .refine((url) => !hasCredentials(url), "must not carry credentials; use apiKey or headers")
  .transform((url) => url.replace(/\/+$/, ""));

/** Members every remote provider has; the key is required. */
export const remoteMembers = {
  apiKey: z.nonoptional(secretSchema),
  baseURL: baseUrlSchema.optional(),
  headers: headersSchema.optional(),
};

/** The key of a provider whose schema requires one. */
export function requiredKey({ apiKey }: Connection): ApiKey {
  assert(apiKey !== undefined && apiKey !== "", "the schema of the options requires a key");
  return apiKey;
}

type ConnectionOptions = {
  readonly apiKey?: Secret | undefined;
  readonly headers?: z.output<typeof headersSchema> | undefined;
};

/** Reads the secrets a provider's options name. Findings are below `path`. */
export function resolveConnection(
  name: string,
  options: ConnectionOptions,
  environment: Environment,
): { readonly connection: Connection; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const read = (reference: { readonly env: string }, member: readonly string[]): string => {
    const path = findingPath(["providers", name, ...member]);
    const found = readVariable(reference, environment, path);
    if ("value" in found) return found.value;
    findings.push(found);
    return "";
  };

  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([header, value]) => [
      header,
      typeof value === "string" ? value : read(value, ["headers", header]),
    ]),
  );
  const secret = options.apiKey;
  const apiKey =
    typeof secret === "function"
      ? askedKey(name, secret)
      : secret === undefined
        ? undefined
        : read(secret, ["apiKey"]);
  return { connection: { apiKey, headers }, findings };
}

/**
 * The key a function returns. Without this check the SDK would answer an empty key with the one of
 * the process environment, and a tenant's call would go out on somebody else's account.
 */
function askedKey(name: string, ask: () => string | Promise<string>): () => Promise<string> {
  return async () => {
    const key: unknown = await ask();
    if (typeof key === "string" && key !== "") return key;
    throw new TraconError("provider_error", `the key function of provider '${name}' gave no key`);
  };
}

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}
