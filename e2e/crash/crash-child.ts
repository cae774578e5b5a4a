/**
 * The process that is killed: the product as an application embeds it, with agents whose tools
 * leave a mark outside of it. It loads first and opens the stores when it is told to, so that one
 * can stand by while another is killed.
 */

import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { tool } from "ai";
import { createTracon, defineConfig } from "tracon";
import { z } from "zod";
import type { ChildOrder, ChildReport } from "./crash-orders.ts";

const MODEL = { provider: "demo", model: "m" };
/** Names of the models of agents in trees; each has a script of its own. */
const TREE_AGENTS = ["caller", "tasker", "looped", "worker", "reviewer"] as const;
const PACE = { chunkDelayMs: 3, chunkSize: 8 };
const CALLER = { callableAgents: ["worker"], subAgents: { callMode: "Tool" as const } };
const LOOPED = {
  harness: {
    disableCompaction: true,
    disableTodoProvider: true,
    disableAgentModeProvider: true,
    loop: {
      criteria: [{ kind: "goesOn" }, { kind: "agentReview", reviewerAgent: "reviewer" }],
      maxIterations: 4,
    },
  },
};

const count = (n: string, token = "{{input}}") => ({ name: "count", input: { token, n } });
const task = (name: string, input: Readonly<Record<string, string | number | number[]>>) => ({
  toolCalls: [{ name: `background_agents_${name}`, input }],
});

/** What is asked has a word that begins with R, by which the effects of a run are told from others. */
const captures = { id: "word:R" };
const turnsByMatch = (rules: readonly { match?: string; turns: ScriptTurns }[]) => ({
  ...PACE,
  when: rules.map((rule) => ({ captures, ...rule })),
});
type ScriptTurns = readonly { text?: string; toolCalls?: { name: string; input: object }[] }[];

const SCRIPTS = {
  m: {
    ...PACE,
    turns: [
      { text: "Let me count first.", toolCalls: [count("1"), count("2")] },
      { text: "And once more.", toolCalls: [count("3")] },
      { text: "Counted three times: grüße 💥 to everybody who waited." },
    ],
  },
  caller: turnsByMatch([
    {
      turns: [
        { toolCalls: [{ name: "worker", input: { query: "{{id}} first" } }] },
        { toolCalls: [{ name: "worker", input: { query: "{{id}} second" } }, count("own")] },
        { text: "Asked twice." },
      ],
    },
  ]),
  tasker: turnsByMatch([
    {
      turns: [
        task("start_task", { agentName: "worker", input: "{{id}} one", description: "one" }),
        task("start_task", { agentName: "worker", input: "{{id}} two", description: "two" }),
        task("wait_for_first_completion", { taskIds: [1, 2] }),
        task("get_task_results", { taskId: 1 }),
        { text: "Whatever still runs ends with me." },
      ],
    },
  ]),
  looped: turnsByMatch([
    {
      match: "again",
      turns: [{ toolCalls: [count("again", "{{id}}")] }, { text: "Third draft." }],
    },
    { match: "more", turns: [{ toolCalls: [count("more", "{{id}}")] }, { text: "Second draft." }] },
    { turns: [{ toolCalls: [count("first", "{{id}}")] }, { text: "First draft." }] },
  ]),
  worker: turnsByMatch([
    { turns: [{ toolCalls: [count("worker")] }, { text: "Worked: {{input}}." }] },
  ]),
  reviewer: turnsByMatch([
    { match: "Iteration: 2", turns: [{ text: '{"approved":false,"feedback":"again {{id}}"}' }] },
    { turns: [{ text: '{"approved":true,"feedback":""}' }] },
  ]),
};

const config = (order: ChildOrder) =>
  defineConfig({
    storage: order.storage,
    providers: { demo: { kind: "scripted", models: SCRIPTS } },
    tools: {
      count: tool({
        inputSchema: z.object({ token: z.string(), n: z.string() }),
        execute: async ({ token, n }) => {
          // One write is one line, also for a process that dies in the next instruction.
          appendFileSync(order.ledger, `${JSON.stringify({ token, n })}\n`);
          await pause(2);
          return `counted ${n}`;
        },
      }),
    },
    loopEvaluators: {
      goesOn: {
        async evaluate({ iteration, initialMessages: [asked] }) {
          await pause(3);
          const [said] = asked?.contents ?? [];
          const id = said?.$type === "text" ? said.text : "";
          return iteration > 1
            ? { decision: "stop" }
            : { decision: "continue", feedback: `more ${id}` };
        },
      },
    },
    agents: [
      ...["in-order", "together"].map((name) => ({
        name,
        model: { ...MODEL, toolLoop: { allowConcurrentToolCalls: name === "together" } },
        toolNames: ["count"],
      })),
      ...TREE_AGENTS.map((name) => ({
        name,
        model: { ...MODEL, model: name },
        toolNames: name === "reviewer" ? [] : ["count"],
        ...(name === "caller" ? CALLER : {}),
        ...(name === "tasker" ? { callableAgents: ["worker"] } : {}),
        ...(name === "looped" ? LOOPED : {}),
      })),
    ],
  });

const report = (message: ChildReport): void => void process.send?.(message);

process.once("message", (order: ChildOrder) => {
  serve(order).then(report, (error: unknown) => report({ failed: String(error) }));
});

async function serve(order: ChildOrder): Promise<ChildReport> {
  const tracon = await createTracon(config(order), { env: {} });
  const server = createServer(tracon.node());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${tracon.prefix}` };
}

report({ loaded: true });
