/** What the browser tests look at: agents that answer fast, slowly, wrongly and with bad intent. */

import { tool } from "ai";
import { defineConfig } from "tracon";
import { z } from "zod";
import { agentsBelow, modelsBelow } from "./agents-below.ts";

/** Everything a model could try on whoever reads its answer. */
const HOSTILE = [
  "# Heading",
  '<img src="https://evil.example/x.png" onerror="document.title=\'owned\'">',
  "<script>document.title='owned'</script>",
  "[click me](javascript:document.title='owned')",
  "![pixel](https://evil.example/pixel.png)",
  "**bold** stays bold",
].join("\n\n");

const toolsOf: Readonly<Record<string, string[]>> = {
  support: ["get_order_status"],
  refunds: ["refund"],
};

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
        refunds: {
          chunkSize: 8,
          when: [
            {
              captures: { orderId: "word:ORD-" },
              turns: [
                {
                  text: "I pay {{orderId}} back.",
                  toolCalls: [{ name: "refund", input: { orderId: "{{orderId}}", amount: 12.5 } }],
                },
                { text: "Done with {{orderId}}." },
              ],
            },
          ],
        },
        slow: { chunkSize: 8, chunkDelayMs: 100, turns: [{ text: "word by word ".repeat(400) }] },
        hostile: { turns: [{ text: HOSTILE }] },
        broken: { turns: [{ error: { statusCode: 503, message: "secret of the provider" } }] },
        ...modelsBelow,
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
    ...["judge", "drafter"].map((name) => ({
      provider: "demo",
      model: name,
      price: { inputPerMillion: 10, outputPerMillion: 20 },
    })),
  ],
  tools: {
    get_order_status: tool({
      description: "Returns the status of an order.",
      inputSchema: z.object({ orderId: z.string() }),
      execute: () => ({ status: "on its way" }),
    }),
    refund: {
      tool: tool({
        description: "Pays an order back.",
        inputSchema: z.object({ orderId: z.string(), amount: z.number() }),
        execute: ({ orderId }) => ({ refunded: orderId }),
      }),
      effect: "irreversible",
      requiresApproval: true,
      present: ({ arguments: given }) => {
        const { orderId, amount } = given as { orderId: string; amount: number };
        return {
          entityType: "Order",
          entityId: orderId,
          message: `Refund ${amount} EUR for ${orderId}`,
        };
      },
    },
  },
  extensions: {
    tone: { description: "Keeps the tone of the house.", apply: () => undefined },
  },
  loopEvaluators: {
    hasCitations: {
      description: "Every claim has a numbered citation.",
      evaluate: () => ({ decision: "stop" }),
    },
  },
  judge: { provider: "demo", model: "judge" },
  agents: [
    ...["support", "slow", "hostile", "broken", "refunds"].map((name) => ({
      name,
      model: { provider: "demo", model: name },
      toolNames: [...(toolsOf[name] ?? [])],
    })),
    ...agentsBelow,
  ],
});
