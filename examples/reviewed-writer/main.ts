/** A writer whose drafts another agent reviews: the first one is sent back, the second one approved. */

import assert from "node:assert/strict";
import { createTracon, defineConfig } from "tracon";

const REJECTED = { approved: false, feedback: "Say when the parcel arrives." };
const APPROVED = { approved: true, feedback: "" };

const tracon = await createTracon(
  defineConfig({
    storage: "memory:",
    providers: {
      demo: {
        kind: "scripted",
        models: {
          writer: {
            when: [
              { match: REJECTED.feedback, turns: [{ text: "Your parcel arrives tomorrow." }] },
              { turns: [{ text: "Your parcel is on its way." }] },
            ],
          },
          reviewer: {
            when: [
              { match: "tomorrow", turns: [{ text: JSON.stringify(APPROVED) }] },
              { turns: [{ text: JSON.stringify(REJECTED) }] },
            ],
          },
        },
      },
    },
    agents: [
      {
        name: "draft-reviewer",
        model: {
          provider: "demo",
          model: "reviewer",
          // A criterion cannot ask for the shape of a verdict, so the reviewer's own definition does.
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
        instructions: "Approve a draft that names a day. Otherwise say what is missing.",
      },
      {
        name: "writer",
        model: { provider: "demo", model: "writer" },
        instructions: "You write notices for customers.",
        harness: {
          loop: {
            criteria: [{ kind: "agentReview", reviewerAgent: "draft-reviewer" }],
            maxIterations: 4,
          },
        },
      },
    ],
  }),
);

const { runId, output, iterations } = await tracon.run("writer", {
  message: "Tell the customer where the parcel is.",
});
console.log(`${output}\n\nEvents of the run:`);

const decisions: string[] = [];
for await (const event of tracon.runs.events(runId)) {
  if (event.type === "MessageDelta") continue;
  if (event.type === "LoopIterationCompleted") decisions.push(event.text ?? "");
  const what = event.type === "ChildRunStarted" ? event.payload.agentName : (event.text ?? "");
  console.log(`  ${event.type.padEnd(24)}${what}`.trimEnd());
}

console.log("\nThe tree:");
const tree = await tracon.runs.tree(runId);
for (const { depth, agentName, status, usage } of tree) {
  console.log(`  ${"  ".repeat(depth)}${agentName}: ${status}, ${usage?.totalTokens} tokens`);
}
await tracon.close();

assert.equal(output, "Your parcel arrives tomorrow.");
assert.equal(iterations, 2);
assert.deepEqual(decisions, [
  "iteration 1 continued by 'agentReview' (reviewer 'draft-reviewer' v1)",
  "iteration 2 satisfied every criterion",
]);
assert.deepEqual(
  tree.map(({ agentName, depth }) => ({ agentName, depth })),
  [
    { agentName: "writer", depth: 0 },
    { agentName: "draft-reviewer", depth: 1 },
    { agentName: "draft-reviewer", depth: 1 },
  ],
);
