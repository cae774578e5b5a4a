import assert from "node:assert/strict";
import type { ApprovalChange, ToolApprovalRule } from "@tracon/core";
import type { ContractCase, ContractStores, ContractSubject } from "./contract.ts";
import { approval, EXPIRES_AT, newTenant, runIds, STARTED_AT, stop } from "./fixtures.ts";

const IN_TIME = "2026-01-01T12:00:00.000Z";
const LATER = "2026-01-03T00:00:00.000Z";
const DECIDERS = 50;
const ROUNDS = 4;

/** What `ApprovalStore` promises. */
export const approvalStoreContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...decisionCases(subject),
  ...raceCases(subject),
  ...expiryCases(subject),
  ...ruleCases(subject),
  ...(subject.reopened === undefined ? [] : reopeningCases(subject, subject.reopened)),
];

const decisionCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "keeps a decision with who made it, when and why",
    async run() {
      const { stores, tenant } = await waiting(subject, ["a", "b"]);

      const change: ApprovalChange = {
        status: "Rejected",
        decidedBy: "ada",
        decidedAt: IN_TIME,
        reason: "use ticket 7 instead",
      };
      assert.equal(await stores.approvals.decide(tenant, "a", change), true);

      const decided = await stores.approvals.get(tenant, "a");
      assert.deepEqual({ ...decided }, { ...decided, ...change });
      assert.deepEqual(await idsOf(stores.approvals.pending(tenant, { take: 10, now: IN_TIME })), [
        "b",
      ]);
      assert.deepEqual(await idsOf(stores.approvals.openOfSession(tenant, "s")), ["a", "b"]);
    },
  },
  {
    name: "changes a decision by nobody and nothing",
    async run() {
      const { stores, tenant } = await waiting(subject, ["a"]);
      await stores.approvals.decide(tenant, "a", { status: "Rejected", decidedAt: IN_TIME });

      for (const status of ["Approved", "Rejected", "Expired"] as const) {
        const change = { status, decidedAt: IN_TIME };
        assert.equal(await stores.approvals.decide(tenant, "a", change), false);
      }
      assert.equal((await stores.approvals.get(tenant, "a"))?.status, "Rejected");
    },
  },
  {
    name: "decides nothing of another tenant, nothing unknown and nothing expired",
    async run() {
      const { stores, tenant } = await waiting(subject, ["a"]);
      const yes = { status: "Approved", decidedAt: IN_TIME } as const;

      assert.equal(await stores.approvals.decide(newTenant(), "a", yes), false);
      assert.equal(await stores.approvals.decide(tenant, "A", yes), false);
      const late = { ...yes, decidedAt: EXPIRES_AT };
      assert.equal(await stores.approvals.decide(tenant, "a", late), false);
      assert.equal((await stores.approvals.get(tenant, "a"))?.status, "Pending");
      assert.equal(await stores.approvals.get(newTenant(), "a"), undefined);
    },
  },
  {
    name: "closes what is pending of a run and leaves what was decided",
    async run() {
      const { stores, tenant, runId } = await waiting(subject, ["a", "b", "c"]);
      await stores.approvals.decide(tenant, "b", { status: "Approved", decidedAt: IN_TIME });

      const change = { status: "Rejected", decidedAt: LATER, reason: "canceled" } as const;
      assert.equal(await stores.approvals.closeRun(newTenant(), runId, change), 0);
      assert.equal(await stores.approvals.closeRun(tenant, runId, change), 2);

      const statuses = (await stores.approvals.ofRun(tenant, runId)).map(({ status }) => status);
      assert.deepEqual(statuses, ["Rejected", "Approved", "Rejected"]);
    },
  },
  {
    name: "lists what is pending, oldest first and page by page",
    async run() {
      const { stores, tenant } = await waiting(subject, ["e", "b", "d", "a", "c"]);

      const first = await idsOf(stores.approvals.pending(tenant, { take: 2, now: IN_TIME }));
      const second = await idsOf(
        stores.approvals.pending(tenant, { take: 9, after: "b", now: IN_TIME }),
      );

      assert.deepEqual(
        [first, second],
        [
          ["a", "b"],
          ["c", "d", "e"],
        ],
      );
      assert.deepEqual(await stores.approvals.pending(newTenant(), { take: 9, now: IN_TIME }), []);
      assert.deepEqual(await stores.approvals.pending(tenant, { take: 0, now: IN_TIME }), []);
      assert.deepEqual(await stores.approvals.pending(tenant, { take: 9, now: EXPIRES_AT }), []);
    },
  },
];

const raceCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: `lets one of ${DECIDERS} deciders decide, whichever stores they use, and all read the same`,
    async run() {
      for (let round = 0; round < ROUNDS; round++) {
        const { stores, tenant } = await waiting(subject, ["a"]);
        const others = (await subject.beside?.()) ?? stores;

        const decisions = Array.from({ length: DECIDERS }, (_, index) =>
          (index % 2 === 0 ? stores : others).approvals.decide(tenant, "a", {
            status: index % 4 < 2 ? "Approved" : "Rejected",
            decidedBy: `decider-${index}`,
            decidedAt: IN_TIME,
          }),
        );
        const changed = await Promise.all(decisions);

        assert.equal(changed.filter(Boolean).length, 1);
        const winner = changed.indexOf(true);
        const seen = await stores.approvals.get(tenant, "a");
        assert.equal(seen?.decidedBy, `decider-${winner}`);
        assert.deepEqual(await others.approvals.get(tenant, "a"), seen);
      }
    },
  },
];

const expiryCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "marks what is due, at most so many, and nothing twice",
    async run() {
      const { stores, tenant } = await waiting(subject, ["a", "b", "c"]);
      const mine = (list: readonly { tenantId: string; id: string }[]) =>
        list.filter(({ tenantId }) => tenantId === tenant).map(({ id }) => id);
      await stores.approvals.decide(tenant, "b", { status: "Approved", decidedAt: IN_TIME });

      const early = await stores.approvals.expire(IN_TIME, 1_000);
      const due: string[] = [];
      for (;;) {
        const marked = await stores.approvals.expire(EXPIRES_AT, 1);
        assert.ok(marked.length <= 1);
        if (marked.length === 0) break;
        due.push(...mine(marked));
      }

      assert.deepEqual(mine(early), []);
      assert.deepEqual(due.sort(), ["a", "c"]);
      assert.equal((await stores.approvals.get(tenant, "a"))?.status, "Expired");
      assert.equal((await stores.approvals.get(tenant, "b"))?.status, "Approved");
    },
  },
  {
    name: "finds decisions that no run has taken for a while",
    async run() {
      const { stores, tenant } = await waiting(subject, ["a", "b"]);
      await stores.approvals.decide(tenant, "a", { status: "Approved", decidedAt: IN_TIME });

      const ranges = [
        { after: STARTED_AT, before: LATER },
        { after: STARTED_AT, before: IN_TIME },
        { after: IN_TIME, before: LATER },
      ];
      const found = await Promise.all(
        ranges.map((range) => stores.approvals.unclaimed(range, 1_000_000)),
      );

      const mine = found.map((list) =>
        list.filter(({ tenantId }) => tenantId === tenant).map(({ id }) => id),
      );
      assert.deepEqual(mine, [["a"], [], []]);
    },
  },
];

const ruleCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "keeps standing rules and finds those of a tool for an agent",
    async run() {
      const { approvals } = await subject.stores();
      const tenant = newTenant();
      const rules = [
        rule(tenant, "1", { agentName: "support", argumentsHash: "00ff" }),
        rule(tenant, "2", {
          argumentConditions: [{ path: "a.b", operator: "In", value: ["x", 1, null] }],
          createdBy: "ada",
        }),
        rule(tenant, "3", { agentName: "other" }),
        rule(tenant, "4", { toolName: "Refund" }),
      ];
      for (const each of rules) await approvals.addRule(each);

      assert.deepEqual(await approvals.rules(tenant, { take: 9 }), rules);
      assert.deepEqual(await approvals.rules(tenant, { take: 2, after: "1" }), rules.slice(1, 3));
      const found = await approvals.rulesFor(tenant, "support", "refund");
      assert.deepEqual(
        [...found].sort((a, b) => (a.id < b.id ? -1 : 1)),
        rules.slice(0, 2),
      );
      assert.deepEqual(await approvals.rulesFor(newTenant(), "support", "refund"), []);
    },
  },
  {
    name: "removes a rule once, and none of another tenant",
    async run() {
      const { approvals } = await subject.stores();
      const tenant = newTenant();
      await approvals.addRule(rule(tenant, "1"));

      assert.equal(await approvals.removeRule(newTenant(), "1"), false);
      assert.equal(await approvals.removeRule(tenant, "1"), true);
      assert.equal(await approvals.removeRule(tenant, "1"), false);
      assert.deepEqual(await approvals.rules(tenant, { take: 9 }), []);
    },
  },
  {
    name: "saves a rule with the decision that asks for it, or not at all",
    async run() {
      const { stores, tenant } = await waiting(subject, ["a"]);
      const change = (id: string): ApprovalChange => ({
        status: "Approved",
        decidedAt: IN_TIME,
        rule: rule(tenant, id),
      });

      await stores.approvals.decide(tenant, "a", change("1"));
      await stores.approvals.decide(tenant, "a", change("2"));

      const kept = await stores.approvals.rules(tenant, { take: 9 });
      assert.deepEqual(
        kept.map(({ id }) => id),
        ["1"],
      );
    },
  },
];

const reopeningCases = (
  subject: ContractSubject,
  reopened: NonNullable<ContractSubject["reopened"]>,
): readonly ContractCase[] => [
  {
    name: "knows decisions and rules after the stores were closed",
    async run() {
      const { stores, tenant, runId } = await waiting(subject, ["a", "b"]);
      const change = { status: "Approved", decidedAt: IN_TIME, rule: rule(tenant, "1") } as const;
      await stores.approvals.decide(tenant, "a", change);
      const before = await stores.approvals.ofRun(tenant, runId);

      const { approvals } = await reopened();

      assert.deepEqual(await approvals.ofRun(tenant, runId), before);
      assert.deepEqual(await approvals.rules(tenant, { take: 9 }), [change.rule]);
    },
  },
];

/** A run that waits for decisions with these ids, in a tenant of its own. */
async function waiting(subject: ContractSubject, ids: readonly string[]) {
  const stores: ContractStores = await subject.stores();
  const tenant = newTenant();
  const [runId = ""] = runIds(1);
  const opened = ids.map((id, position) => approval(tenant, id, { runId, position }));
  await stores.journal.commit([stop(tenant, runId, opened)]);
  return { stores, tenant, runId };
}

const idsOf = async (list: Promise<readonly { readonly id: string }[]>) =>
  (await list).map(({ id }) => id);

const rule = (
  tenantId: string,
  id: string,
  over: Partial<ToolApprovalRule> = {},
): ToolApprovalRule => ({
  id,
  tenantId,
  toolName: "refund",
  argumentConditions: [],
  createdAt: STARTED_AT,
  ...over,
});
