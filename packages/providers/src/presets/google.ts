import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ProviderSetting } from "@tracon/core";
import * as z from "zod";
import { withCallOptions } from "../call-options.ts";
import { remoteMembers, requiredKey } from "../connection.ts";
import { definePreset } from "../preset.ts";

const DEFAULT_BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

/** Gemini's harm categories, by the names of our settings. */
const SAFETY_CATEGORIES: Readonly<Record<string, string>> = {
  civicIntegrity: "HARM_CATEGORY_CIVIC_INTEGRITY",
  dangerousContent: "HARM_CATEGORY_DANGEROUS_CONTENT",
  harassment: "HARM_CATEGORY_HARASSMENT",
  hateSpeech: "HARM_CATEGORY_HATE_SPEECH",
  sexuallyExplicit: "HARM_CATEGORY_SEXUALLY_EXPLICIT",
};
const safetyThreshold = z.enum([
  "BLOCK_LOW_AND_ABOVE",
  "BLOCK_MEDIUM_AND_ABOVE",
  "BLOCK_ONLY_HIGH",
  "BLOCK_NONE",
  "OFF",
]);
/** -1 lets the model decide. */
const thinkingBudget = z.int().min(-1).max(65_535);

const settings: Readonly<Record<string, ProviderSetting>> = {
  ...Object.fromEntries(
    Object.keys(SAFETY_CATEGORIES).map((category) => [
      `safety.${category}`,
      { schema: safetyThreshold, target: ["safety", category] },
    ]),
  ),
  "thinking.budgetTokens": {
    schema: thinkingBudget,
    target: ["thinkingConfig", "thinkingBudget"],
  },
  "thinking.includeThoughts": {
    schema: z.boolean(),
    target: ["thinkingConfig", "includeThoughts"],
  },
};

/** Google's Gemini Developer API. */
export const google = definePreset({
  kind: "google",
  description: "Google's Gemini Developer API.",
  options: z.strictObject({ kind: z.literal("google"), ...remoteMembers }),

  async load({ name, options, connection, fetch }) {
    const { createGoogle } = await import("@ai-sdk/google");
    const sdk = createGoogle({
      baseURL: options.baseURL ?? DEFAULT_BASE_URL,
      apiKey: requiredKey(connection),
      headers: connection.headers,
      fetch,
    });
    return [
      {
        name,
        kind: "google",
        optionsKey: "google",
        settings,
        languageModel: (id) => withCallOptions(sdk.chat(id), adaptCall),
      },
    ];
  },
});

function adaptCall(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const given = options.providerOptions?.google;
  if (given?.safety === undefined) return options;
  return {
    ...options,
    providerOptions: { ...options.providerOptions, google: sdkOptions(given) },
  };
}

type VendorOptions = SharedV4ProviderOptions[string];

/** Our one setting a category as the list the SDK takes. */
function sdkOptions({ safety, ...given }: VendorOptions): VendorOptions {
  const thresholds = safety !== null && typeof safety === "object" ? Object.entries(safety) : [];
  return {
    ...given,
    safetySettings: thresholds.flatMap(([name, threshold]) => {
      const category = SAFETY_CATEGORIES[name];
      return category === undefined || threshold === undefined ? [] : [{ category, threshold }];
    }),
  };
}
