import { openStores } from "@tracon/store";
import {
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { ToolLoopAgent, tool } from "ai";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { AgentFactory, AgentFactoryContext, SdkAgent } from "../catalog/sdk-agent.ts";

const TENANT = "default";
const USAGE = { inputTokens: 10, outputTokens: 2 };

it(
  "answers a run with the agent a factory builds, and records what it does",
  covers(
    "agent-factory.returns-own-agent",
    "agent-factory.bypasses-compiler",
    "agent-factory.own-client-has-no-rings",
    "agent-factory.records-no-model-and-cost",
  ),
  async () => {
    const own = scriptedModel([
      {
        text: "Let me see.",
        toolCalls: [{ name: "look", input: { at: 1 }, id: "c1" }],
        usage: USAGE,
      },
      { text: ["Fo", "und."], usage: USAGE },
    ]);
    const { run } = await start(() => new ToolLoopAgent({ model: own, tools: { look: look() } }));

    const { result, record, events } = await run();

    expect(result).toMatchObject({
      status: "Completed",
      output: "Found.",
      usage: { inputTokens: 20, outputTokens: 4 },
      cost: { source: "Unknown" },
    });
    expect(record.modelId).toBeUndefined();
    expect(record.agentVersion).toBe(1);
    expect(
      events
        .filter(({ type }) => type !== "MessageDelta")
        .map(({ type, payload }) => [type, payload]),
    ).toMatchObject([
      ["RunStarted", { agentName: "own" }],
      [
        "ToolInvoking",
        { step: 0, position: 0, callId: "c1", toolName: "look", arguments: '{"at":1}' },
      ],
      ["ToolInvoked", { step: 0, position: 0, result: "seen 1" }],
      ["MessageCompleted", { step: 0, finishReason: "tool-calls", toolCallCount: 1 }],
      ["MessageCompleted", { step: 1, finishReason: "stop", toolCallCount: 0 }],
      ["RunCompleted", {}],
    ]);
    expect(own.calls[1]?.prompt.at(-1)?.role).toBe("tool");
  },
);

it("calls the factory for each run", covers("agent-factory.runs-on-every-resolve"), async () => {
  const contexts: AgentFactoryContext[] = [];
  const { run } = await start((context) => {
    contexts.push(context);
    return new ToolLoopAgent({ model: scriptedModel(["Hi."]) });
  });

  await run();
  await run();

  expect(contexts.map(({ agentName, tenantId }) => [agentName, tenantId])).toEqual([
    ["own", TENANT],
    ["own", TENANT],
  ]);
});

it("lists an agent that a factory builds as one of code without a definition", async () => {
  const { engine } = await start(() => new ToolLoopAgent({ model: scriptedModel([]) }));

  const detail = await engine.agents.get(TENANT, "own");
  const save = engine.agents.create(TENANT, {
    name: "own",
    model: { provider: "test", model: "m" },
  });

  expect(detail).toMatchObject({
    descriptor: { name: "own", origin: "Code", sourceName: "code", version: 1 },
    definition: null,
    isEditable: false,
  });
  await expect(save).rejects.toMatchObject({ code: "agent_read_only" });
});

it(
  "warns once of an agent whose models are not ours",
  covers("agent-factory.foreign-client-warned-once"),
  async () => {
    const { run, log } = await start(() => new ToolLoopAgent({ model: scriptedModel(["Hi."]) }));

    await run();
    await run();

    expect(log.entries).toMatchObject([{ level: "warn", fields: { agent: "own" } }]);
  },
);

it(
  "takes the calls of a model it creates for a factory through the rings",
  covers("agent-factory.registry-client-keeps-rings"),
  async () => {
    const unreachable = Object.assign(new Error("no"), { status: 503 });
    const spare = scriptedModel(["A secret.", "Spared."]);
    const { run, log, model } = await start(
      ({ createModel }) =>
        new ToolLoopAgent({
          instructions: "Be kind.",
          model: createModel({
            provider: "test",
            model: "m",
            fallbacks: [{ provider: "spare", model: "m" }],
          }),
        }),
      {
        script: [{ throws: unreachable }],
        providers: { spare },
        circuitBreaker: { failureThreshold: 1 },
        contentGuards: {
          mask: {
            inspect: ({ text }) =>
              text.includes("secret")
                ? { decision: "Mask", rule: "secret", replacement: "A ***." }
                : { decision: "Allow" },
          },
        },
      },
    );

    const { result, events } = await run();
    const later = await run();

    expect(result.output).toBe("A ***.");
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["ModelFallbackUsed", "ContentMasked"]),
    );
    expect(later.result.output).toBe("Spared.");
    // The circuit of the first provider is open.
    expect(model.calls).toHaveLength(1);
    expect(log.entries.filter(({ message }) => message.includes("of its own"))).toEqual([]);
  },
);

