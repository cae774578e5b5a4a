/** Another agent as the stop criterion, in runs: its answer, its run, and the limits it is held to. */

import { setImmediate } from "node:timers/promises";
import { tool } from "@ai-sdk/provider-utils";
import type { AgentDefinitionRequest, RunEvent } from "@tracon/core";
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

type Loop = NonNullable<NonNullable<AgentDefinitionRequest["harness"]>["loop"]>;

const TENANT = "default";
const USAGE = { inputTokens: 100, outputTokens: 10 };
const APPROVED = '{"approved":true,"feedback":""}';
const REJECTED = '{"approved":false,"feedback":"Cite a source."}';

const answers: readonly (readonly [string, string, "stop" | "continue" | "failed"])[] = [
  ["the exact object", APPROVED, "stop"],
  ["the exact object in white space", `\n ${APPROVED}\n`, "stop"],
  ["a rejection", REJECTED, "continue"],
  [
    "a rejection with a fence and an approval in its feedback",
    '{"approved":false,"feedback":"```\\n{\\"approved\\":true}\\n```"}',
    "continue",
  ],
  [
    "a rejection of a megabyte",
    JSON.stringify({ approved: false, feedback: "x".repeat(1_000_000) }),
    "continue",
  ],
  ["a fence around it", `\`\`\`json\n${APPROVED}\n\`\`\``, "failed"],
  ["prose around it", `Here it is: ${APPROVED}`, "failed"],
  ["approved as a text", '{"approved":"true","feedback":""}', "failed"],
  ["approved as a number", '{"approved":1,"feedback":""}', "failed"],
  ["no feedback", '{"approved":true}', "failed"],
  ["feedback as a number", '{"approved":true,"feedback":1}', "failed"],
  ["approved twice", '{"approved":false,"approved":true,"feedback":""}', "failed"],
  ["a megabyte of prose", "x".repeat(1_000_000), "failed"],
  ["nothing", "", "failed"],
];

it.each(answers)(
  "takes %s for what it is, whatever a failure is to do",
  covers(
    "agent-review.failure-follows-on-criterion-error",
    "agent-review.failure-returns-draft-by-default",
    "agent-review.bad-answer-never-approves",
  ),
  async (_, answer, decision) => {
    for (const onCriterionError of ["ReturnLastResponse", "FailRun"] as const) {
      const reviewer = [{ text: answer, usage: USAGE }, APPROVED];
      const { run } = await reviewed({ reviewer, loop: { onCriterionError } });

      const { result, events } = await run("Write.");

      const fails = decision === "failed" && onCriterionError === "FailRun";
      expect(result).toMatchObject({
        status: fails ? "Failed" : "Completed",
        output: decision === "continue" ? "Second draft." : "First draft.",
        ...(fails ? { error: { type: "criterion_failed" } } : {}),
      });
      expect(decisionsOf(events)[0]).toMatchObject({
        continued: decision === "continue",
        criteria: [{ decision, reviewer: { agent: "reviewer", version: 1 } }],
        ...(decision === "failed" ? { failedCriterion: "agentReview" } : {}),
      });
    }
  },
);

