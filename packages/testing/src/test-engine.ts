import {
  type AgentDefinitionRequest,
  type AgentRunRequest,
  agentDefinitionRequestSchema,
  type ChatMessage,
  type JudgeBinding,
  judgeBindingSchema,
  type LanguageModel,
  type ModelDescriptor,
  type RunEvent,
  type RunFrame,
  type RunResult,
  type Stores,
} from "@tracon/core";
import {
  createEngine,
  createToolRegistry,
  type Engine,
  type EngineOptions,
  type StartOptions,
} from "@tracon/engine";
import { type MemoryLog, memoryLog } from "./memory-log.ts";

/** What a test engine runs. */
export type TestEngineOptions = Pick<
  EngineOptions,
  | "clock"
  | "ids"
  | "recording"
  | "agentGraph"
  | "random"
  | "sleep"
  | "modelRetry"
  | "modelConcurrency"
  | "circuitBreaker"
  | "structuredResponse"
  | "structuredResponseValidator"
  | "responseCache"
  | "contentGuards"
  | "extensions"
  | "loopEvaluators"
  | "agentFactories"
  | "agentSources"
  | "tracerProvider"
  | "meterProvider"
  | "observability"
  | "eventSinks"
  | "approvals"
  | "prices"
  | "preflight"
  | "attachments"
> & {
  /** Opened by the test, which closes them after the engine. */
  readonly stores: Stores;
  /** Answers every call of provider `test`. */
  readonly model: LanguageModel;
  /** Of provider `test`; false by default. */
  readonly needsToolDefinitions?: boolean;
  /** Of provider `test`; true by default. */
  readonly combinesToolsAndFormat?: boolean;
  /** Further providers by name, each with the model that answers all their calls. */
  readonly providers?: Readonly<Record<string, LanguageModel>>;
  readonly tools?: Parameters<typeof createToolRegistry>[0];
  /** Members of the agent `agent`, besides its name, model and all of `tools`. */
  readonly agent?: Partial<AgentDefinitionRequest>;
  /** Further agents defined in code. */
  readonly agents?: readonly AgentDefinitionRequest[];
  readonly models?: readonly ModelDescriptor[];
  /** The model that judges in loops. */
  readonly judge?: Pick<JudgeBinding, "provider" | "model"> & Partial<JudgeBinding>;
};

/** What became of a run, from every side from which it can be seen. */
export type TestRun = {
  readonly runId: string;
  readonly result: RunResult;
  /** The native stream, when the run was started as a streaming one. */
  readonly frames: readonly RunFrame[];
  /** The journal, read back from the store. */
  readonly events: readonly RunEvent[];
};

/** An engine with one agent, one scripted provider and a log that can be read. */
export type TestEngine = {
  readonly engine: Engine;
  readonly log: MemoryLog;
  /** Runs the agent `agent` of tenant `default` to its end, with a message or a whole request. */
  run(request?: string | AgentRunRequest, options?: StartOptions): Promise<TestRun>;
  /** The messages of a session, as they stand in the store. */
  history(sessionId: string): Promise<readonly ChatMessage[]>;
  /** The journal of a run, as it stands in the store. */
  events(runId: string): Promise<readonly RunEvent[]>;
};

/** The tenant a test engine works for. */
const TENANT = "default";
const MAX_EVENTS = 1_000_000;

/** Creates an engine for a test. Throws when a tool or an agent has findings. */
export async function startTestEngine(options: TestEngineOptions): Promise<TestEngine> {
  const { stores, model, needsToolDefinitions = false, combinesToolsAndFormat = true } = options;
  const { tools = {}, agent = {}, agents = [] } = options;
  const { registry, findings } = await createToolRegistry(tools);
  if (findings.length > 0) throw new Error(`tools have findings: ${JSON.stringify(findings)}`);
  const log = memoryLog();
  const providers = Object.entries({ test: model, ...options.providers });
  const engine = createEngine({
    // A test counts the calls its script foresees; whoever tests repetition says so.
    modelRetry: { maxRetries: 0 },
    ...options,
    judge: options.judge && judgeBindingSchema.parse(options.judge),
    providers: providers.map(([name, answering]) => ({
      name,
      kind: "custom",
      optionsKey: name,
      needsToolDefinitions,
      combinesToolsAndFormat,
      languageModel: () => answering,
    })),
    tools: registry,
    agents: [
      {
        name: "agent",
        model: { provider: "test", model: "test-model" },
        toolNames: Object.keys(tools),
        ...agent,
      },
      ...agents,
    ].map((it) => agentDefinitionRequestSchema.parse(it)),
    describeProblem: ({ code, detail, runId }) => ({
      type: "about:blank",
      title: code,
      status: 500,
      detail,
      code,
      runId,
    }),
    log,
  });

  async function events(runId: string): Promise<readonly RunEvent[]> {
    const stored = await stores.runs.events(TENANT, runId, { after: -1, take: MAX_EVENTS });
    return stored.map(({ json }) => JSON.parse(json) as RunEvent);
  }

  async function history(sessionId: string): Promise<readonly ChatMessage[]> {
    const range = { after: -1, take: MAX_EVENTS };
    const items = await stores.sessions.history(TENANT, sessionId, range);
    return items.map(({ json }) => JSON.parse(json) as ChatMessage);
  }

  async function run(
    request: string | AgentRunRequest = "Go.",
    start: StartOptions = {},
  ): Promise<TestRun> {
    const content = typeof request === "string" ? { message: request } : request;
    const handle = await engine.runs.start(TENANT, "agent", content, start);
    const frames: RunFrame[] = [];
    if (start.isStreaming === true) {
      for await (const batch of handle.frames()) frames.push(...batch);
    }
    const result = await handle.result;
    return { runId: handle.runId, result, frames, events: await events(handle.runId) };
  }

  return { engine, log, run, events, history };
}
