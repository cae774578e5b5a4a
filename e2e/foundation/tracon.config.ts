/** An agent with a tool on each of OpenAI's interfaces, at the server that `FAKE_OPENAI_URL` names. */

import { tool } from "ai";
import { defineConfig } from "tracon";
import { z } from "zod";

const baseURL = process.env.FAKE_OPENAI_URL ?? "";
const apiKey = { env: "FAKE_OPENAI_KEY" };
const model = "gpt-5.4-mini";
const price = { currency: "USD", inputPerMillion: 1, outputPerMillion: 10 };
const providers = ["openai", "openai-responses", "local"];

export default defineConfig({
  providers: {
    openai: { kind: "openai", apiKey, baseURL },
    local: { kind: "openai-compatible", apiKey, baseURL },
  },
  models: providers.map((provider) => ({ provider, model, price })),
  tools: {
    get_order_status: {
      tool: tool({
        description: "Returns the status of an order.",
        inputSchema: z.object({ orderId: z.string() }),
        execute: ({ orderId }) => ({ orderId, status: "on its way" }),
      }),
      effect: "read",
      safeToRepeat: true,
    },
  },
  agents: providers.map((provider) => ({
    name: `support-${provider}`,
    model: { provider, model },
    instructions: "Help with orders.",
    toolNames: ["get_order_status"],
  })),
});
