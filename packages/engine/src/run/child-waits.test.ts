import { setImmediate } from "node:timers/promises";
import { tool } from "@ai-sdk/provider-utils";
import type { LanguageModel } from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { childWaits } from "./child-waits.ts";

const TENANT = "default";
const MINUTE = 60_000;

it.each([
  { given: {}, waits: [120_000, 150_000] },
  { given: { childDeadlineMs: 10_000 }, waits: [10_000, 150_000] },
  { given: { childDeadlineMs: 300_000 }, waits: [300_000, 330_000] },
  { given: { waitTimeoutMs: 20_000 }, waits: [15_000, 20_000] },
  { given: { childDeadlineMs: 10_000, waitTimeoutMs: 20_000 }, waits: [10_000, 20_000] },
  { given: { childDeadlineMs: 0, waitTimeoutMs: -1 }, waits: [Infinity, Infinity] },
])("reads the waits of $given", covers("child-wait.host-defaults"), ({ given, waits }) => {
  const { deadlineMs, cutoffMs } = childWaits(given);

  expect([deadlineMs, cutoffMs]).toEqual(waits);
});

it(
  "prefers what the agent says to what the installation says",
  covers("child-wait.settings-override"),
  () => {
    const installation = childWaits({ childDeadlineMs: 1_000, waitTimeoutMs: 2_000 });

    expect(childWaits({}, installation)).toEqual({ deadlineMs: 1_000, cutoffMs: 2_000 });
    expect(childWaits({ childDeadlineMs: 500 }, installation).deadlineMs).toBe(500);
  },
);

it(
  "stops a child that listens at its deadline, and tells which layer it was",
  covers(
    "child-wait.cooperative-deadline",
    "child-wait.timeout-event",
    "child-wait.timeout-event-names-layer",
    "call-mode.wait-limits-apply",
  ),
  async () => {
    const { clock, started, seen, result, calls, children } = await waiting({
      helper: [{ text: "thinking ", ends: "hang" }],
    });
    await seen("helper", "MessageDelta");

    clock.advance(MINUTE);

    expect((await result).output).toBe("Without it, then.");
    expect(calls.root?.[1]).toContain(
      "Agent 'helper' could not complete: it did not finish within its limit of 60 s and was stopped.",
    );
    expect(await children()).toMatchObject([{ status: "Canceled" }]);
    expect(await timeouts(started)).toMatchObject([
      { text: "helper", payload: { hardCutoff: false } },
    ]);
  },
);

it(
  "goes on without a child that does not listen, and books what it still does",
  covers(
    "child-wait.hard-cutoff",
    "child-wait.tree-continues-after-cutoff",
    "child-wait.child-continues-after-cutoff",
    "child-wait.late-result-discarded",
  ),
  async () => {
    const late = Promise.withResolvers<string>();
    const { clock, started, reached, result, calls, children, engine, runId } = await waiting({
      helper: [{ toolCalls: [{ name: "deaf" }], usage: { inputTokens: 10, outputTokens: 5 } }],
      deaf: () => late.promise,
    });
    await reached;

    clock.advance(MINUTE);
    await setImmediate();
    clock.advance(MINUTE);

    expect((await result).output).toBe("Without it, then.");
    expect(calls.root?.[1]).toContain(
      "it did not finish within 120 s and is waited for no longer.",
    );
    expect(await timeouts(started)).toMatchObject([
      { text: "helper", payload: { hardCutoff: true } },
    ]);
    expect(await children()).toMatchObject([{ status: "Running" }]);

    late.resolve("too late");
    const [ended] = await untilEnded(children);

    expect(ended).toMatchObject({
      status: "Canceled",
      usage: { inputTokens: 10, outputTokens: 5 },
    });
    expect(await timeouts(started)).toHaveLength(1);
    expect((await engine.runs.get(TENANT, runId)).budget).toMatchObject({ reservedTokens: 0 });
  },
);

it("cancels a child that nobody waits for any more when its root is canceled by a person", async () => {
  const { clock, reached, children, engine, runId, seen, result } = await waiting({
    root: ["ask", { text: "going on ", ends: "hang" }],
    helper: [{ toolCalls: [{ name: "deaf" }] }],
    deaf: () => new Promise(() => undefined),
  });
  await reached;
  clock.advance(MINUTE);
  await setImmediate();
  clock.advance(MINUTE);
  await seen("agent", "MessageDelta");

  await engine.runs.cancel(TENANT, runId);
  await result;

  expect(await untilEnded(children)).toMatchObject([{ status: "Canceled" }]);
});

