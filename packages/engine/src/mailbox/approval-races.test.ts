/** Decisions at the same moment, from several processes, and across their ends. */

import { type Stores, TraconError } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  type Effect,
  type GatedEngine,
  type ScriptedModelTurn,
  type ScriptedStep,
  startGatedEngine,
  storeMatrix,
} from "@tracon/testing";
import { describe, expect, it, onTestFinished } from "vitest";

const TENANT = "default";
const ROUNDS = 4;
const DECIDERS = 50;

const engines = storeMatrix().filter(({ engine }) => engine !== "memory");

describe.each(engines)("approvals on $engine", ({ newUrl }) => {
  it(`runs a call once for ${DECIDERS} deciders in two processes, with one run that goes on`, async () => {
    const { first, second, ledger } = await twoProcesses(await newUrl());

    for (let round = 1; round <= ROUNDS; round++) {
      await first.send({ message: "Go.", sessionId: `s${round}` });
      const [{ id = "", continuationRunId = "" } = {}] = await first.waiting();
      const answers = await Promise.all(
        Array.from({ length: DECIDERS }, (_, index) =>
          (index % 2 === 0 ? first : second).engine.approvals.decide(TENANT, id, {
            approved: true,
          }),
        ),
      );
      await first.ended(continuationRunId);

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["Approved"]));
      expect(ledger).toHaveLength(round);
      const runs = await first.engine.runs.list(
        TENANT,
        { sessionId: `s${round}` },
        { skip: 0, take: 10 },
      );
      expect(runs.map(({ status }) => status)).toEqual(["Completed", "AwaitingApproval"]);
    }
  });

  it("lets one of yes and no win, and all answers agree with it", async () => {
    const { first, second, ledger } = await twoProcesses(await newUrl());
    await first.send({ message: "Go.", sessionId: "s" });
    const [{ id = "", continuationRunId = "" } = {}] = await first.waiting();

    const answers = await Promise.allSettled(
      Array.from({ length: DECIDERS }, (_, index) =>
        (index % 2 === 0 ? first : second).engine.approvals.decide(TENANT, id, {
          approved: index % 4 < 2,
        }),
      ),
    );
    await first.ended(continuationRunId);

    const { status } = await second.engine.approvals.get(TENANT, id);
    expect(ledger).toHaveLength(status === "Approved" ? 1 : 0);
    for (const [index, answer] of answers.entries()) {
      const agrees = index % 4 < 2 === (status === "Approved");
      expect(answer.status).toBe(agrees ? "fulfilled" : "rejected");
      if (answer.status === "rejected") expect(codeOf(answer.reason)).toBe("approval_conflict");
    }
  });

  it("runs a call once when the same request comes 20 times at once", async () => {
    const { first, second, ledger } = await twoProcesses(await newUrl());
    const stopped = await first.send({ message: "Go.", sessionId: "s" });
    const approvals = stopped.approvals?.map(({ requestId }) => ({ requestId, approved: true }));

    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? first : second).send({ sessionId: "s", approvals }),
      ),
    );

    const taken = answers.filter(({ status }) => status === "fulfilled");
    expect(taken).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === "rejected") expect(codeOf(answer.reason)).toBe("approval_conflict");
    }
    expect(ledger).toEqual(["gate(1)"]);
  });

  it("gives the call to a decision, a request or a message, and to one of them only", async () => {
    const { first, second, ledger } = await twoProcesses(await newUrl());

    for (let round = 1; round <= ROUNDS; round++) {
      const sessionId = `s${round}`;
      const before = ledger.length;
      const stopped = await first.send({ message: "Go.", sessionId });
      const requestId = stopped.approvals?.[0]?.requestId ?? "";
      await Promise.allSettled([
        second.engine.approvals.decide(TENANT, requestId, { approved: true }),
        first.send({ sessionId, approvals: [{ requestId, approved: true }] }),
        second.send({ sessionId, message: "Never mind." }),
        first.engine.runs.cancel(TENANT, stopped.runId),
      ]);

      const approval = await first.engine.approvals.get(TENANT, requestId);
      const runs = await first.engine.runs.list(TENANT, { sessionId }, { skip: 0, take: 10 });
      const continued = runs.filter((run) => run.continuedFromRunId !== undefined);
      expect(continued).toHaveLength(1);
      await first.ended(continued[0]?.id ?? "");
      expect(ledger.length - before).toBe(approval.status === "Approved" ? 1 : 0);
    }
  });

  it("finishes an interrupted hand-over when the same decision comes again", async () => {
    const url = await newUrl();
    const ledger: Effect[] = [];
    const before = await process(url, [calling(1)], ledger, refusingRuns);
    await before.send({ message: "Go.", sessionId: "s" });
    const [{ id = "", continuationRunId = "" } = {}] = await before.waiting();
    refused.add(continuationRunId);
    await before.engine.approvals.decide(TENANT, id, { approved: true });
    const between = [...ledger];
    await before.engine.close({ graceMs: 0 });
    const after = await process(url, ["Done."], ledger);

    const decided = await after.engine.approvals.decide(TENANT, id, { approved: true });
    await after.ended(continuationRunId);
    await after.engine.approvals.decide(TENANT, id, { approved: true });

    expect(between).toEqual([]);
    expect(decided.status).toBe("Approved");
    expect(ledger).toEqual(["gate(1)"]);
    expect(
      await codeOfRejected(after.engine.approvals.decide(TENANT, id, { approved: false })),
    ).toBe("approval_conflict");
  });

  it("decides three calls across a restart and two processes, and runs what was approved once", async () => {
    const url = await newUrl();
    const ledger: Effect[] = [];
    const before = await process(url, [calling(1, 2, 3)], ledger);
    await before.send({ message: "Go.", sessionId: "s" });
    const [one] = await before.waiting();
    await before.engine.approvals.decide(TENANT, one?.id ?? "", { approved: true });
    await before.engine.close({ graceMs: 0 });
    const [left, right] = [
      await process(url, ["Done."], ledger),
      await process(url, ["Done."], ledger),
    ];
    const [two, three] = await left.waiting();

    await Promise.all([
      left.engine.approvals.decide(TENANT, two?.id ?? "", { approved: false, reason: "not 2" }),
      right.engine.approvals.decide(TENANT, three?.id ?? "", { approved: true }),
    ]);
    await left.ended(one?.continuationRunId ?? "");

    expect(ledger).toEqual(["gate(1)", "gate(3)"]);
    expect(await left.waiting()).toEqual([]);
  });

  it("does not run what was taken by a process that ended before it ran it", async () => {
    const url = await newUrl();
    const ledger: Effect[] = [];
    const before = await process(url, [calling(1)], ledger);
    const { runId } = await before.send({ message: "Go.", sessionId: "s" });
    const [{ id = "", continuationRunId = "" } = {}] = await before.waiting();
    await before.engine.approvals.decide(TENANT, id, { approved: true });
    await before.ended(continuationRunId).catch(() => undefined);
    const once = [...ledger];
    await before.engine.close({ graceMs: 0 });
    const after = await process(url, ["Hi."], ledger);

    await after.engine.approvals.scan();
    await after.engine.approvals.decide(TENANT, id, { approved: true });
    await after.send({ message: "Hello.", sessionId: "s" });

    expect(once).toEqual(["gate(1)"]);
    expect(ledger).toEqual(once);
    expect(await after.engine.runs.get(TENANT, runId)).toMatchObject({
      status: "AwaitingApproval",
    });
  });
});

