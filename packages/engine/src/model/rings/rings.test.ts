import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
import { agentDefinitionSchema, type RunEventDraft, TraconError } from "@tracon/core";
import { manualClock, memoryLog, type ScriptedStep, scriptedModel } from "@tracon/testing";
import { expect, it } from "vitest";
import * as z from "zod";
import { covers } from "../../../../../e2e/requirements/covers.ts";
import type { AgentExtension } from "../../compile/agent-extension.ts";
import { type CompileContext, compileAgent } from "../../compile/compile-agent.ts";
import { createLoopHost } from "../../compile/loop-host.ts";
import { createRingHosts } from "../../compile/ring-hosts.ts";
import { createRunScope } from "../../scope/run-scope.ts";
import { createToolRegistry } from "../../tools/tool-registry.ts";
import { turnRings } from "../../turn/rings/index.ts";
import { createTurnState } from "../../turn/step.ts";
import { createProviderRegistry } from "../provider-registry.ts";
import type { ModelCallOutcome } from "../ring.ts";
import { modelRings } from "./index.ts";

it("adds nothing to a model call that no ring has to do with, but a look for the run's budget", () => {
  const { modelHost } = createRingHosts({ modelRetry: { maxRetries: 0 } }, system());
  const settings = { host: modelHost, middleware: [], cacheLifetimeMs: undefined };
  const next = () => Promise.reject(new Error("not called"));

  const idle = modelRings.filter((ring) => ring.wrap(next, settings) === next);

  expect(idle.map(({ name }) => name)).toEqual([
    "extension",
    "content-guard",
    "response-cache",
    "attachment",
    "retry",
    "concurrency",
    "chat-span",
  ]);
});

it(
  "passes every model call through an extension's ring, with the tool results in it",
  covers(
    "extension-ring.model-call-inside-tool-loop",
    "extension-ring.model-call-sees-tool-results",
  ),
  async () => {
    const seen: string[][] = [];
    const watch: LanguageModelV4Middleware = {
      specificationVersion: "v4",
      wrapStream: ({ doStream, params }) => {
        seen.push(params.prompt.map(({ role }) => role));
        return doStream();
      },
    };

    await turn({ script: [asking, "Done."], modelCall: [watch] });

    expect(seen).toEqual([["user"], ["user", "assistant", "tool"]]);
  },
);

it(
  "calls an extension's turn ring once for a turn of several model calls",
  covers("extension-ring.turn-above-tool-loop"),
  async () => {
    const seen: string[] = [];
    const ring: LanguageModelV4Middleware = {
      specificationVersion: "v4",
      wrapStream: async ({ doStream, model }) => {
        seen.push(`${model.modelId} begins`);
        const answer = await doStream();
        seen.push("ends");
        return answer;
      },
    };

    await turn({ script: [asking, "Done."], turn: [ring] });

    expect(seen).toEqual(["test-model begins", "ends"]);
  },
);

it("nests rings in their order, the first outermost", async () => {
  const trace: string[] = [];
  const ring = (name: string): LanguageModelV4Middleware => ({
    specificationVersion: "v4",
    transformParams: async ({ params }) => {
      trace.push(`${name} asked`);
      return params;
    },
    wrapStream: async ({ doStream }) => {
      const result = await doStream();
      trace.push(`${name} answered`);
      return result;
    },
  });

  await turn({ script: ["Done."], modelCall: [ring("outer"), ring("inner")] });

  expect(trace).toEqual(["outer asked", "inner asked", "inner answered", "outer answered"]);
});

it(
  "nests the rings of a model call and of a turn in one order",
  covers("extension-ring.below-the-ring", "extension-ring.above-the-ring"),
  () => {
    expect(turnRings.map(({ name }) => name)).toEqual([
      "normalize-errors",
      "context",
      "structured-response",
      "fallback",
      "circuit-breaker",
      "extension",
    ]);
    expect(modelRings.map(({ name }) => name)).toEqual([
      "extension",
      "content-guard",
      "budget",
      "response-cache",
      "attachment",
      "retry",
      "concurrency",
      "chat-span",
    ]);
  },
);

