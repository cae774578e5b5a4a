import type { ModelProvider } from "@tracon/core";
import type * as z from "zod";
import type { Connection } from "./connection.ts";

/** What a preset builds its providers from. */
export type PresetContext<Options> = {
  /** The name of the entry in the configuration. */
  readonly name: string;
  readonly options: Options;
  readonly connection: Connection;
  /** Sends the requests. */
  readonly fetch: typeof globalThis.fetch;
};

/** A kind of provider: its options, and how to load it. */
export type ProviderPreset<Schema extends z.ZodType = z.ZodType> = {
  readonly kind: string;
  readonly description: string;
  /** Strict, and with the `kind` itself as a member. */
  readonly options: Schema;
  /** Why the name cannot be taken by this kind, or `undefined`. */
  refuseName?(name: string): string | undefined;
  /** Imports the SDK package, so that a kind nobody configured costs nothing. */
  load(context: PresetContext<z.output<Schema>>): Promise<readonly ModelProvider[]>;
};

/** Keeps the options' type for `load`. */
export const definePreset = <Schema extends z.ZodType>(
  preset: ProviderPreset<Schema>,
): ProviderPreset<Schema> => preset;
