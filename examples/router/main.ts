/**
 * A router that asks `support`, once with background tasks and once with one tool for the agent, and what
 * each of the two ways costs.
 */

import assert from "node:assert/strict";
import { tool } from "ai";
import { createTracon, defineConfig } from "tracon";
import { z } from "zod";

const config = defineConfig({
  storage: "memory:",
  providers: {
    demo: {
      kind: "scripted",
      models: {
        "router-tasks": [
          {
            toolCalls: [
              {
                name: "background_agents_start_task",
                input: { agentName: "support", input: "{{input}}", description: "order status" },
              },
            ],
          },
          {
            toolCalls: [
              { name: "background_agents_wait_for_first_completion", input: { taskIds: [1] } },
            ],
          },
          { toolCalls: [{ name: "background_agents_get_task_results", input: { taskId: 1 } }] },
          { toolCalls: [{ name: "background_agents_clear_completed_task", input: { taskId: 1 } }] },
          { text: "Your order ORD-3 is on its way." },
        ],
        "router-tool": [
          { toolCalls: [{ name: "support", input: { query: "{{input}}" } }] },
          { text: "{{toolResult}}" },
        ],
        support: [
          { toolCalls: [{ name: "get_order_status", input: { orderId: "ORD-3" } }] },
          { text: "Your order {{toolResult.orderId}} is {{toolResult.status}}." },
        ],
      },
    },
  },
  tools: {
    get_order_status: tool({
      description: "Returns the status of an order.",
      inputSchema: z.object({ orderId: z.string().describe("Such as ORD-3") }),
      execute: ({ orderId }) => ({ orderId, status: "on its way" }),
    }),
  },
  agents: [
    {
      name: "support",
      description: "Answers questions about orders.",
      model: { provider: "demo", model: "support" },
      instructions: "You are a support assistant. Answer briefly and clearly.",
      toolNames: ["get_order_status"],
    },
    ...(["BackgroundTasks", "Tool"] as const).map((callMode) => ({
      name: callMode === "Tool" ? "router-tool" : "router-tasks",
      model: { provider: "demo", model: callMode === "Tool" ? "router-tool" : "router-tasks" },
      instructions: "You route questions to the agent that knows the answer.",
      callableAgents: [{ name: "support" }],
      subAgents: { callMode },
    })),
  ],
});

const QUESTION = "Where is ORD-3?";
const tracon = await createTracon(config);
const tasks = await ask("router-tasks");
const direct = await ask("router-tool");
await tracon.close();

for (const { agentName, output, calls } of [tasks, direct]) {
  console.log(`${agentName}: ${output}`);
  for (const { toolName, result } of calls) console.log(`  ${toolName} → ${result}`);
  console.log();
}
// Tokens of a scripted model are an estimate from the characters that are really sent.
console.log(`| The router's own run | Background tasks | One tool for the agent |
| --- | --- | --- |
| Model calls | ${tasks.modelCalls} | ${direct.modelCalls} |
| Input tokens, estimated | ${tasks.inputTokens} | ${direct.inputTokens} |
| Output tokens, estimated | ${tasks.outputTokens} | ${direct.outputTokens} |
| Model calls of the callee | ${tasks.callee.modelCalls} | ${direct.callee.modelCalls} |
| Its tokens, estimated | ${tasks.callee.tokens} | ${direct.callee.tokens} |
| Model calls of the original with \`gpt-5.4-mini\` | 5 | 2 |
| Its input tokens, measured | 3,603–3,705 | 409–412 |
| Its output tokens, measured | 139–170 | 48–53 |`);

async function ask(agentName: string) {
  const { runId, output, usage } = await tracon.run(agentName, { message: QUESTION });
  const calls = await tracon.runs.toolInvocations(runId);
  const [, child] = await tracon.runs.tree(runId);
  return {
    ...{ agentName, output, calls },
    modelCalls: await modelCallsOf(runId),
    inputTokens: usage?.inputTokens?.toLocaleString("en-US"),
    outputTokens: usage?.outputTokens?.toLocaleString("en-US"),
    callee: {
      modelCalls: await modelCallsOf(child?.id ?? ""),
      tokens: child?.usage?.totalTokens,
    },
  };
}

async function modelCallsOf(runId: string): Promise<number> {
  const events = await Array.fromAsync(tracon.runs.events(runId));
  return events.filter(({ type }) => type === "MessageCompleted").length;
}

assert.deepEqual([tasks.modelCalls, direct.modelCalls], [5, 2]);
assert.deepEqual(
  tasks.calls.map(({ toolName }) => toolName),
  ["start_task", "wait_for_first_completion", "get_task_results", "clear_completed_task"].map(
    (name) => `background_agents_${name}`,
  ),
);
assert.deepEqual(
  direct.calls.map(({ toolName }) => toolName),
  ["support"],
);
assert.equal(tasks.calls[2]?.result, direct.output, "both ways give the router the same answer");
assert.deepEqual(tasks.callee, direct.callee, "and cost the callee the same");