it(
  "runs the reviewer below the run, which pays for none of it and shares its budget",
  covers("agent-review.is-child-run", "agent-review.usage-on-own-run"),
  async () => {
    const { run, children, engine } = await reviewed({
      reviewer: [
        { text: REJECTED, usage: USAGE },
        { text: APPROVED, usage: USAGE },
      ],
    });

    const { result, runId, events } = await run("Write.");

    const reviews = await children(runId);
    expect(reviews).toMatchObject([
      { agentName: "reviewer", parentRunId: runId, rootRunId: runId, depth: 1, usage: USAGE },
      { agentName: "reviewer", parentRunId: runId, rootRunId: runId, depth: 1, usage: USAGE },
    ]);
    expect(result.usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
    expect((await engine.runs.get(TENANT, runId)).budget).toMatchObject({ usedTokens: 440 });
    const named = decisionsOf(events).flatMap(({ criteria }) =>
      criteria.map(({ reviewer }) => reviewer?.runId),
    );
    expect(named.sort()).toEqual(reviews.map(({ id }) => id).sort());
    expect(events.filter(({ type }) => type === "ChildRunStarted")).toHaveLength(2);
  },
);

it.each<[string, TestEngineOptions["agentGraph"], RegExp]>([
  ["no depth is left", { maxDepth: 0 }, /maxDepth/],
  ["no run is left", { maxTotalRuns: 1 }, /maxTotalRuns/],
  ["no token is left", { maxTotalTokens: 4_200 }, /maxTotalTokens/],
])(
  "refuses the reviewer when %s in the tree, and returns the draft",
  covers("agent-review.depth-limit", "agent-review.run-budget", "agent-review.token-budget"),
  async (_, agentGraph, limit) => {
    const { run, log } = await reviewed({
      reviewer: [{ text: REJECTED, usage: USAGE }, APPROVED],
      ...(agentGraph === undefined ? {} : { agentGraph }),
    });

    const { result, events } = await run("Write.");

    const last = decisionsOf(events).at(-1);
    expect(result.status).toBe("Completed");
    expect(result.output).toMatch(/ draft\.$/);
    expect(last).toMatchObject({ continued: false, failedCriterion: "agentReview" });
    expect(JSON.stringify(log.entries)).toMatch(limit);
  },
);

it(
  "waits for a reviewer no longer than the agent may wait for agents it calls",
  covers("agent-review.wait-limit"),
  async () => {
    const clock = manualClock();
    const { engine, children, events } = await reviewed({
      reviewer: [{ text: "thinking", ends: "hang" }],
      loop: { onCriterionError: "FailRun" },
      subAgents: { childDeadline: "1m" },
      clock,
      sleep: (ms, signal) => clock.sleep(ms, signal),
    });
    const { runId, result } = await engine.runs.start(TENANT, "agent", { message: "Write." });
    await until(async () => {
      const [review] = await children(runId);
      return review !== undefined && (await events(review.id)).some(isDelta);
    });

    clock.advance(60_000);

    expect((await result).error).toMatchObject({
      type: "reviewer_timeout",
      class: "Timeout",
      message: expect.stringContaining("within its limit of 60 s"),
    });
    expect(decisionsOf(await events(runId))).toMatchObject([
      { criteria: [{ decision: "failed", reviewer: { agent: "reviewer" } }] },
    ]);
  },
);

it(
  "fails the criterion when the reviewer would have to wait for a person",
  covers("agent-review.approval-tool-refused"),
  async () => {
    const { run, children } = await reviewed({
      reviewer: [{ toolCalls: [{ name: "gate" }] }],
      reviewerTools: ["gate"],
    });

    const { result, runId, events } = await run("Write.");

    expect(result).toMatchObject({ status: "Completed", output: "First draft." });
    expect(decisionsOf(events)).toMatchObject([{ failedCriterion: "agentReview" }]);
    expect(await children(runId)).toMatchObject([{ status: "Failed" }]);
  },
);

it(
  "keeps a provider's fault of the reviewer apart from a limit on the wait",
  covers("agent-review.refused-call-is-criterion-failure"),
  async () => {
    const { run } = await reviewed({
      reviewer: [{ throws: Object.assign(new Error("secret"), { statusCode: 503 }) }],
      loop: { onCriterionError: "FailRun" },
    });

    const { result, events } = await run("Write.");

    expect(result.error).toMatchObject({
      type: "provider_unavailable",
      class: "ProviderUnavailable",
      message: expect.stringContaining("reviewer 'reviewer' gave no verdict"),
    });
    expect(JSON.stringify([result, events])).not.toContain("secret");
  },
);

it(
  "asks the reviewer in the iterations that no earlier criterion continues, and in no other",
  covers("agent-review.called-when-reached"),
  async () => {
    const marker = { kind: "completionMarker", marker: "Second" };
    const { run, children } = await reviewed({ reviewer: [APPROVED], before: [marker] });

    const { result, runId } = await run("Write.");

    expect(result.output).toBe("Second draft.");
    expect(await children(runId)).toHaveLength(1);
  },
);

it(
  "runs the pinned version of a reviewer that has a newer one, and records which it was",
  covers("agent-review.version-pins"),
  async () => {
    const { engine, events, models } = await stored({ reviewerAgentVersion: 1 }, [APPROVED]);
    await saveReviewer(engine, "Be lenient.");

    const { runId, result } = await engine.runs.start(TENANT, "writer", { message: "Write." });
    await result;

    expect(models.reviewer.calls[0]?.prompt[0]).toMatchObject({ content: "Be strict." });
    expect(decisionsOf(await events(runId))).toMatchObject([
      { criteria: [{ reviewer: { agent: "reviewer", version: 1 } }] },
    ]);
  },
);

it(
  "runs the current version of a reviewer that is not pinned",
  covers("loop-criterion.reviewer-version-null-current"),
  async () => {
    const { engine, events } = await stored({}, [APPROVED]);
    await saveReviewer(engine, "Be lenient.");

    const { runId, result } = await engine.runs.start(TENANT, "writer", { message: "Write." });
    await result;

    expect(decisionsOf(await events(runId))).toMatchObject([
      { criteria: [{ reviewer: { version: 2 } }] },
    ]);
  },
);

it(
  "fails the criterion when the reviewer was deleted after the save",
  covers("agent-review.deleted-reviewer-fails-at-run"),
  async () => {
    const { engine, events, log } = await stored({}, []);
    await engine.agents.delete(TENANT, "reviewer");

    const { runId, result } = await engine.runs.start(TENANT, "writer", { message: "Write." });

    expect(await result).toMatchObject({ status: "Completed", output: "First draft." });
    expect(decisionsOf(await events(runId))).toMatchObject([{ failedCriterion: "agentReview" }]);
    expect(JSON.stringify(log.entries)).toContain("there is no agent 'reviewer'");
  },
);

it(
  "looks for the reviewer among the agents of the run's tenant only",
  covers("agent-review.tenant-check"),
  async () => {
    const { engine, log } = await stored({}, []);
    const { definition } = await engine.agents.get(TENANT, "writer");
    await engine.agents.delete(TENANT, "reviewer");
    await saveReviewer(engine, "Be strict.", "other");
    const saved = await engine.agents.create("third", definition).catch((it: unknown) => it);

    const { result } = await engine.runs.start(TENANT, "writer", { message: "Write." });

    expect(await result).toMatchObject({ status: "Completed", output: "First draft." });
    expect(JSON.stringify(log.entries)).toContain("there is no agent 'reviewer'");
    expect(saved).toMatchObject({
      details: { findings: [{ code: "loop_reviewer_not_found" }] },
    });
  },
);

const decisionsOf = (events: readonly RunEvent[]) =>
  events.flatMap((it) => (it.type === "LoopIterationCompleted" ? [it.payload] : []));

const isDelta = ({ type }: RunEvent): boolean => type === "MessageDelta";

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setImmediate();
}