it("guards and budgets what an extension's ring made of a call", async () => {
  const outcomes: ModelCallOutcome[] = [];
  const changing: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    transformParams: async ({ params }) => ({
      ...params,
      prompt: [{ role: "user", content: [{ type: "text", text: "the secret" }] }],
    }),
  };

  const { model, events } = await turn({
    script: [{ text: "Done.", usage: { inputTokens: 1, outputTokens: 2 } }],
    modelCall: [changing],
    outcomes,
  });

  expect(model.calls[0]?.prompt).toEqual([
    { role: "user", content: [{ type: "text", text: "the ***" }] },
  ]);
  expect(events).toContainEqual({
    type: "ContentMasked",
    payload: { guard: "secrets", rule: "secret" },
  });
  expect(outcomes).toMatchObject([{ asksForTools: false, usage: { outputTokens: { total: 2 } } }]);
});

it("settles the budget of a call that was refused", async () => {
  const outcomes: ModelCallOutcome[] = [];

  await turn({ script: [{ throws: new Error("no") }], outcomes });

  expect(outcomes).toMatchObject([{ isUnanswered: true, fromCache: false, usage: undefined }]);
});

it("answers an extension that asks for a whole answer through the same rings", async () => {
  const texts: unknown[] = [];
  const whole: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    wrapStream: async ({ doGenerate }) => {
      const { content, finishReason, usage } = await doGenerate();
      texts.push(...content);
      return {
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: "text-delta", id: "1", delta: "Replaced." });
            controller.enqueue({ type: "finish", finishReason, usage });
            controller.close();
          },
        }),
      };
    },
  };

  const { text } = await turn({ script: [{ text: ["Do", "ne."] }], modelCall: [whole] });

  expect(texts).toEqual([{ type: "text", text: "Done." }]);
  expect(text).toBe("Replaced.");
});

it("tells a fault of an extension from one of the model", async () => {
  const broken: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    wrapStream: () => Promise.reject(new Error("secret of the extension")),
  };
  const passing: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    wrapStream: ({ doStream }) => doStream(),
  };

  const extension = await turn({ script: [], modelCall: [broken] });
  const model = await turn({ script: [{ throws: new Error("no") }], modelCall: [passing] });

  expect(TraconError.is(extension.failure, "extension_failed")).toBe(true);
  expect(extension.failure?.message).not.toContain("secret");
  expect(TraconError.is(model.failure, "provider_error")).toBe(true);
});

it("records an answer that a turn ring made as a message of its own", async () => {
  const ring: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    wrapStream: async ({ doStream }) => {
      const { stream } = await doStream();
      const signed = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          const delta = part.type === "text-delta" ? `${part.delta} Signed.` : undefined;
          controller.enqueue(delta === undefined ? part : ({ ...part, delta } as typeof part));
        },
      });
      return { stream: stream.pipeThrough(signed) };
    },
  };

  const { text, events, prompt } = await turn({ script: ["Done."], turn: [ring] });

  expect(text).toBe("Done. Signed.");
  expect(events.filter(({ type }) => type === "MessageCompleted")).toMatchObject([
    { text: "Done.", payload: { step: 0 } },
    { text: "Done. Signed.", payload: { step: 1 } },
  ]);
  expect(prompt.at(-1)).toEqual({
    role: "assistant",
    content: [{ type: "text", text: "Done. Signed." }],
  });
});

