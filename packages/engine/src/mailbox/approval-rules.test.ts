import { type Tool, tool } from "@ai-sdk/provider-utils";
import { openStores } from "@tracon/store";
import { type GatedEngineOptions, type ScriptedModelTurn, startGatedEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import type { ToolRegistration } from "../tools/tool-registration.ts";

const TENANT = "default";

it("asks no more for a tool that was remembered, in this agent alone", async () => {
  const second = { name: "second", model: { provider: "test", model: "m" }, toolNames: ["gate"] };
  const gate = await gated([calling(1), "Done.", calling(2), "Done.", calling(3)], {
    agents: [second],
  });
  await gate.send({ message: "Go.", sessionId: "s" });
  const [{ id = "", continuationRunId = "" } = {}] = await gate.waiting();
  const decision = { approved: true, remember: true };
  await gate.engine.approvals.decide(TENANT, id, decision, { decidedBy: "ada" });
  await gate.ended(continuationRunId);

  const again = await gate.send({ message: "Again." });
  const other = await gate.engine.runs.start(TENANT, "second", { message: "Go." });

  expect(again.status).toBe("Completed");
  expect((await other.result).status).toBe("AwaitingApproval");
  expect(gate.ledger).toEqual(["gate(1)", "gate(2)"]);
  expect(await gate.engine.approvals.rules(TENANT, { take: 9 })).toMatchObject([
    { agentName: "agent", toolName: "gate", createdBy: "ada", argumentConditions: [] },
  ]);
});

it("remembers the arguments of the call that was asked, and asks for all others", async () => {
  const gate = await gated([calling(1), "Done.", calling(1), "Done.", calling(2)]);
  const stopped = await gate.send({ message: "Go.", sessionId: "s" });
  const requestId = stopped.approvals?.[0]?.requestId;
  const approvals = [{ requestId, approved: true, rememberArgumentsOnly: true }];
  await gate.send({ sessionId: "s", approvals });

  const equal = await gate.send({ message: "Again." });
  const different = await gate.send({ message: "Again." });

  expect([equal.status, different.status]).toEqual(["Completed", "AwaitingApproval"]);
  expect(gate.ledger).toEqual(["gate(1)", "gate(1)"]);
});

it("makes no rule of a decision that was not taken", async () => {
  const gate = await gated([calling(1), "Done."]);
  const stopped = await gate.send({ message: "Go.", sessionId: "s" });
  const requestId = stopped.approvals?.[0]?.requestId ?? "";
  const approvals = [{ requestId, approved: true, remember: true }];
  await gate.send({ sessionId: "s", approvals: [{ requestId, approved: false }] });

  await expect(gate.send({ sessionId: "s", approvals })).rejects.toThrow("already gone on");
  await expect(
    gate.engine.approvals.decide(TENANT, requestId, { approved: true, remember: true }),
  ).rejects.toThrow("already decided");

  expect(await gate.engine.approvals.rules(TENANT, { take: 9 })).toEqual([]);
  expect(gate.ledger).toEqual([]);
});

it("asks again once a rule is gone", async () => {
  const gate = await gated([calling(1), "Done.", calling(2)]);
  const rule = await gate.engine.approvals.addRule(TENANT, { toolName: "gate" });
  const covered = await gate.send({ message: "Go." });
  await gate.engine.approvals.removeRule(TENANT, rule.id);

  const asked = await gate.send({ message: "Go." });

  expect([covered.status, asked.status]).toEqual(["Completed", "AwaitingApproval"]);
  await expect(gate.engine.approvals.removeRule(TENANT, rule.id)).rejects.toThrow(
    "no standing rule",
  );
});

it("does not let a rule that came later run a call that waits", async () => {
  const gate = await gated([calling(1), "Never."]);
  await gate.send({ message: "Go.", sessionId: "s" });

  await gate.engine.approvals.addRule(TENANT, { toolName: "gate" });
  await gate.engine.approvals.scan();

  expect(await gate.waiting()).toHaveLength(1);
  expect(gate.ledger).toEqual([]);
});

it.each([
  ["an unknown operator", { path: "x", operator: "Matches", value: "1" }],
  ["an index into a list", { path: "a.0", operator: "Equals", value: 1 }],
  ["brackets", { path: "a[0]", operator: "Equals", value: 1 }],
  ["an empty path", { path: "", operator: "Equals", value: 1 }],
  ["an empty name in a path", { path: "a..b", operator: "Equals", value: 1 }],
  ["a text to compare with", { path: "x", operator: "GreaterThan", value: "1" }],
  ["an object for a value", { path: "x", operator: "Equals", value: {} }],
  ["one value for a list", { path: "x", operator: "In", value: 1 }],
  ["no value", { path: "x", operator: "Equals" }],
  ["another member", { path: "x", operator: "Equals", value: 1, or: [] }],
])("refuses a rule with %s", async (_, condition) => {
  const gate = await gated([]);

  const request = { toolName: "gate", argumentConditions: [condition] };
  const adding = gate.engine.approvals.addRule(TENANT, request);

  await expect(adding).rejects.toMatchObject({ code: "request_invalid" });
  expect(await gate.engine.approvals.rules(TENANT, { take: 9 })).toEqual([]);
});

type Policy = NonNullable<ToolRegistration["requiresApproval"]>;

it.each<[string, Policy, boolean, boolean]>([
  ["true, without a rule", true, false, false],
  ["true, with a rule", true, true, true],
  ["Required, with a rule", () => "Required", true, false],
  ["NotRequired", () => "NotRequired", false, true],
  ["Undecided, without a rule", () => "Undecided", false, false],
  ["Undecided later, with a rule", () => Promise.resolve("Undecided" as const), true, true],
  ["nothing, with a rule", () => undefined as never, true, false],
  ["false, with a rule", () => false as never, true, false],
  [
    "with an exception, with a rule",
    () => {
      throw new Error("no");
    },
    true,
    false,
  ],
  ["with a rejection, with a rule", () => Promise.reject(new Error("no")), true, false],
])("lets a call pass or not when its policy answers %s", async (_, policy, hasRule, passes) => {
  const gate = await gated([calling(1), "Done."], { gatePolicy: policy });
  if (hasRule) await gate.engine.approvals.addRule(TENANT, { toolName: "gate" });

  const result = await gate.send({ message: "Go." });

  expect(result.status).toBe(passes ? "Completed" : "AwaitingApproval");
  expect(gate.ledger).toEqual(passes ? ["gate(1)"] : []);
});

it.each<[string, unknown, boolean]>([
  ["true", true, false],
  ["a no", () => false, true],
  ["a yes", ({ x }: { x: number }) => x === 1, false],
  ["nothing", () => undefined, false],
  [
    "an exception",
    () => {
      throw new Error("no");
    },
    false,
  ],
])("keeps what the SDK's own tool asks for: %s", async (_, needsApproval, passes) => {
  const sdk = tool({ inputSchema: z.object({ x: z.number() }), execute: () => "ran" }) as Tool;
  const { send } = await gated([{ toolCalls: [{ name: "sdk", input: { x: 1 } }] }, "Done."], {
    tools: { sdk: { ...sdk, needsApproval } as Tool },
  });

  const result = await send({ message: "Go." });

  expect(result.status).toBe(passes ? "Completed" : "AwaitingApproval");
});

it("asks for every call of an agent that approves none by itself", async () => {
  const harness = {
    disableToolAutoApproval: true,
    disableCompaction: true,
    disableTodoProvider: true,
    disableAgentModeProvider: true,
  };
  const gate = await gated([{ toolCalls: [{ name: "count", input: { x: 1 } }] }], {
    agent: { harness },
  });
  await gate.engine.approvals.addRule(TENANT, { toolName: "count" });

  const result = await gate.send({ message: "Go." });

  expect(result.status).toBe("AwaitingApproval");
  expect(gate.ledger).toEqual([]);
});

it("asks when the rules cannot be read", async () => {
  const gate = await gated([calling(1)], {
    rulesFor: () => Promise.reject(new Error("no store")),
  });

  expect((await gate.send({ message: "Go." })).status).toBe("AwaitingApproval");
});

it.each(['{"x":"lots"}', '{"x":1e999}', '{"x":null}', "{}", "{bad", '{"x":[1]}'])(
  "runs nothing and asks nobody for arguments like %s",
  async (inputText) => {
    const asked: unknown[] = [];
    const gate = await gated([{ toolCalls: [{ name: "gate", inputText }] }, "Sorry."], {
      gatePolicy: (call) => {
        asked.push(call.arguments);
        return "NotRequired";
      },
    });

    const result = await gate.send({ message: "Go." });

    expect(result.status).toBe("Completed");
    expect([gate.ledger, asked]).toEqual([[], []]);
  },
);

it("decides on the very arguments it runs, also when a name stands there twice", async () => {
  const inputText = '{"x":5,"x":500}';
  const gate = await gated([{ toolCalls: [{ name: "gate", inputText }] }, "Done."], {
    gatePolicy: ({ arguments: value }) =>
      (value as { x: number }).x > 100 ? "Required" : "NotRequired",
  });

  const stopped = await gate.send({ message: "Go.", sessionId: "s" });
  const [approval] = stopped.approvals ?? [];
  const approvals = [{ requestId: approval?.requestId, approved: true }];
  await gate.send({ sessionId: "s", approvals });

  expect(approval?.arguments).toBe('{"x":500}');
  expect(gate.ledger).toEqual(["gate(500)"]);
});

it("tells calls apart that a provider gave one id", async () => {
  const call = (x: number) => ({ name: "gate", input: { x }, id: "c0" });
  const gate = await gated([{ toolCalls: [call(1), call(2)] }, { toolCalls: [call(3)] }, "Done."]);
  await gate.send({ message: "Go.", sessionId: "s" });
  const [one, two] = await gate.waiting();
  await gate.engine.approvals.decide(TENANT, two?.id ?? "", { approved: true });
  await gate.engine.approvals.decide(TENANT, one?.id ?? "", { approved: false });
  await gate.ended(one?.continuationRunId ?? "");
  const [three] = await gate.waiting();

  await gate.engine.approvals.decide(TENANT, three?.id ?? "", { approved: true });
  await gate.ended(three?.continuationRunId ?? "");

  expect(new Set([one?.id, two?.id, three?.id]).size).toBe(3);
  expect(gate.ledger).toEqual(["gate(2)", "gate(3)"]);
});

const calling = (x: number): ScriptedModelTurn => ({ toolCalls: [{ name: "gate", input: { x } }] });

type Parts = Partial<GatedEngineOptions> & {
  readonly gatePolicy?: Policy;
  readonly rulesFor?: () => Promise<never>;
};

async function gated(
  script: GatedEngineOptions["script"],
  { gatePolicy, rulesFor, ...options }: Parts = {},
) {
  const opened = await openStores("memory:");
  onTestFinished(() => opened.close());
  const stores =
    rulesFor === undefined ? opened : { ...opened, approvals: { ...opened.approvals, rulesFor } };
  const gate = await startGatedEngine({
    ...options,
    ...(gatePolicy === undefined ? {} : { gatePolicy }),
    stores,
    script,
  });
  onTestFinished(() => gate.engine.close({ graceMs: 0 }));
  return gate;
}
