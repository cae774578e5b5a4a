import assert from "node:assert/strict";
import { type ApprovalClaim, TraconError } from "@tracon/core";
import type { ContractCase, ContractSubject } from "./contract.ts";
import {
  approval,
  EXPIRES_AT,
  entry,
  events,
  newTenant,
  opening,
  runIds,
  runRecord,
  STARTED_AT,
  stop,
} from "./fixtures.ts";

const IN_TIME = "2026-01-01T12:00:00.000Z";
const CLAIMANTS = 20;

/** What `RunJournal` promises of the approvals it opens and the decisions it takes. */
export const approvalWriteContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...openingCases(subject),
  ...claimCases(subject),
  ...raceCases(subject),
];

const openingCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "opens approvals with the entry that ends their run, and reads them in call order",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      const presentation = { entityName: "Order 3", message: "Refund 5 €?" };
      const opened = [
        approval(tenant, "a2", { runId: id, position: 2, callId: "" }),
        approval(tenant, "a0", { runId: id, position: 0, presentation }),
        approval(tenant, "a1", { runId: id, position: 1, arguments: '"a\\u0000b"' }),
      ];

      await stores.journal.commit([stop(tenant, id, opened)]);

      assert.deepEqual(await stores.approvals.get(tenant, "a0"), opened[1]);
      const ofRun = await stores.approvals.ofRun(tenant, id);
      assert.deepEqual(ofRun, [opened[1], opened[2], opened[0]]);
      assert.deepEqual(await stores.approvals.openOfSession(tenant, "s"), ofRun);
      assert.equal((await stores.runs.get(tenant, id))?.status, "AwaitingApproval");
    },
  },
  {
    name: "opens no approval when the entry is refused",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await stores.journal.commit([stop(tenant, id, [])]);

      const again = entry(tenant, id, {
        events: events(2, "more"),
        approvals: { opened: [approval(tenant, "a", { runId: id })] },
      });
      await assert.rejects(stores.journal.commit([again]));

      assert.equal(await stores.approvals.get(tenant, "a"), undefined);
    },
  },
];

type ClaimTrial = {
  readonly name: string;
  readonly claim: Partial<ApprovalClaim>;
  readonly decided?: "Approved" | "Rejected" | "Expired";
  readonly isTaken: boolean;
};

const CLAIM_TRIALS: readonly ClaimTrial[] = [
  { name: "a decision that comes with it", claim: {}, isTaken: true },
  { name: "a refusal that comes with it", claim: { status: "Rejected" }, isTaken: true },
  { name: "an approval that comes too late", claim: { decidedAt: EXPIRES_AT }, isTaken: false },
  {
    name: "a refusal that comes too late, which changes nothing for the worse",
    claim: { status: "Rejected", decidedAt: EXPIRES_AT },
    isTaken: true,
  },
  {
    name: "an approval made before",
    claim: { expected: "Approved" },
    decided: "Approved",
    isTaken: true,
  },
  {
    name: "an approval made before, however late it is by now",
    claim: { expected: "Approved", decidedAt: EXPIRES_AT },
    decided: "Approved",
    isTaken: true,
  },
  {
    name: "an expired one as refused",
    claim: { expected: "Expired", status: "Expired" },
    decided: "Expired",
    isTaken: true,
  },
  {
    name: "one that was refused before",
    claim: { expected: "Approved" },
    decided: "Rejected",
    isTaken: false,
  },
  { name: "one that nobody approved", claim: { expected: "Approved" }, isTaken: false },
  { name: "one decided in between", claim: {}, decided: "Approved", isTaken: false },
  { name: "one that expired in between", claim: {}, decided: "Expired", isTaken: false },
  { name: "one that is not there", claim: { approvalId: "other" }, isTaken: false },
];