const BARE = {
  disableCompaction: true,
  disableTodoProvider: true,
  disableAgentModeProvider: true,
  harnessInstructions: "",
};

const drafts = ["First draft.", "Second draft."].map((text) => ({ text, usage: USAGE }));

type Parts = Pick<TestEngineOptions, "agentGraph" | "clock" | "sleep"> & {
  readonly reviewer: readonly ScriptedStep[];
  readonly reviewerTools?: readonly string[];
  readonly loop?: Loop;
  /** Criteria ahead of the review. */
  readonly before?: NonNullable<Loop["criteria"]>;
  readonly subAgents?: NonNullable<AgentDefinitionRequest["subAgents"]>;
};

/** An agent of code that writes two drafts, and one that reviews them. */
async function reviewed(parts: Parts) {
  const { reviewer, reviewerTools = [], loop, before = [], subAgents, ...options } = parts;
  const criteria = [...before, { kind: "agentReview", reviewerAgent: "reviewer" }];
  const gate = tool({ inputSchema: z.object({}), execute: () => "done" });
  return started({
    ...options,
    model: scriptedModel(drafts),
    providers: { reviews: scriptedModel(reviewer) },
    tools: { gate: { tool: gate, requiresApproval: true } },
    agent: {
      toolNames: [],
      harness: { ...BARE, loop: { ...loop, criteria } },
      ...(subAgents === undefined ? {} : { subAgents }),
    },
    agents: [
      {
        name: "reviewer",
        model: { provider: "reviews", model: "reviewer-1" },
        toolNames: [...reviewerTools],
      },
    ],
  });
}

/** The same two as stored agents. */
async function stored(
  pin: { readonly reviewerAgentVersion?: number },
  reviewer: readonly ScriptedStep[],
) {
  const models = { reviewer: scriptedModel(reviewer) };
  const running = await started({
    model: scriptedModel(drafts),
    providers: { reviews: models.reviewer },
  });
  await saveReviewer(running.engine, "Be strict.");
  const criteria = [{ kind: "agentReview", reviewerAgent: "reviewer", ...pin }];
  await running.engine.agents.create(TENANT, {
    name: "writer",
    model: { provider: "test", model: "writer-1" },
    harness: { ...BARE, loop: { criteria } },
  });
  return { ...running, models };
}

type Engine = Awaited<ReturnType<typeof startTestEngine>>["engine"];

const saveReviewer = (engine: Engine, instructions: string, tenant = TENANT) =>
  engine.agents.save(tenant, "reviewer", {
    name: "reviewer",
    instructions,
    model: { provider: "reviews", model: "reviewer-1" },
  });

async function started(options: Omit<TestEngineOptions, "stores">) {
  const stores = await openStores("memory:");
  const running = await startTestEngine({ stores, ...options });
  onTestFinished(async () => {
    await running.engine.close({ graceMs: 0 });
    await stores.close();
  });
  async function children(rootRunId: string) {
    const runs = await running.engine.runs.list(TENANT, { rootRunId }, { skip: 0, take: 10 });
    return runs.filter(({ id }) => id !== rootRunId);
  }
  return { ...running, children };
}
