import * as z from "zod";
import { baseUrlSchema, remoteMembers, requiredKey } from "../connection.ts";
import { KEY_SET_PER_REQUEST, withKeyHeader } from "../key-header.ts";
import { definePreset } from "../preset.ts";

const SURFACE = "/openai/v1";
const { apiKey, headers } = remoteMembers;

/**
 * Azure OpenAI through its OpenAI-shaped surface; a model is the name of a deployment.
 *
 * Built on `@ai-sdk/openai`: the Azure package pins its own copies of the SDK
 * (docs/decisions/006).
 */
export const azureOpenai = definePreset({
  kind: "azure-openai",
  description: "Azure OpenAI; the model is the deployment's name.",
  options: z.strictObject({
    kind: z.literal("azure-openai"),
    endpoint: baseUrlSchema,
    apiKey,
    headers,
  }),

  async load({ name, options, connection, fetch }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const { endpoint } = options;
    const sdk = createOpenAI({
      name: "azure-openai",
      baseURL: endpoint.endsWith(SURFACE) ? endpoint : endpoint + SURFACE,
      apiKey: KEY_SET_PER_REQUEST,
      headers: connection.headers,
      fetch: withKeyHeader(fetch, "api-key", requiredKey(connection)),
    });
    return [
      {
        name,
        kind: "azure-openai",
        optionsKey: "azure",
        combinesToolsAndFormat: true,
        settings: {},
        languageModel: (id) => sdk.chat(id),
      },
    ];
  },
});
