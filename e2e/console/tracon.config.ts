/** What the browser tests look at: agents that answer fast, slowly, wrongly and with bad intent. */

import { tool } from "ai";
import { defineConfig } from "tracon";
import { z } from "zod";

/** Everything a model could try on whoever reads its answer. */
const HOSTILE = [
  "# Heading",
  '<img src="https://evil.example/x.png" onerror="document.title=\'owned\'">',
  "<script>document.title='owned'</script>",
  "[click me](javascript:document.title='owned')",
  "![pixel](https://evil.example/pixel.png)",
  "**bold** stays bold",
].join("\n\n");

export default defineConfig({
  providers: {
    demo: {
      kind: "scripted",
      models: {
        support: {
          chunkSize: 8,
          when: [
            {
              captures: { orderId: "word:ORD-" },
              turns: [
                { toolCalls: [{ name: "get_order_status", input: { orderId: "{{orderId}}" } }] },
                { text: "Order {{orderId}} is {{toolResult.status}}." },
              ],
            },
            { turns: [{ text: "Which order?" }] },
          ],
        },
        slow: { chunkSize: 8, chunkDelayMs: 100, turns: [{ text: "word by word ".repeat(400) }] },
        hostile: { turns: [{ text: HOSTILE }] },
        broken: { turns: [{ error: { statusCode: 503, message: "secret of the provider" } }] },
      },
    },
  },
  models: [
    {
      provider: "demo",
      model: "support",
      supportsStructuredOutput: true,
      price: { inputPerMillion: 1, outputPerMillion: 2 },
    },
  ],
  tools: {
    get_order_status: tool({
      description: "Returns the status of an order.",
      inputSchema: z.object({ orderId: z.string() }),
      execute: () => ({ status: "on its way" }),
    }),
  },
  extensions: {
    tone: { description: "Keeps the tone of the house.", apply: () => undefined },
  },
  agents: ["support", "slow", "hostile", "broken"].map((name) => ({
    name,
    model: { provider: "demo", model: name },
    toolNames: name === "support" ? ["get_order_status"] : [],
  })),
});
