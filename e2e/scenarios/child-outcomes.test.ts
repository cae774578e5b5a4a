/** What an agent that called another one is told, for every way in which the call can end. */

import { storeMatrix } from "@tracon/testing";
import { tool } from "ai";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentsHost,
  type AgentsHostOptions,
  ask,
  resultsIn,
  type Scripted,
  startAgentsHost,
  until,
} from "../kit/agents-host.ts";
import { covers } from "../requirements/covers.ts";

type Script = AgentsHostOptions["scripts"][string];

type Outcome = {
  readonly name: string;
  readonly helper?: Script;
  readonly options?: Partial<AgentsHostOptions>;
  readonly waits?: Scripted["subAgents"];
  /** Calls before it, which are answered. */
  readonly before?: number;
  /** Why there is no answer; absent where there is one. */
  readonly why?: string;
  /** The call was never begun. */
  readonly isRefused?: boolean;
  /** Of the child's record. */
  readonly child?: object;
  readonly isHardCutoff?: boolean;
};

const http = (statusCode: number, responseHeaders: object = {}) =>
  Object.assign(new Error("secret words"), { statusCode, responseHeaders });
const failed = (type: string) => ({ status: "Failed", error: { type } });
const hanging = { text: "Well ", ends: "hang" } as const;
const stopped = "it did not finish within its limit of 0.03 s and was stopped.";

const OUTCOMES: readonly Outcome[] = [
  { name: "an answer", helper: ["42"], child: { status: "Completed" } },
  { name: "an answer without text", helper: [{ text: "" }], child: { status: "Completed" } },
  {
    name: "a provider that refuses",
    helper: [{ throws: http(400) }],
    why: "model provider 'helper' refused or broke off the call (HTTP 400).",
    child: failed("provider_error"),
  },
  {
    name: "a provider that is down",
    helper: [{ throws: http(503) }],
    why: "model provider 'helper' could not be reached (HTTP 503).",
    child: failed("provider_unavailable"),
  },
  {
    name: "a provider that has too much to do",
    helper: [{ throws: http(429) }],
    why: "model provider 'helper' refused the call for its rate limit (HTTP 429).",
    child: failed("rate_limited"),
  },
  {
    name: "an answer that was broken off",
    helper: [{ text: "4", ends: "cut" }],
    why: "model provider 'helper' broke off the answer before it was finished.",
    child: failed("provider_error"),
  },
  {
    name: "a deadline that is listened to",
    helper: [hanging],
    waits: { childDeadline: "30ms", waitTimeout: "10s" },
    why: stopped,
    child: { status: "Canceled" },
    isHardCutoff: false,
  },
  {
    name: "a wait for the provider beyond the deadline",
    helper: [{ throws: http(429, { "retry-after": "20" }) }],
    options: { modelRetry: { maxRetries: 2, maxDelay: "30s" } },
    waits: { childDeadline: "30ms", waitTimeout: "10s" },
    why: stopped,
    child: { status: "Canceled" },
    isHardCutoff: false,
  },
  {
    name: "a cutoff of what does not listen",
    helper: [{ toolCalls: [{ name: "deaf" }] }],
    waits: { childDeadline: "400ms", waitTimeout: "500ms" },
    why: "it did not finish within 0.5 s and is waited for no longer.",
    child: { status: "Running" },
    isHardCutoff: true,
  },
  {
    name: "a tree that is deep enough",
    options: { agentGraph: { maxDepth: 0 } },
    why: "0 levels of child runs",
    isRefused: true,
  },
  {
    name: "a tree that has no runs left",
    helper: ["42"],
    options: { agentGraph: { maxTotalRuns: 1 } },
    before: 1,
    why: "1 child runs",
    isRefused: true,
  },
];

