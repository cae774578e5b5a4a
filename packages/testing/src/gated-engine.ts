/** An engine whose agent has a tool that waits for approval, with a ledger of what was really done. */

import type { PendingApproval, RunEvent, RunResult } from "@tracon/core";
import type { StartOptions, ToolRegistration } from "@tracon/engine";
import * as z from "zod";
import { type ScriptedModel, scriptedModel } from "./scripted-model/scripted-model.ts";
import type { ScriptedStep } from "./scripted-model/turn.ts";
import { startTestEngine, type TestEngine, type TestEngineOptions } from "./test-engine.ts";

/** What was done: the tool and its argument, in order. */
export type Effect = `${string}(${number})`;

/** What a gated engine works with besides what any test engine does. */
export type GatedEngineOptions = Omit<TestEngineOptions, "model"> & {
  readonly script: readonly ScriptedStep[];
  /** Where effects are noted; pass the one of an earlier engine to go on after a restart. */
  readonly ledger?: Effect[];
  /** Of the tool `gate`; true by default. */
  readonly gatePolicy?: NonNullable<ToolRegistration["requiresApproval"]>;
};

/** An engine with the tools `gate` (waits), `count` (does not) and `ask_user` (of the client). */
export type GatedEngine = TestEngine & {
  readonly ledger: Effect[];
  readonly model: ScriptedModel;
  /** Runs the agent with a whole request. */
  send(request: object, options?: StartOptions): Promise<RunResult>;
  /** Undecided approvals, in the order of their calls. */
  waiting(): Promise<readonly PendingApproval[]>;
  /** The journal of a run, once it has ended. */
  ended(runId: string): Promise<readonly RunEvent[]>;
};

type Tool = ToolRegistration["tool"];

const TENANT = "default";
const inputSchema = z.object({ x: z.number() });

/** Creates the engine. Throws when a tool or an agent has findings. */
export async function startGatedEngine(options: GatedEngineOptions): Promise<GatedEngine> {
  const { script, ledger = [], tools = {}, gatePolicy = true, ...rest } = options;
  const model = scriptedModel(script);
  const doing = (name: string): Tool => ({
    description: name,
    inputSchema,
    execute({ x }: z.output<typeof inputSchema>) {
      ledger.push(`${name}(${x})`);
      return { done: x };
    },
  });
  const started = await startTestEngine({
    ...rest,
    model,
    tools: {
      gate: { tool: doing("gate"), requiresApproval: gatePolicy },
      count: doing("count"),
      ask_user: { inputSchema },
      ...tools,
    },
  });
  const { engine } = started;

  async function send(request: object, start: StartOptions = {}): Promise<RunResult> {
    const run = await engine.runs.start(TENANT, "agent", request, start);
    return run.result;
  }

  async function ended(runId: string): Promise<readonly RunEvent[]> {
    const { signal } = new AbortController();
    const events: RunEvent[] = [];
    for await (const batch of await engine.runs.events(TENANT, runId, { after: -1, signal })) {
      for (const { json } of batch) events.push(JSON.parse(json) as RunEvent);
    }
    return events;
  }

  const waiting = () => engine.approvals.pending(TENANT, { take: 200 });
  return { ...started, ledger, model, send, waiting, ended };
}