/** Runs whose first entry the store does not take, as when the process ends right before it. */
const refused = new Set<string>();

const refusingRuns = (stores: Stores): Stores => ({
  ...stores,
  journal: {
    async commit(batch) {
      if (batch.some(({ runId }) => refused.has(runId))) {
        throw new TraconError("store_unavailable", "gone");
      }
      return stores.journal.commit(batch);
    },
  },
});

async function twoProcesses(url: string) {
  const ledger: Effect[] = [];
  const script: ScriptedStep[] = Array.from({ length: 40 }, () => answering);
  const first = await process(url, script, ledger);
  const second = await process(url, script, ledger);
  return { first, second, ledger };
}

/** Asks for the call in the first turn of a session and says something in every other. */
const answering: ScriptedStep = ({ prompt }) =>
  prompt.some(({ role }) => role === "tool") ? "Done." : calling(1);

const calling = (...xs: readonly number[]): ScriptedModelTurn => ({
  toolCalls: xs.map((x) => ({ name: "gate", input: { x } })),
});

async function process(
  url: string,
  script: readonly ScriptedStep[],
  ledger: Effect[],
  around: (stores: Stores) => Stores = (it) => it,
): Promise<GatedEngine> {
  const stores = await openStores(url);
  const gate = await startGatedEngine({ stores: around(stores), script, ledger });
  onTestFinished(async () => {
    await gate.engine.close({ graceMs: 0 });
    await stores.close();
  });
  return gate;
}

const codeOf = (error: unknown) => (TraconError.is(error) ? error.code : error);

const codeOfRejected = (promise: Promise<unknown>) => promise.then(() => undefined, codeOf);
