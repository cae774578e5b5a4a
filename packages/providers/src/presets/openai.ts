import type { ProviderSetting } from "@tracon/core";
import * as z from "zod";
import { remoteMembers, requiredKey } from "../connection.ts";
import { definePreset } from "../preset.ts";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

const settings: Readonly<Record<string, ProviderSetting>> = {
  parallelToolCalls: { schema: z.boolean(), target: ["parallelToolCalls"] },
  serviceTier: {
    schema: z.enum(["auto", "default", "flex", "priority"]),
    target: ["serviceTier"],
  },
  store: { schema: z.boolean(), target: ["store"] },
  textVerbosity: { schema: z.enum(["low", "medium", "high"]), target: ["textVerbosity"] },
};

/** Registers two providers: `<name>` on Chat Completions and `<name>-responses` on Responses. */
export const openai = definePreset({
  kind: "openai",
  description: "OpenAI: Chat Completions, and Responses under the name with '-responses'.",
  options: z.strictObject({
    kind: z.literal("openai"),
    ...remoteMembers,
    organization: z.string().min(1).optional(),
  }),

  async load({ name, options, connection, fetch }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const sdk = createOpenAI({
      // Given always, because the SDK would otherwise ask the process environment.
      baseURL: options.baseURL ?? DEFAULT_BASE_URL,
      apiKey: requiredKey(connection),
      ...(options.organization !== undefined && { organization: options.organization }),
      headers: connection.headers,
      fetch,
    });
    const shared = { optionsKey: "openai", settings, combinesToolsAndFormat: true };
    return [
      { name, kind: "openai", ...shared, languageModel: (id) => sdk.chat(id) },
      {
        name: `${name}-responses`,
        kind: "openai-responses",
        ...shared,
        languageModel: (id) => sdk.responses(id),
      },
    ];
  },
});