const open: AgentsHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix())("on $engine", ({ newUrl }) => {
  let storage: string;
  beforeAll(async () => {
    storage = await newUrl();
  });

  it.each(OUTCOMES)("gives a call by tool one result for $name", async (outcome) => {
    const { why = "", before = 0, isRefused = false } = outcome;
    const calls = Array.from({ length: before + 1 }, () => ask("helper"));
    const { result, results, events, children } = await caller(outcome, {
      mode: "Tool",
      root: [...calls, "Done."],
    });

    expect(result).toMatchObject({ status: "Completed", output: "Done." });
    expect(results).toHaveLength(before + 1);
    if (outcome.why === undefined) expect(results).toEqual([textOf(outcome)]);
    else if (isRefused) expect(results.at(-1)).toMatch(refusal("could not complete:", why));
    else expect(results).toEqual([`Agent 'helper' could not complete: ${why}`]);
    expectTold(outcome, { events, children });
  });

  it.each(OUTCOMES)(
    "says of a task what it came to for $name",
    {
      ...covers("callable-agent.background-failure-text"),
    },
    async (outcome) => {
      const { why = "", before = 0, isRefused = false } = outcome;
      const starts = Array.from({ length: before + 1 }, () => task("start_task", WORK));
      const waits = isRefused ? [] : [task("wait_for_first_completion", { taskIds: [1] })];
      const { result, results, events, children } = await caller(outcome, {
        mode: "BackgroundTasks",
        root: [...starts, ...waits, task("get_task_results", { taskId: 1 }), "Done."],
      });

      expect(result).toMatchObject({ status: "Completed", output: "Done." });
      if (outcome.why === undefined) {
        const text = textOf(outcome);
        expect(results.at(-1)).toBe(text === "" ? "Task 1 completed with no output." : text);
      } else if (isRefused) expect(results[before]).toMatch(refusal("was not started:", why));
      else expect(results.at(-1)).toBe(`Task failed: ${why}`);
      expectTold(outcome, { events, children });
    },
  );

  it("says that an agent is gone that was deleted while its caller ran", {
    ...covers("call-mode.missing-agent-is-failure-text"),
  }, async () => {
    const remove = async (it: AgentsHost) => {
      expect((await it.api.json("DELETE", "/api/agents/helper")).status).toBe(204);
    };
    const gone = "there is no agent 'helper'";

    const byTool = await caller(
      { name: "", helper: [] },
      { mode: "Tool", root: [ask("helper"), "Done."], isStored: true, before: remove },
    );
    const byTask = await caller(
      { name: "", helper: [] },
      {
        mode: "BackgroundTasks",
        root: [task("start_task", WORK), "Done."],
        isStored: true,
        before: remove,
      },
    );

    expect(byTool.results).toEqual([`Agent 'helper' could not complete: ${gone}.`]);
    expect(byTask.results).toEqual([`Error: Agent 'helper' was not started: ${gone}.`]);
    for (const { result, children, events } of [byTool, byTask]) {
      expect(result).toMatchObject({ status: "Completed", output: "Done." });
      expect(children).toEqual([]);
      expect(events.some(({ type }) => type === "ToolFailed")).toBe(false);
    }
  });

  it("begins nothing for a question that says nothing, and fails the call of the tool only", async () => {
    const empty = { ...WORK, input: " \n" };

    const byTool = await caller(
      { name: "", helper: [] },
      { mode: "Tool", root: [ask("helper", " \n"), "Done."] },
    );
    const byTask = await caller(
      { name: "", helper: [] },
      { mode: "BackgroundTasks", root: [task("start_task", empty), "Done."] },
    );

    expect(byTool.results).toEqual(["Error: Function failed."]);
    expect(byTask.results).toEqual(["Error: The input is empty: say what the agent is to do."]);
    expect([...byTool.children, ...byTask.children]).toEqual([]);
    expect(byTool.events.filter(({ type }) => type === "ToolFailed")).toHaveLength(1);
    expect(byTask.events.filter(({ type }) => type === "ToolFailed")).toEqual([]);
  });

  it("discards what a child says that nobody waits for any more, and books what it took", async () => {
    const late = Promise.withResolvers<string>();
    const usage = { inputTokens: 30, outputTokens: 3 };
    const { result, results, host } = await caller(
      {
        name: "",
        helper: [
          { toolCalls: [{ name: "deaf" }], usage },
          { text: "too late", usage },
        ],
        waits: { childDeadline: "400ms", waitTimeout: "500ms" },
      },
      { mode: "Tool", root: [ask("helper"), "Done.", "And?"], deaf: () => late.promise },
    );
    late.resolve("now");
    const child = await until(async () =>
      (await host.tree(result.runId)).find((it) => it.depth === 1 && it.status !== "Running"),
    );
    await host.api.run("root", { sessionId: String(result.sessionId) });

    const prompt = JSON.stringify(host.models.root?.calls.at(-1)?.prompt);
    const { body: root } = await host.api.json("GET", `/api/runs/${result.runId}`);
    expect(results).toHaveLength(1);
    // Its deadline was over when it went on, so it was not allowed another call.
    expect(child).toMatchObject({ status: "Canceled", usage });
    expect(prompt).not.toContain("too late");
    expect(root.treeUsage).toMatchObject(usage);
    expect(root.budget).toMatchObject({ usedTokens: expect.any(Number), reservedTokens: 0 });
    expect(root.budget.usedTokens).toBeGreaterThanOrEqual(33);
    const types = (await host.api.recorded(result.runId)).map(({ type }) => type);
    expect(types.at(-1)).toBe("RunCompleted");
  });

  type Calling = {
    readonly mode: "Tool" | "BackgroundTasks";
    readonly root: Script;
    readonly isStored?: boolean;
    /** Done when the caller's model is asked first. */
    readonly before?: (host: AgentsHost) => Promise<void>;
    readonly deaf?: () => Promise<string>;
  };

  /** An agent that calls `helper`, run once. */
  async function caller(
    { helper = [], options = {}, waits = {} }: Outcome,
    { mode, root: [first = "", ...others], isStored = false, before, deaf = NEVER }: Calling,
  ) {
    const agent = { name: "helper", toolNames: ["deaf"] };
    const opening = async () => {
      await before?.(host);
      return first as Exclude<typeof first, (...all: never) => unknown>;
    };
    const host = await startAgentsHost({
      storage,
      ...options,
      scripts: { root: [opening, ...others], helper },
      tools: { deaf: tool({ inputSchema: z.object({}), execute: deaf }) },
      agents: [
        {
          name: "root",
          callableAgents: ["helper"],
          subAgents: { ...waits, callMode: mode },
        },
        ...(isStored ? [] : [agent]),
      ],
    });
    open.push(host);
    if (isStored) {
      const model = { provider: "helper", model: "m" };
      const saved = await host.api.json("POST", "/api/agents", { ...agent, model });
      expect(saved.status).toBe(201);
    }
    const sessionId = `${mode}-${crypto.randomUUID()}`;
    const result = await host.api.run("root", { sessionId });
    const events = await host.api.recorded(result.runId);
    const children = (await host.tree(result.runId)).filter(({ depth }) => depth > 0);
    return { host, result, events, children, results: resultsIn(host.models.root?.calls.at(-1)) };
  }
});

