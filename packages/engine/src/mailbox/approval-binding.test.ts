/** A decision is bound to the call it was made for: whatever changes in between, nothing else runs. */

import { type Tool, tool } from "@ai-sdk/provider-utils";
import type { Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type Effect,
  type GatedEngineOptions,
  type ScriptedModelTurn,
  startGatedEngine,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";

const TENANT = "default";
const VOID = /^Error: Not run: the call was approved, but /;

type After = {
  readonly options?: Partial<GatedEngineOptions>;
  /** What the store answers from then on. */
  readonly stores?: (stores: Stores) => Stores;
  readonly told: RegExp;
};

const CHANGES: readonly (readonly [string, After])[] = [
  [
    "the instructions of the agent",
    { options: { agent: { instructions: "Be bold." } }, told: VOID },
  ],
  [
    "the model of the agent",
    { options: { agent: { model: { provider: "test", model: "other" } } }, told: VOID },
  ],
  ["the tools of the agent", { options: { agent: { toolNames: ["count", "gate"] } }, told: VOID }],
  [
    "the name of the tool",
    { options: { tools: { gate: undefined as never, portal: counting() } }, told: VOID },
  ],
  [
    "the tool into one of the client",
    { options: { tools: { gate: tool({ inputSchema: schema() }) as Tool } }, told: VOID },
  ],
  [
    "the arguments of the approval",
    { stores: withApproval({ arguments: '{"x":1000}' }), told: VOID },
  ],
  [
    "the arguments of the approval, hash and all",
    {
      stores: withApproval({ arguments: '{"x":1000}', argumentsHash: "0".repeat(64) }),
      told: VOID,
    },
  ],
  ["the arguments into no JSON", { stores: withApproval({ arguments: "{bad" }), told: VOID }],
  ["the tool of the approval", { stores: withApproval({ toolName: "count" }), told: VOID }],
  ["the agent of the approval", { stores: withApproval({ agentName: "other" }), told: VOID }],
  ["the definition's hash", { stores: withApproval({ contentHash: "0".repeat(64) }), told: VOID }],
  ["the call in the history", { stores: withHistory('"x":1}', '"x":1000}'), told: VOID }],
  [
    "the tool in the history",
    { stores: withHistory('"name":"gate"', '"name":"count"'), told: VOID },
  ],
  [
    "what the tool accepts",
    {
      options: { tools: { gate: { tool: counting(z.number().max(0)), requiresApproval: true } } },
      told: /^Error: Invalid arguments: x: /,
    },
  ],
  [
    "who may call the tool",
    {
      options: {
        tools: { gate: { tool: counting(), requiresApproval: true, authorize: () => false } },
      },
      told: /^Error: The call is not allowed\.$/,
    },
  ],
];

it.each(CHANGES)("runs nothing when an approval finds %s changed", async (_, after) => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const before = await startGatedEngine({ stores, script: [calling(1)], tools: {} });
  await before.send({ message: "Go.", sessionId: "s" });
  const [{ id = "", continuationRunId = "" } = {}] = await before.waiting();
  await before.engine.close({ graceMs: 0 });
  const ledger: Effect[] = [];
  const changed = after.stores?.(stores) ?? stores;
  const tools = Object.entries(after.options?.tools ?? {}).filter(([, it]) => it !== undefined);
  const next = await startGatedEngine({
    ...after.options,
    tools: Object.fromEntries(tools),
    ...(after.options?.tools !== undefined && "portal" in after.options.tools
      ? { agent: { toolNames: ["portal", "count", "ask_user"] } }
      : {}),
    stores: changed,
    script: ["Understood."],
    ledger,
  });
  onTestFinished(() => next.engine.close({ graceMs: 0 }));

  await next.engine.approvals.decide(TENANT, id, { approved: true });
  const events = await next.ended(continuationRunId);

  expect(ledger).toEqual([]);
  const faults = events.flatMap((event) => (event.type === "ToolFailed" ? [event.payload] : []));
  expect(faults).toMatchObject([{ error: expect.stringMatching(after.told) }]);
  expect(events.at(-1)).toMatchObject({ type: "RunCompleted" });
});

it("runs an approved call when nothing but the process has changed", async () => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const before = await startGatedEngine({ stores, script: [calling(1)] });
  await before.send({ message: "Go.", sessionId: "s" });
  const [{ id = "", continuationRunId = "" } = {}] = await before.waiting();
  await before.engine.close({ graceMs: 0 });
  const next = await startGatedEngine({ stores, script: ["Done."] });
  onTestFinished(() => next.engine.close({ graceMs: 0 }));

  await next.engine.approvals.decide(TENANT, id, { approved: true });
  await next.ended(continuationRunId);

  expect(next.ledger).toEqual(["gate(1)"]);
});

it("runs nothing when the session was deleted before the last decision", async () => {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const gate = await startGatedEngine({ stores, script: [calling(1), "Never."] });
  onTestFinished(() => gate.engine.close({ graceMs: 0 }));
  await gate.send({ message: "Go.", sessionId: "s" });
  const [{ id = "", continuationRunId = "" } = {}] = await gate.waiting();
  await gate.engine.sessions.delete(TENANT, "s");

  await gate.engine.approvals.decide(TENANT, id, { approved: true });

  expect(gate.ledger).toEqual([]);
  await expect(gate.engine.runs.get(TENANT, continuationRunId)).rejects.toThrow("no such run");
});

function schema(x: z.ZodNumber = z.number()) {
  return z.object({ x });
}

/** A tool nothing of which may be seen in the ledger. */
function counting(x?: z.ZodNumber): Tool {
  const execute = (): unknown => {
    throw new Error("it ran");
  };
  return tool({ inputSchema: schema(x), execute });
}

function withApproval(over: object): (stores: Stores) => Stores {
  return (stores) => ({
    ...stores,
    approvals: {
      ...stores.approvals,
      async openOfSession(...key) {
        const open = await stores.approvals.openOfSession(...key);
        return open.map((approval) => ({ ...approval, ...over }));
      },
    },
  });
}

function withHistory(from: string, to: string): (stores: Stores) => Stores {
  return (stores) => ({
    ...stores,
    sessions: {
      ...stores.sessions,
      async history(...range) {
        const items = await stores.sessions.history(...range);
        return items.map((item) => ({ ...item, json: item.json.replace(from, to) }));
      },
    },
  });
}

const calling = (x: number): ScriptedModelTurn => ({ toolCalls: [{ name: "gate", input: { x } }] });
