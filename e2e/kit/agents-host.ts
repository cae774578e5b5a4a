/** A Tracon on a socket whose agents each answer from a script of their own. */

import type { AgentDefinitionRequest, LanguageModel } from "@tracon/core";
import {
  type MemoryLog,
  memoryLog,
  type ScriptedModel,
  type ScriptedStep,
  scriptedModel,
  startTestHost,
  type TestHost,
} from "@tracon/testing";
import { createTracon, type Tracon, type TraconConfig } from "tracon";
import { type Api, tracon } from "./tracon-api.ts";

export type AgentsHost = {
  readonly host: TestHost<Tracon>;
  readonly api: Api;
  readonly log: MemoryLog;
  readonly models: Readonly<Record<string, ScriptedModel>>;
  /** All runs of a tree, in the order in which they began. */
  tree(runId: string): Promise<readonly TreeRun[]>;
};

export type TreeRun = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly agentName: string;
  readonly status: string;
  readonly depth: number;
  readonly parentRunId?: string;
  readonly error?: { readonly type: string; readonly message: string; readonly class: string };
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
};

export type AgentsHostOptions = Omit<TraconConfig, "agents" | "providers"> & {
  /** The provider of a name answers from its script; agents name it in their model. */
  readonly scripts: Readonly<Record<string, readonly ScriptedStep[]>>;
  readonly agents?: readonly Scripted[];
  /** Providers that no script answers for. */
  readonly others?: Readonly<Record<string, LanguageModel>>;
};

/** An agent; without a model it is the one of the provider that has its name. */
export type Scripted = Omit<AgentDefinitionRequest, "model"> &
  Partial<Pick<AgentDefinitionRequest, "model">>;

export const ofScript = ({ model, ...agent }: Scripted): AgentDefinitionRequest => ({
  model: model ?? { provider: agent.name, model: `${agent.name}-model` },
  ...agent,
});

export async function startAgentsHost(options: AgentsHostOptions): Promise<AgentsHost> {
  const { scripts, agents = [], others = {}, ...config } = options;
  const models = Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => [name, scriptedModel(script)]),
  );
  const log = memoryLog();
  const host = await startTestHost(() =>
    createTracon(
      {
        storage: "memory:",
        modelRetry: { maxRetries: 0 },
        ...config,
        agents: agents.map(ofScript),
        providers: Object.fromEntries(
          Object.entries({ ...models, ...others }).map(([name, model]) => [
            name,
            { languageModel: () => model },
          ]),
        ),
        log,
      },
      { env: {} },
    ),
  );
  const api = tracon(host.url);
  const tree = async (runId: string) =>
    (await api.json("GET", `/api/runs/${runId}/tree`)).body as readonly TreeRun[];
  return { host, api, log, models, tree };
}

/** The answer of a model that asks an agent, which is a tool of its name. */
export const ask = (name: string, query = "Go on.") => ({
  toolCalls: [{ name, input: { query } }],
});

/** What the tool results of a call's prompt say, in order. */
export function resultsIn(call: { readonly prompt: unknown } | undefined): readonly string[] {
  type Part = { readonly type: string; readonly output?: { readonly value: unknown } };
  const messages = (call?.prompt ?? []) as { role: string; content: readonly Part[] }[];
  return messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content.map(({ output }) => String(output?.value)));
}

/** Asks again until there is an answer. */
export async function until<Value>(
  find: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