it("keeps answers of a model it creates in the response cache when asked to", async () => {
  const kept = new Map<string, string>();
  const { run, model } = await start(
    ({ createModel }) =>
      new ToolLoopAgent({
        model: createModel({
          provider: "test",
          model: "m",
          responseCache: { enabled: true, lifetime: "1h" } as never,
        }),
      }),
    {
      script: ["Once."],
      responseCache: {
        get: async (key) => kept.get(key),
        set: async (key, value) => void kept.set(key, value),
      },
    },
  );

  const outputs = [(await run()).result.output, (await run()).result.output];

  expect(outputs).toEqual(["Once.", "Once."]);
  expect(model.calls).toHaveLength(1);
});

it("starts no run with a model that does not exist", async () => {
  const { engine } = await start(
    ({ createModel }) =>
      new ToolLoopAgent({ model: createModel({ provider: "nowhere", model: "m" }) }),
  );

  const run = engine.runs.start(TENANT, "own", { message: "Go." });

  await expect(run).rejects.toMatchObject({
    code: "compilation_failed",
    details: { findings: [{ code: "unknown_provider", path: "model.provider" }] },
  });
});

it("lets nobody call a created model outside its run", async () => {
  let kept: ReturnType<AgentFactoryContext["createModel"]> | undefined;
  const { run } = await start(
    ({ createModel }) => {
      kept = createModel({ provider: "test", model: "m" });
      return new ToolLoopAgent({ model: kept });
    },
    { script: ["Hi."] },
  );
  await run();

  const call = kept?.doStream({ prompt: [] });

  await expect(call).rejects.toThrow("belongs to a run");
});

it("streams the text of an own agent as it comes", async () => {
  const { engine } = await start(
    () => new ToolLoopAgent({ model: scriptedModel([["Hel", "lo."]].map((text) => ({ text }))) }),
  );
  const handle = await engine.runs.start(TENANT, "own", { message: "Go." }, { isStreaming: true });

  const texts: string[] = [];
  for await (const batch of handle.frames()) {
    for (const frame of batch) {
      if (frame.event === "update" && frame.data.kind === "text") texts.push(frame.data.text);
    }
  }

  expect(texts.join("")).toBe("Hello.");
});

it("aborts the agent when its run is canceled, and closes its open calls", async () => {
  const cancel = new AbortController();
  let aborted = false;
  const model = scriptedModel([{ toolCalls: [{ name: "wait", id: "c1" }] }]);
  const wait = tool({
    inputSchema: z.object({}),
    execute: (_, { abortSignal }) => {
      abortSignal?.addEventListener("abort", () => {
        aborted = true;
      });
      cancel.abort();
      return new Promise<string>(() => undefined);
    },
  });
  const { run } = await start(() => new ToolLoopAgent({ model, tools: { wait } }));

  const { result, events } = await run(cancel.signal);

  expect(result.status).toBe("Canceled");
  expect(aborted).toBe(true);
  const calls = events.filter(({ type }) => type.startsWith("Tool")).map(({ type }) => type);
  expect(calls.filter((type) => type === "ToolFailed")).toHaveLength(
    calls.filter((type) => type === "ToolInvoking").length,
  );
});

it("records a tool of the agent that fails without its words", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "break" }] }, "Sorry."]);
  const broken = tool({
    inputSchema: z.object({}),
    execute: (): string => {
      throw new Error("secret of the tool");
    },
  });
  const { run } = await start(() => new ToolLoopAgent({ model, tools: { break: broken } }));

  const { result, events } = await run();

  expect(result.output).toBe("Sorry.");
  expect(events.find(({ type }) => type === "ToolFailed")?.payload).toMatchObject({
    toolName: "break",
    kind: "Failed",
    error: "Error: Function failed.",
  });
  expect(JSON.stringify(events)).not.toContain("secret");
});

