/** The client library held against the OpenAPI document, operation by operation, in both directions. */

import { createTraconClient, operations } from "@tracon/client";
import { memoryLog, scriptedModel, startTestHost } from "@tracon/testing";
import { tool } from "ai";
import { createTracon } from "tracon";
import { expect, it } from "vitest";
import * as z from "zod";

/** What is for people and tools that read the API itself, not for its clients. */
const NOT_FOR_CLIENTS = ["GET /openapi.json", "GET /docs"];

type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> };

it("has a client operation for every documented operation, and the reverse", async () => {
  await using host = await start();
  const response = await fetch(`${host.url}/openapi.json`);
  const { paths } = (await response.json()) as Document;

  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const known = Object.values(operations).map(({ method, path }) => `${method} ${path}`);

  expect(known.sort()).toEqual(documented.filter((it) => !NOT_FOR_CLIENTS.includes(it)).sort());
});

it("reaches every operation of its table on a real server", async () => {
  await using host = await start();
  const used = new Set<string>();
  const client = createTraconClient({
    baseUrl: host.url,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      used.add(operationOf(init?.method ?? "GET", new URL(String(input)), host.url));
      return response;
    },
  });
  const definition = { name: "stored", model: { provider: "test", model: "m" } };

  await client.meta();
  expect(await client.agents.list()).toHaveLength(2);
  expect(await client.agents.create(definition)).toMatchObject({ version: 1 });
  expect(await client.agents.save("stored", definition)).toMatchObject({ version: 2 });
  expect(await client.agents.get("stored")).toMatchObject({ definition: { version: 2 } });
  expect(await client.agents.estimate("stored", { message: "Hi" })).toMatchObject({
    promptTokens: 1,
  });
  expect(await client.agents.validate(definition)).toMatchObject({ valid: true });
  expect(await client.agents.versions("stored")).toHaveLength(2);
  expect(await client.agents.version("stored", 1)).toMatchObject({ version: 1 });
  expect(await client.agents.diff("stored", { left: 1, right: 2 })).toMatchObject({
    left: { version: 1 },
    right: { version: 2 },
  });
  const stale = client.agents.rollback("stored", 1, { basedOn: 1 });
  await expect(stale).rejects.toMatchObject({ status: 412, code: "version_conflict" });
  expect(await client.agents.rollback("stored", 1, { basedOn: 2 })).toMatchObject({ version: 3 });
  await client.agents.delete("stored");

  const file = new Blob(["Ship to Berlin."]);
  const { id } = await client.attachments.upload(file, { fileName: "a.txt", sessionId: "s" });
  const { items: files } = await client.attachments.list({ sessionId: "s" });
  expect(files).toMatchObject([{ id, fileName: "a.txt", mediaType: "text/plain" }]);
  expect(await (await client.attachments.content(id)).text()).toBe("Ship to Berlin.");
  await client.attachments.delete(id);
  await expect(client.attachments.content(id)).rejects.toMatchObject({
    status: 404,
    code: "attachment_not_found",
  });

  const { runId } = await client.run("writer", { message: "Hi" });
  const frames = await Array.fromAsync(client.stream("writer", { message: "Hi" }));
  expect(frames.at(-1)).toMatchObject({ event: "done", data: { output: "Hello!" } });
  expect(await client.runs.get(runId)).toMatchObject({ status: "Completed" });
  expect(await client.runs.tree(runId)).toMatchObject([{ id: runId, status: "Completed" }]);
  const { items, next } = await client.runs.list({ take: 1 });
  expect(items).toHaveLength(1);
  expect((await client.runs.list({ next: next ?? "" })).items).toMatchObject([{ id: runId }]);
  const events = await Array.fromAsync(client.runs.events(runId));
  expect(await client.runs.eventPage(runId)).toEqual(events);
  expect(await client.runs.tools(runId)).toEqual([]);
  expect((await client.runs.trace(runId)).spans).toMatchObject([
    { name: "tracon.run", status: "Ok" },
    { name: "chat m", status: "Ok" },
  ]);
  expect(await client.runs.input(runId)).toMatchObject({ runId });
  await expect(client.runs.cancel(runId)).rejects.toMatchObject({
    status: 409,
    code: "run_not_cancelable",
  });
  await client.run("writer", { message: "Hi", sessionId: "s" });
  const { sessionId } = await client.sessions.branch("s", { upToSequence: 0 });
  const sessions = await client.sessions.list({ take: 1 });
  expect(sessions.items).toMatchObject([{ id: sessionId, parentSessionId: "s", itemCount: 1 }]);
  expect((await client.sessions.list({ next: sessions.next ?? "" })).items).toMatchObject([
    { id: "s" },
  ]);
  expect((await client.sessions.get("s")).messages).toHaveLength(2);
  await client.sessions.delete("s");
  await expect(client.sessions.get("s")).rejects.toMatchObject({ code: "session_not_found" });

  const rule = await client.approvals.rules.create({ toolName: "refund", agentName: "writer" });
  expect((await client.approvals.rules.list()).items).toMatchObject([{ id: rule.id }]);
  await client.approvals.rules.delete(rule.id);
  const waiting = await client.run("refunds", { message: "Pay it back." });
  expect(waiting.status).toBe("AwaitingApproval");
  const [approval] = (await client.approvals.pending()).items;
  expect(approval).toMatchObject({ runId: waiting.runId, toolName: "refund" });
  const decided = await client.approvals.decide(approval?.id ?? "", { approved: true });
  expect(await client.approvals.get(decided.id)).toMatchObject({ status: "Approved" });
  const goesOn = await Array.fromAsync(client.runs.events(decided.continuationRunId));
  expect(goesOn.at(-1)).toMatchObject({ type: "RunCompleted" });

  expect(await client.tools.list()).toMatchObject([{ name: "refund", requiresApproval: true }]);
  expect(await client.tools.usage()).toMatchObject([{ toolName: "refund", totalCalls: 1 }]);
  expect(await client.extensions.list()).toEqual([]);
  expect(await client.loopCriteria.list()).toMatchObject({ judge: null });
  expect(await client.models.list()).toMatchObject([{ name: "desk" }, { name: "test" }]);
  expect(await client.statistics.get()).toMatchObject({ completedRuns: 4, awaitingInputRuns: 1 });
  expect(await client.statistics.timeSeries()).toHaveLength(24);
  expect(await client.statistics.errors()).toEqual([]);
  expect(await client.statistics.criteria()).toEqual([]);
  expect(await client.statistics.recalculateCosts()).toMatchObject({ runsUpdated: 0 });

  const known = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
  expect([...used].sort()).toEqual(known.sort());
});

