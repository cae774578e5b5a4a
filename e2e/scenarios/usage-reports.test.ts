/** Wherever an OpenAI-compatible server puts its usage, a run has the last report of each call, once. */

import { memoryLog } from "@tracon/testing";
import { tool } from "ai";
import { createTracon, type Tracon } from "tracon";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import {
  type ChunkServer,
  calls,
  startChunkServer,
  stop,
  text,
  usage,
} from "../kit/chunk-server.ts";

let server: ChunkServer;
let tracon: Tracon;

beforeAll(async () => {
  server = await startChunkServer();
  const { baseURL } = server;
  tracon = await createTracon(
    {
      storage: "memory:",
      log: memoryLog(),
      providers: { local: { kind: "openai-compatible", baseURL } },
      tools: { look: tool({ inputSchema: z.object({}), execute: () => "seen" }) },
      agents: [
        { name: "agent", model: { provider: "local", model: "m" }, toolNames: ["look"] },
        {
          name: "json",
          model: { provider: "local", model: "m", responseFormat: { kind: "Json" } },
        },
      ],
      structuredResponse: { enabled: true },
    },
    { env: {} },
  );
});
afterAll(async () => {
  await tracon.close();
  server.close();
});

const TEN_FIVE = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

it.each([
  ["the first chunk", [{ ...text("Hi."), ...usage(10, 5) }, text("!"), stop]],
  ["a chunk in the middle", [text("Hi."), { ...text("!"), ...usage(10, 5) }, stop]],
  ["a last chunk without choices", [text("Hi."), stop, { choices: [], ...usage(10, 5) }]],
])("keeps the usage that comes with %s", async (_, chunks) => {
  server.queue("m", chunks);

  const result = await tracon.run("agent", { message: "Go." });

  expect(result).toMatchObject({ status: "Completed", usage: TEN_FIVE });
  const { budget } = await tracon.runs.get(result.runId);
  expect(budget).toMatchObject({ usedTokens: 15, estimatedTokens: 0, reservedTokens: 0 });
});

it("knows of no usage where none was reported, and its tree counts an estimate", async () => {
  server.queue("m", [text("Hi."), stop]);

  const result = await tracon.run("agent", { message: "Go." });

  expect(result.usage).toBeUndefined();
  const { usage: recorded, budget } = await tracon.runs.get(result.runId);
  expect(recorded).toBeUndefined();
  expect(budget?.usedTokens).toBeGreaterThan(0);
  expect(budget?.estimatedTokens).toBe(budget?.usedTokens);
});

it("takes running totals for what they are, also over several calls", async () => {
  const counting = Array.from({ length: 50 }, (_, index) => ({
    ...text("x"),
    ...usage(10, index + 1),
  }));
  server.queue("m", [...counting, ...calls("look", {})], [...counting, stop]);

  const result = await tracon.run("agent", { message: "Go." });

  expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 100 });
  const { budget } = await tracon.runs.get(result.runId);
  expect(budget).toMatchObject({ usedTokens: 120, estimatedTokens: 0 });
});

it("keeps what an answer cost that was not the JSON asked for", async () => {
  server.queue("m", [text("not json"), stop, { choices: [], ...usage(100, 20) }]);

  const result = await tracon.run("json", { message: "Go." });

  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "structured_response_invalid" },
    usage: { inputTokens: 100, outputTokens: 20 },
  });
  const { usage: recorded, budget } = await tracon.runs.get(result.runId);
  expect(recorded).toMatchObject({ totalTokens: 120 });
  expect(budget).toMatchObject({ usedTokens: 120 });
});
