/** The demo: agents that answer without a key, so that everything can be seen at once. */

import { tool } from "ai";
import { defineConfig } from "tracon";
import { z } from "zod";

const orders: Readonly<Record<string, string>> = {
  "ORD-1": "delivered on Monday",
  "ORD-2": "waiting for payment",
  "ORD-3": "on its way, arriving tomorrow",
};

const pace = { delayMs: 250, chunkDelayMs: 25, chunkSize: 6 };

const verdict = (approved: boolean, feedback: string): string =>
  JSON.stringify({ approved, feedback });

const price = { currency: "USD", inputPerMillion: 0.25, outputPerMillion: 2 };

export default defineConfig({
  providers: {
    demo: {
      kind: "scripted",
      models: {
        support: {
          ...pace,
          when: [
            {
              match: "*",
              captures: { orderId: "word:ORD-" },
              turns: [
                {
                  text: "Let me look that up.",
                  toolCalls: [{ name: "get_order_status", input: { orderId: "{{orderId}}" } }],
                },
                { text: "Your order {{orderId}} is {{toolResult.status}}." },
              ],
            },
            {
              match: "*",
              turns: [
                {
                  text: 'I can tell you where an order is. Ask me for example: "Where is ORD-3?"',
                },
              ],
            },
          ],
        },
        refunds: {
          ...pace,
          when: [
            {
              match: "*",
              captures: { orderId: "word:ORD-" },
              turns: [
                {
                  text: "I will pay that back, once somebody here agrees.",
                  toolCalls: [{ name: "refund", input: { orderId: "{{orderId}}", amount: 20 } }],
                },
                { text: "{{toolResult.message|The refund was not made.}}" },
              ],
            },
            { match: "*", turns: [{ text: 'Ask me for example: "Please refund ORD-1."' }] },
          ],
        },
        router: {
          ...pace,
          turns: [
            {
              text: "Support knows that.",
              toolCalls: [{ name: "support", input: { query: "{{input}}" } }],
            },
            { text: "{{toolResult}}" },
          ],
        },
        "tagline-writer": {
          ...pace,
          when: [
            { match: "number", turns: [{ text: "Seen from **19 miles**, in any weather." }] },
            { turns: [{ text: "A light you can trust." }] },
          ],
        },
        "tagline-reviewer": {
          ...pace,
          when: [
            { match: "19 miles", turns: [{ text: verdict(true, "") }] },
            { turns: [{ text: verdict(false, "Anybody could say that. Name a number.") }] },
          ],
        },
        writer: {
          ...pace,
          turns: [
            {
              reasoning: "A short story needs a person, a wish and an obstacle.",
              text: [
                "# The lighthouse keeper's log\n\n",
                "You asked: *{{input}}*\n\n",
                "Every evening she wrote one line: **lamp lit, all ships accounted for**. ",
                "One night the lamp failed, and she rowed out with a lantern instead.\n\n",
                "- The log says: lamp out, all ships accounted for.\n",
                "- It does not say how.\n",
              ].join(""),
            },
          ],
        },
      },
    },
  },
  models: [
    { provider: "demo", model: "support", contextWindowTokens: 8_192, price },
    { provider: "demo", model: "router", price },
    { provider: "demo", model: "tagline-writer", price },
    { provider: "demo", model: "tagline-reviewer", supportsStructuredOutput: true, price },
  ],
  tools: {
    get_order_status: {
      tool: tool({
        description: "Returns the status of an order.",
        inputSchema: z.object({ orderId: z.string().describe("Such as ORD-3") }),
        execute: ({ orderId }) => ({
          orderId,
          status: orders[orderId.toUpperCase()] ?? "not known to us",
        }),
      }),
      effect: "read",
      safeToRepeat: true,
    },
    refund: {
      tool: tool({
        description: "Pays an order back.",
        inputSchema: z.object({ orderId: z.string(), amount: z.number() }),
        execute: ({ orderId, amount }) => ({
          message: `${amount} USD for ${orderId} are paid back.`,
        }),
      }),
      effect: "irreversible",
      requiresApproval: true,
      present: ({ arguments: given }) => {
        const { orderId, amount } = given as { orderId: string; amount: number };
        return { entityType: "Order", entityId: orderId, message: `Pay ${amount} USD back` };
      },
    },
  },
  agents: [
    {
      name: "support",
      displayName: "Support assistant",
      description: "Answers questions about orders with the help of a tool.",
      model: { provider: "demo", model: "support" },
      instructions: "You are a support assistant. Answer briefly and clearly.",
      toolNames: ["get_order_status"],
    },
    {
      name: "support-refunds",
      displayName: "Refund desk",
      description: "Pays orders back, each time with the approval of a person.",
      model: { provider: "demo", model: "refunds" },
      instructions: "You are the refund desk. Pay back what is asked for.",
      toolNames: ["refund"],
    },
    {
      name: "router",
      displayName: "Router",
      description: "Asks the support assistant, as a run below its own: see the tree of the run.",
      model: { provider: "demo", model: "router" },
      instructions: "You route questions to the agent that knows the answer.",
      callableAgents: [{ name: "support" }],
      subAgents: { callMode: "Tool" },
    },
    {
      name: "tagline-writer",
      displayName: "Tagline writer",
      description: "Writes until a reviewer approves: the run has a chapter for each draft.",
      model: { provider: "demo", model: "tagline-writer" },
      instructions: "You write taglines of one sentence.",
      harness: {
        disableTodoProvider: true,
        disableAgentModeProvider: true,
        loop: {
          criteria: [{ kind: "agentReview", reviewerAgent: "tagline-reviewer" }],
          maxIterations: 4,
        },
      },
    },
    {
      name: "tagline-reviewer",
      displayName: "Tagline reviewer",
      description: "Approves a tagline that names a number.",
      model: {
        provider: "demo",
        model: "tagline-reviewer",
        responseFormat: {
          kind: "JsonSchema",
          schemaName: "verdict",
          schema: {
            type: "object",
            properties: { approved: { type: "boolean" }, feedback: { type: "string" } },
            required: ["approved", "feedback"],
            additionalProperties: false,
          },
        },
      },
      instructions: "Approve a tagline that names a number. Otherwise say what is missing.",
    },
    {
      name: "writer",
      displayName: "Story writer",
      description:
        "Streams a short story in Markdown. Its price is not listed, so its cost is unknown.",
      model: { provider: "demo", model: "writer" },
      instructions: "You write very short stories.",
    },
  ],
});