const claimCases = (subject: ContractSubject): readonly ContractCase[] =>
  CLAIM_TRIALS.map(({ name, claim, decided, isTaken }) => ({
    name: `${isTaken ? "takes" : "refuses, with the whole entry, to take"} ${name}`,
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = "", next = ""] = runIds(2);
      await stores.journal.commit([stop(tenant, id, [approval(tenant, "a", { runId: id })])]);
      if (decided !== undefined) {
        const change = { status: decided, decidedAt: IN_TIME };
        assert.equal(await stores.approvals.decide(tenant, "a", change), true);
      }

      const commit = stores.journal.commit([continuation(tenant, next, claim)]);

      if (isTaken) await commit;
      else await assert.rejects(commit, isConflict);
      const stored = await stores.approvals.get(tenant, "a");
      assert.equal(stored?.claimedByRunId, isTaken ? next : undefined);
      assert.equal((await stores.runs.get(tenant, next)) !== undefined, isTaken);
    },
  }));

const raceCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: `lets one of ${CLAIMANTS} runs take a decision, whichever stores they write through`,
    async run() {
      const stores = await subject.stores();
      const others = (await subject.beside?.()) ?? stores;
      const tenant = newTenant();
      const [id = "", ...claimants] = runIds(CLAIMANTS + 1);
      const opened = ["a", "b", "c"].map((each, position) =>
        approval(tenant, each, { runId: id, position }),
      );
      await stores.journal.commit([stop(tenant, id, opened)]);

      const commits = claimants.map((runId, index) =>
        (index % 2 === 0 ? stores : others).journal.commit([
          opening(tenant, runRecord(runId), {
            approvals: { claimed: opened.map((it) => claimOf({ approvalId: it.id })) },
          }),
        ]),
      );
      const outcomes = await Promise.allSettled(commits);

      const taken = claimants.filter((_, index) => outcomes[index]?.status === "fulfilled");
      assert.equal(taken.length, 1);
      for (const { id: each } of opened) {
        assert.equal((await stores.approvals.get(tenant, each))?.claimedByRunId, taken[0]);
      }
      for (const runId of claimants) {
        const isThere = (await stores.runs.get(tenant, runId)) !== undefined;
        assert.equal(isThere, runId === taken[0]);
      }
    },
  },
  {
    name: "does not let the decision of another tenant be taken",
    async run() {
      const stores = await subject.stores();
      const [tenant, other] = [newTenant(), newTenant()];
      const [id = "", next = ""] = runIds(2);
      await stores.journal.commit([stop(tenant, id, [approval(tenant, "a", { runId: id })])]);

      await assert.rejects(stores.journal.commit([continuation(other, next, {})]), isConflict);

      assert.equal((await stores.approvals.get(tenant, "a"))?.status, "Pending");
    },
  },
  {
    name: "takes all decisions of an entry or none",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const [id = "", next = ""] = runIds(2);
      const opened = ["a", "b"].map((each, position) =>
        approval(tenant, each, { runId: id, position }),
      );
      await stores.journal.commit([stop(tenant, id, opened)]);
      await stores.approvals.decide(tenant, "b", { status: "Rejected", decidedAt: IN_TIME });

      const both = opening(tenant, runRecord(next), {
        approvals: { claimed: ["a", "b"].map((approvalId) => claimOf({ approvalId })) },
      });
      await assert.rejects(stores.journal.commit([both]), isConflict);

      assert.equal((await stores.approvals.get(tenant, "a"))?.status, "Pending");
    },
  },
];

const isConflict = (error: unknown): boolean => TraconError.is(error, "approval_conflict");

const claimOf = (over: Partial<ApprovalClaim>): ApprovalClaim => ({
  approvalId: "a",
  expected: "Pending",
  status: "Approved",
  decidedBy: "ada",
  decidedAt: STARTED_AT,
  reason: "fine",
  ...over,
});

const continuation = (tenant: string, runId: string, over: Partial<ApprovalClaim>) =>
  opening(tenant, runRecord(runId), {
    events: events(0, "start"),
    approvals: { claimed: [claimOf(over)] },
  });
