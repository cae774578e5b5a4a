import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ProviderSetting } from "@tracon/core";
import * as z from "zod";
import { withCallOptions } from "../call-options.ts";
import { remoteMembers, requiredKey } from "../connection.ts";
import { KEY_SET_PER_REQUEST, withKeyHeader } from "../key-header.ts";
import { definePreset } from "../preset.ts";

const DEFAULT_BASE_URL = "https://api.anthropic.com/v1";
/** The Messages API requires a limit, and the SDK's own default differs by model. */
const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;
/** The least the Messages API accepts. */
const MIN_THINKING_TOKENS = 1_024;

const settings: Readonly<Record<string, ProviderSetting>> = {
  promptCaching: { schema: z.boolean(), target: ["promptCaching"] },
  "thinking.budgetTokens": {
    schema: z.int().min(MIN_THINKING_TOKENS),
    target: ["thinking", "budgetTokens"],
  },
};

/** Anthropic's Messages API. */
export const anthropic = definePreset({
  kind: "anthropic",
  description: "Anthropic's Messages API; at most 4096 output tokens unless an agent says more.",
  options: z.strictObject({ kind: z.literal("anthropic"), ...remoteMembers }),

  async load({ name, options, connection, fetch }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const sdk = createAnthropic({
      baseURL: options.baseURL ?? DEFAULT_BASE_URL,
      apiKey: KEY_SET_PER_REQUEST,
      headers: connection.headers,
      fetch: withKeyHeader(fetch, "x-api-key", requiredKey(connection)),
    });
    return [
      {
        name,
        kind: "anthropic",
        optionsKey: "anthropic",
        combinesToolsAndFormat: true,
        settings,
        languageModel: (id) => withCallOptions(sdk.messages(id), adaptCall),
      },
    ];
  },
});

function adaptCall(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  return {
    ...options,
    maxOutputTokens: options.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
    providerOptions: {
      ...options.providerOptions,
      anthropic: sdkOptions(options.providerOptions?.anthropic ?? {}),
    },
  };
}

type VendorOptions = SharedV4ProviderOptions[string];

/** Our settings as the SDK spells them: caching is a marker, and a budget turns thinking on. */
function sdkOptions({ promptCaching, ...given }: VendorOptions): VendorOptions {
  const { thinking } = given;
  const budgeted = thinking !== null && typeof thinking === "object" && "budgetTokens" in thinking;
  return {
    ...given,
    ...(promptCaching === true && { cacheControl: { type: "ephemeral" } }),
    ...(budgeted && { thinking: { type: "enabled", ...thinking } }),
  };
}
