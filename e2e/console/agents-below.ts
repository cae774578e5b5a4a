/** Agents that call agents and agents that loop, for the browser tests, and the models that play them. */

import type { ScriptConfig } from "@tracon/providers";
import type { TraconConfig } from "tracon";

/** Longer than any test: whoever waits for it is stopped. */
const ENDLESS_MS = 600_000;

export const modelsBelow: Readonly<Record<string, ScriptConfig>> = {
  chief: {
    turns: [
      { toolCalls: [{ name: "router", input: { query: "Where is ORD-7, and write about it?" } }] },
      { text: "All of it is done." },
    ],
  },
  router: {
    turns: [
      {
        text: "I ask those who know.",
        toolCalls: [
          { name: "support", input: { query: "Where is ORD-7?" } },
          { name: "writer", input: { query: "Write about ORD-7." } },
          { name: "broken", input: { query: "Anything." } },
        ],
      },
      { text: "It is on its way, and written about." },
    ],
  },
  writer: {
    when: [
      { match: "no source", turns: [{ text: "The second draft, with a source [1]." }] },
      { turns: [{ text: "The first draft." }] },
    ],
  },
  "draft-reviewer": {
    when: [
      { match: "second draft", turns: [{ text: '{"approved": true, "feedback": ""}' }] },
      { turns: [{ text: '{"approved": false, "feedback": "There is no source."}' }] },
    ],
  },
  drafter: { turns: [{ text: "A draft that is never good enough." }] },
  judge: { turns: [{ text: '{"answered": false, "gapAnalysis": "It says nothing."}' }] },
  stuck: {
    turns: [
      ...Array.from({ length: 4 }, () => ({
        toolCalls: [{ name: "get_order_status", input: { orderId: "ORD-1" } }],
      })),
      { text: "I asked often." },
    ],
  },
  endless: { delayMs: ENDLESS_MS, turns: [{ text: "Nobody reads this." }] },
  waiter: {
    turns: [
      { toolCalls: [{ name: "endless", input: { query: "Take your time." } }] },
      { text: "It did not answer." },
    ],
  },
};

const model = (name: string) => ({ provider: "demo", model: name });
const callsAsTools = { callMode: "Tool" } as const;

export const agentsBelow: NonNullable<TraconConfig["agents"]> = [
  {
    name: "chief",
    model: model("chief"),
    callableAgents: ["router"],
    subAgents: callsAsTools,
  },
  {
    name: "router",
    description: "Asks whoever knows.",
    model: model("router"),
    callableAgents: ["support", "writer", "broken"],
    subAgents: callsAsTools,
  },
  {
    name: "writer",
    description: "Writes until a reviewer approves.",
    model: model("writer"),
    harness: {
      loop: { criteria: [{ kind: "agentReview", reviewerAgent: "draft-reviewer" }] },
    },
  },
  {
    name: "draft-reviewer",
    description: "Reads drafts.",
    model: {
      ...model("draft-reviewer"),
      responseFormat: {
        kind: "JsonSchema",
        schemaName: "verdict",
        schema: {
          type: "object",
          properties: { approved: { type: "boolean" }, feedback: { type: "string" } },
        },
      },
    },
  },
  {
    name: "judged",
    model: model("drafter"),
    harness: {
      loop: {
        criteria: [{ kind: "aiJudge", judgeCriteria: ["It says something."] }],
        maxIterations: 2,
        onExhausted: "FailRun",
      },
    },
  },
  {
    name: "at-the-ceiling",
    model: model("drafter"),
    harness: {
      loop: { criteria: [{ kind: "completionMarker", marker: "DONE" }], maxIterations: 3 },
    },
  },
  { name: "stuck", model: model("stuck"), toolNames: ["get_order_status"] },
  { name: "endless", model: model("endless") },
  {
    name: "waiter",
    model: model("waiter"),
    callableAgents: ["endless"],
    subAgents: callsAsTools,
  },
  {
    name: "impatient",
    model: model("waiter"),
    callableAgents: ["endless"],
    subAgents: { ...callsAsTools, childDeadline: "00:00:00.2" },
  },
];