it("runs a turn on the conversation that a turn ring gives", async () => {
  const note = { role: "system" as const, content: "Be brief." };
  const ring: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    transformParams: async ({ params }) => ({ ...params, prompt: [note, ...params.prompt] }),
  };

  const { model, prompt } = await turn({ script: ["Done."], turn: [ring] });

  expect(model.calls[0]?.prompt.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(prompt.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

it("fails the turn when a turn ring fails, without its words", async () => {
  const ring: LanguageModelV4Middleware = {
    specificationVersion: "v4",
    wrapStream: () => Promise.reject(new Error("secret of the extension")),
  };

  const { failure } = await turn({ script: [], turn: [ring] });

  expect(TraconError.is(failure, "extension_failed")).toBe(true);
  expect(failure?.message).not.toContain("secret");
});

it(
  "puts the same ring around a fallback model",
  covers("extension-ring.fallback-model-gets-ring"),
  async () => {
    const seen: string[] = [];
    const watch: LanguageModelV4Middleware = {
      specificationVersion: "v4",
      wrapStream: ({ doStream, model }) => {
        seen.push(model.modelId);
        return doStream();
      },
    };
    const ring: LanguageModelV4Middleware = {
      specificationVersion: "v4",
      wrapStream: ({ doStream, model }) => {
        seen.push(`turn of ${model.modelId}`);
        return doStream();
      },
    };
    const unreachable = Object.assign(new Error("no"), { status: 503 });

    const { text } = await turn({
      script: [{ throws: unreachable }],
      spare: ["Spared."],
      modelCall: [watch],
      turn: [ring],
    });

    expect(text).toBe("Spared.");
    expect(seen).toEqual(["turn of test-model", "first", "turn of test-model", "second"]);
  },
);

const asking: ScriptedStep = { toolCalls: [{ name: "work" }] };

const system = () => ({
  clock: manualClock(),
  random: () => 0,
  sleep: () => Promise.resolve(),
});

type TurnOptions = {
  readonly modelCall?: readonly LanguageModelV4Middleware[];
  readonly turn?: readonly LanguageModelV4Middleware[];
  readonly script: readonly ScriptedStep[];
  /** Script of the fallback model; none when left out. */
  readonly spare?: readonly ScriptedStep[];
  /** Filled with what budgets are settled with; content is guarded then as well. */
  readonly outcomes?: ModelCallOutcome[];
};

async function turn({ script, spare, modelCall = [], turn = [], outcomes }: TurnOptions) {
  const model = scriptedModel(script, { modelId: "first" });
  const fallback = scriptedModel(spare ?? [], { modelId: "second" });
  const { registry } = await createToolRegistry({
    work: tool({ inputSchema: z.object({}), execute: () => "ok" }),
  });
  const providers = createProviderRegistry(
    [
      { name: "test", kind: "custom", optionsKey: "test", languageModel: () => model },
      { name: "spare", kind: "custom", optionsKey: "spare", languageModel: () => fallback },
    ],
    [],
  );
  const log = memoryLog();
  const guarding = outcomes === undefined ? {} : { contentGuards: { secrets: guard } };
  const rings = createRingHosts({ modelRetry: { maxRetries: 0 }, ...guarding }, system());
  const context: CompileContext = {
    providers,
    tools: registry,
    extensions: new Map([["rings", extensionOf(modelCall, turn)]]),
    loop: createLoopHost({}, { providers, log, ...rings }),
    log,
    ...rings,
  };
  const definition = agentDefinitionSchema.parse({
    name: "agent",
    toolNames: ["work"],
    extensionNames: ["rings"],
    model: {
      provider: "test",
      model: "test-model",
      fallbacks: spare === undefined ? [] : [{ provider: "spare", model: "test-model" }],
    },
    origin: "Code",
    version: 1,
  });
  const input = { definitionHash: "", dependencies: {} };
  const { agent, findings } = compileAgent(definition, input, context);
  if (agent === undefined) throw new Error(JSON.stringify(findings));
  const events: RunEventDraft[] = [];
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Go." }] }];
  const request = {
    agent: agent.turn,
    prompt,
    tenantId: "default",
    runId: "run",
    isStreaming: false,
    iteration: 1,
    state: createTurnState(),
    signal: new AbortController().signal,
    journal: {
      emit: (event: RunEventDraft) => void events.push(event),
      textDelta: () => undefined,
      reasoningDelta: () => undefined,
      committed: () => Promise.resolve(),
    },
    clock: manualClock(),
    log: memoryLog(),
    budget: outcomes && budgetOf(outcomes),
    scope: createRunScope({ startChild: noChildren, describeOutcome: ({ kind }) => kind }),
  };
  const ended = await agent.runTurn(request).then(
    ({ text }) => ({ text, failure: undefined }),
    (failure: Error) => ({ text: undefined, failure }),
  );
  return { ...ended, model, events, prompt: request.prompt as { role: string }[] };
}

const budgetOf = (outcomes: ModelCallOutcome[]) => ({
  forCalls: { reserve: async () => ({ settle: (it: ModelCallOutcome) => void outcomes.push(it) }) },
  reserveToolCalls: async () => undefined,
});

const extensionOf = (
  modelCall: readonly LanguageModelV4Middleware[],
  turn: readonly LanguageModelV4Middleware[],
): AgentExtension => ({
  apply({ useChatClient }) {
    for (const middleware of modelCall) useChatClient({ slot: "ModelCall", middleware });
    for (const middleware of turn) useChatClient({ slot: "Turn", middleware });
  },
});

const guard = {
  inspect: ({ text }: { text: string }) => {
    const start = text.indexOf("secret");
    if (start === -1) return { decision: "Allow" as const };
    const spans = [{ start, end: start + 6, replacement: "***" }];
    return { decision: "Mask" as const, rule: "secret", spans };
  },
};

const noChildren = async () => ({
  kind: "refused" as const,
  code: "feature_unavailable" as const,
  reason: "none in this test",
});
