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

const AGENTS = ["in-order", "together"];

const config = (order: ChildOrder) =>
  defineConfig({
    storage: order.storage,
    providers: {
      demo: {
        kind: "scripted",
        models: {
          m: {
            chunkDelayMs: 3,
            chunkSize: 4,
            turns: [
              { text: "Let me count first.", toolCalls: [count("1"), count("2")] },
              { text: "And once more.", toolCalls: [count("3")] },
              { text: "Counted three times: grüße 💥 to everybody who waited." },
            ],
          },
        },
      },
    },
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
    agents: AGENTS.map((name) => ({
      name,
      model: {
        provider: "demo",
        model: "m",
        toolLoop: { allowConcurrentToolCalls: name === "together" },
      },
      toolNames: ["count"],
    })),
  });

const count = (n: string) => ({ name: "count", input: { token: "{{input}}", n } });

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
