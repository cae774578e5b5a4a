/** That two processes on one database lose no run of each other's in the sums. */

import type { CriterionTally, RunRecord, Stores } from "@tracon/core";
import { storeMatrix } from "@tracon/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStores } from "./open-stores.ts";

const TENANT = "tenant";
const PROCESSES = 3;
const BATCHES = 40;
const RUNS_OF_A_BATCH = 5;

const shared = storeMatrix().filter(({ engine }) => engine !== "memory");

describe.each(shared)("statistics of several processes on $engine", ({ newUrl }) => {
  it("counts every run once, whoever ends it", async () => {
    const url = await newUrl();
    const processes: Stores[] = [];
    for (let number = 0; number < PROCESSES; number++) {
      const stores = await openStores(url);
      processes.push(stores);
      onTestFinished(() => stores.close());
    }

    await Promise.all(processes.map((stores, number) => endRuns(stores, number)));

    const total = PROCESSES * BATCHES * RUNS_OF_A_BATCH;
    const counted = await processes[0]?.statistics.statistics(TENANT, {}, { maxRows: 9 });
    expect(counted).toMatchObject({ totalRuns: total, completedRuns: total, inputTokens: total });
    expect(counted?.byAgent.map(({ totalRuns }) => totalRuns)).toEqual([total / 2, total / 2]);
    const [tool] = (await processes[1]?.runs.toolUsage(TENANT, { maxTools: 9 })) ?? [];
    expect(tool).toMatchObject({ toolName: "look", totalCalls: total });
    const criteria = await processes[2]?.statistics.criteria(TENANT, {}, { maxRows: 9 });
    expect(criteria).toMatchObject([
      { agentName: "agent-0", evaluations: total, decisive: total / 2, totalCost: total / 4 },
      { agentName: "agent-1", evaluations: total, decisive: total / 2, totalCost: total / 4 },
    ]);
  });
});

async function endRuns({ journal }: Stores, number: number): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    await journal.commit(
      Array.from({ length: RUNS_OF_A_BATCH }, (_, index) => {
        const id = `${number}-${batch}-${index}`;
        const opened = record(id, (batch + index + number) % 2);
        const changed = {
          status: "Completed" as const,
          eventCount: 0,
          usage: { inputTokens: 1 },
        };
        const lastCalledAt = opened.startedAt;
        const call = { toolName: "look", calls: 1, failedCalls: 0, durationMs: 1, lastCalledAt };
        return {
          tenantId: TENANT,
          runId: id,
          opened: { record: opened },
          changed,
          tally: {
            record: { ...opened, ...changed },
            isUnpriced: true,
            toolCalls: [call],
            criteria: [criterion],
          },
        };
      }),
    );
  }
}

const criterion: CriterionTally = {
  ...{ kind: "aiJudge", position: 0, continued: 1, stopped: 1, failed: 0, decisive: 1 },
  ...{ reviewerRuns: 0, judgeCalls: 2, unpricedCalls: 0 },
  costs: [{ currency: "USD", totalCost: 0.5 }],
};

const record = (id: string, agent: number): RunRecord => ({
  id,
  agentName: `agent-${agent}`,
  kind: "Agent",
  status: "Running",
  startedAt: "2026-01-01T00:00:00.000Z",
  isStreaming: false,
  eventCount: 0,
  depth: 0,
  childRunCount: 0,
});