it.each([
  ["throws", () => Promise.reject(new Error("secret"))],
  ["gives no stream", async () => ({})],
  ["ends without an answer", async () => ({ stream: partsOf([]) })],
  ["aborts itself", async () => ({ stream: partsOf([{ type: "abort" }]) })],
  [
    "reports an error",
    async () => ({ stream: partsOf([{ type: "error", error: new Error("secret") }]) }),
  ],
])("fails the run of an agent that %s", async (_, stream) => {
  const agent: SdkAgent = { version: "agent-v1", stream };
  const { run } = await start(() => agent);

  const { result } = await run();

  expect(result).toMatchObject({
    status: "Failed",
    error: { type: "agent_failed", message: "the agent that code built failed" },
  });
});

it("fails the run of an agent whose tool asks for approval", async () => {
  const stream = async () => ({ stream: partsOf([{ type: "tool-approval-request" }]) });
  const { run } = await start(() => ({ version: "agent-v1", stream }));

  expect((await run()).result.error?.type).toBe("feature_unavailable");
});

it.each([
  [
    "throws",
    () => {
      throw new Error("secret");
    },
    "the code that builds agent 'own' failed",
  ],
  ["gives no agent", () => ({}) as SdkAgent, "gave no agent of the AI SDK"],
])("starts no run when the factory %s", async (_, factory, message) => {
  const { engine } = await start(factory);

  const run = engine.runs.start(TENANT, "own", { message: "Go." });

  await expect(run).rejects.toMatchObject({
    code: "agent_failed",
    message: expect.stringContaining(message),
  });
});

it("has the words of a factory that throws in the log", async () => {
  const { engine, log } = await start(() => Promise.reject(new Error("no licence")));

  await engine.runs.start(TENANT, "own", { message: "Go." }).catch(() => undefined);

  expect(log.entries).toMatchObject([{ fields: { agent: "own", error: "Error: no licence" } }]);
});

it(
  "records model and cost of an agent whose source names the model",
  covers("agent-factory.source-names-model-for-cost"),
  async () => {
    const priced = { provider: "test", model: "test-model" };
    const agent = new ToolLoopAgent({ model: scriptedModel([{ text: "Hi.", usage: USAGE }]) });
    const found = { name: "remote", description: "Elsewhere.", agent, model: priced };
    const { engine } = await start(() => agent, {
      models: [
        {
          ...priced,
          supportsTools: true,
          supportsStructuredOutput: false,
          price: { currency: "USD", inputPerMillion: 1_000_000, outputPerMillion: 1_000_000 },
        },
      ],
      agentSources: [
        { name: "remotes", priority: 10, list: async () => [found], find: async () => found },
      ],
    });

    const { runId, result } = await engine.runs.start(TENANT, "remote", { message: "Go." });

    expect(await result).toMatchObject({ output: "Hi.", cost: { totalCost: 12 } });
    expect(await engine.runs.get(TENANT, runId)).toMatchObject({
      modelProvider: "test",
      modelId: "test-model",
    });
    expect((await engine.agents.list(TENANT)).find(({ name }) => name === "remote")).toMatchObject({
      description: "Elsewhere.",
      model: priced,
    });
  },
);

it("refuses members of a run that the agent has nothing to do with", async () => {
  const { engine } = await start(() => new ToolLoopAgent({ model: scriptedModel([]) }));
  const request = { message: "Go.", parameters: { tone: "formal" } };

  const run = engine.runs.start(TENANT, "own", request);

  await expect(run).rejects.toMatchObject({ code: "request_invalid" });
});

const look = () =>
  tool({ inputSchema: z.object({ at: z.number() }), execute: ({ at }) => `seen ${at}` });

async function* partsOf(parts: readonly unknown[]): AsyncGenerator {
  yield* parts;
}

async function start(
  factory: AgentFactory,
  {
    script = [],
    ...options
  }: Partial<TestEngineOptions> & { readonly script?: readonly ScriptedStep[] } = {},
) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const { engine, log, events } = await startTestEngine({
    stores,
    model,
    agentFactories: { own: factory },
    ...options,
  });
  async function run(signal?: AbortSignal) {
    const options = signal === undefined ? {} : { signal };
    const { runId, result } = await engine.runs.start(TENANT, "own", { message: "Go." }, options);
    return {
      result: await result,
      record: await engine.runs.get(TENANT, runId),
      events: await events(runId),
    };
  }
  return { engine, log, model, run };
}