const NEVER = () => new Promise<never>(() => undefined);
const WORK = { agentName: "helper", input: "Go on.", description: "work" };
const task = (name: string, input: object) => ({
  toolCalls: [{ name: `background_agents_${name}`, input }],
});
const refusal = (head: string, why: string) => new RegExp(`Agent 'helper' ${head} .*${why}`);

function textOf({ helper: [last = ""] = [] }: Outcome): string {
  return typeof last === "string" ? last : "";
}

type Told = {
  readonly events: readonly { readonly type: string; readonly payload: object }[];
  readonly children: readonly object[];
};

/** The record says the same: no failed call, the child as it ended, and its limit only where that fired. */
function expectTold(
  { child, before = 0, isHardCutoff }: Outcome,
  { events, children }: Told,
): void {
  const timeouts = events.filter(({ type }) => type === "ChildRunTimedOut");
  expect(timeouts.map(({ payload }) => payload)).toMatchObject(
    isHardCutoff === undefined ? [] : [{ hardCutoff: isHardCutoff }],
  );
  expect(events.filter(({ type }) => type === "ToolFailed")).toEqual([]);
  expect(children).toHaveLength(before + (child === undefined ? 0 : 1));
  if (child !== undefined) expect(children.at(-1)).toMatchObject(child);
}
