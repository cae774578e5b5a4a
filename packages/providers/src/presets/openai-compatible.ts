import * as z from "zod";
import { baseUrlSchema, remoteMembers } from "../connection.ts";
import { definePreset } from "../preset.ts";
import { secretSchema } from "../secret.ts";

/** A server of one's own: vLLM, Ollama, llama.cpp, LM Studio, a gateway. */
export const openaiCompatible = definePreset({
  kind: "openai-compatible",
  description: "Any server that speaks OpenAI's Chat Completions; the key is optional.",
  options: z.strictObject({
    kind: z.literal("openai-compatible"),
    ...remoteMembers,
    apiKey: secretSchema.optional(),
    baseURL: baseUrlSchema,
  }),

  refuseName: (name) =>
    name.startsWith("openai")
      ? "names starting with 'openai' belong to the kind openai"
      : undefined,

  async load({ name, options, connection, fetch }) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const sdk = createOpenAICompatible({
      name,
      baseURL: options.baseURL,
      ...(connection.apiKey !== undefined && { apiKey: connection.apiKey }),
      headers: connection.headers,
      includeUsage: true,
      // Off, the SDK would drop a response schema with a warning only.
      supportsStructuredOutputs: true,
      fetch,
    });
    return [
      {
        name,
        kind: "openai-compatible",
        optionsKey: camelCase(name),
        settings: {},
        languageModel: (id) => sdk.chatModel(id),
      },
    ];
  },
});

/** The SDK reads its options under the name in this spelling. */
const camelCase = (name: string): string =>
  name.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