it("counts the wait for a provider inside the deadline", async () => {
  const limited = Object.assign(new Error("slow down"), {
    statusCode: 429,
    responseHeaders: { "retry-after": "90" },
  });
  const { clock, started, result, calls } = await waiting({
    helper: [{ throws: limited }],
    modelRetry: { maxRetries: 2, baseDelayMs: 1_000, maxDelayMs: 100_000 },
  });
  await clock.sleeping();
  await setImmediate();

  clock.advance(MINUTE);

  expect((await result).status).toBe("Completed");
  expect(calls.root?.[1]).toContain("it did not finish within its limit of 60 s");
  expect(await timeouts(started)).toHaveLength(1);
});

it(
  "reports a provider that broke off as that, and not as a wait that was too long",
  covers(
    "child-wait.provider-break-off-no-timeout-event",
    "child-wait.timeout-event-counts-limits-only",
  ),
  async () => {
    const { started, result, calls } = await waiting({
      helper: [{ throws: Object.assign(new Error("down"), { statusCode: 503 }) }],
    });

    expect((await result).status).toBe("Completed");
    expect(calls.root?.[1]).toContain("model provider 'helper' could not be reached (HTTP 503)");
    expect(await timeouts(started)).toEqual([]);
  },
);

type Parts = {
  readonly root?: readonly ("ask" | ScriptedStep)[];
  readonly helper: readonly ScriptedStep[];
  readonly deaf?: () => Promise<string>;
  readonly modelRetry?: TestEngineOptions["modelRetry"];
};

/** A run that asks one agent, with a deadline of a minute and a cutoff after two. */
async function waiting({ root = ["ask", "Without it, then."], helper, deaf, modelRetry }: Parts) {
  const stores = await openStores("memory:");
  const clock = manualClock();
  const reached = Promise.withResolvers<void>();
  const question: ScriptedStep = { toolCalls: [{ name: "helper", input: { query: "Well?" } }] };
  const models = {
    root: scriptedModel(root.map((step) => (step === "ask" ? question : step))),
    helper: scriptedModel(helper),
  };
  const engineOf = await startTestEngine({
    stores,
    model: models.root,
    providers: { helper: models.helper } satisfies Record<string, LanguageModel>,
    clock,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    ...(modelRetry === undefined ? {} : { modelRetry }),
    tools: {
      deaf: {
        timeout: "1h",
        tool: tool({
          description: "Does not listen.",
          inputSchema: z.object({}),
          execute: () => {
            reached.resolve();
            return deaf?.();
          },
        }),
      },
    },
    agent: {
      toolNames: [],
      callableAgents: [{ name: "helper" }],
      subAgents: { callMode: "Tool", childDeadline: "1m", waitTimeout: "2m" },
    },
    agents: [
      {
        name: "helper",
        model: { provider: "helper", model: "helper-model" },
        toolNames: ["deaf"],
      },
    ],
  });
  const { engine, events } = engineOf;
  const { runId, result } = await engine.runs.start(TENANT, "agent", { message: "Go." });
  onTestFinished(async () => {
    await engine.close({ graceMs: 0 });
    await stores.close();
  });
  const runs = () => engine.runs.list(TENANT, { rootRunId: runId }, { skip: 0, take: 10 });
  const children = async () => (await runs()).filter(({ id }) => id !== runId);

  async function seen(agentName: string, type: string): Promise<void> {
    for (;;) {
      const ids = agentName === "agent" ? [runId] : (await children()).map(({ id }) => id);
      for (const id of ids) if ((await events(id)).some((it) => it.type === type)) return;
      await setImmediate();
    }
  }

  return {
    engine,
    clock,
    runId,
    result,
    children,
    seen,
    reached: reached.promise,
    started: { runId, events },
    calls: {
      get root() {
        return models.root.calls.map(({ prompt }) => JSON.stringify(prompt));
      },
    },
  };
}

const timeouts = async ({ runId, events }: Awaited<ReturnType<typeof waiting>>["started"]) =>
  (await events(runId)).filter(({ type }) => type === "ChildRunTimedOut");

async function untilEnded<Run extends { status: string }>(
  read: () => Promise<readonly Run[]>,
): Promise<readonly Run[]> {
  for (;;) {
    const runs = await read();
    if (runs.every(({ status }) => status !== "Running")) return runs;
    await setImmediate();
  }
}