function operationOf(method: string, { origin, pathname }: URL, baseUrl: string): string {
  const path = (origin + pathname).slice(baseUrl.length);
  const found = Object.values(operations).filter(
    (it) => it.method === method && patternOf(it.path).test(path),
  );
  // `/api/agents/validate` fits `/api/agents/{name}` too; the one without parameters is meant.
  const [operation] = found.sort((a, b) => countOf(a.path) - countOf(b.path));
  return `${method} ${operation?.path ?? path}`;
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
const countOf = (path: string): number => path.split("{").length;

const start = () =>
  startTestHost(() =>
    createTracon(
      {
        providers: {
          test: { languageModel: () => scriptedModel(["Hello!", "Hello!", "Hello!"]) },
          desk: {
            languageModel: () => scriptedModel([{ toolCalls: [{ name: "refund" }] }, "Done."]),
          },
        },
        tools: {
          refund: {
            tool: tool({ inputSchema: z.object({}), execute: () => "paid" }),
            requiresApproval: true,
          },
        },
        agents: [
          { name: "writer", model: { provider: "test", model: "m" } },
          { name: "refunds", model: { provider: "desk", model: "m" }, toolNames: ["refund"] },
        ],
        storage: "memory:",
        log: memoryLog(),
      },
      { env: {} },
    ),
  );
