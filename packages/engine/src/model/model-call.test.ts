import { APICallError, type LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { LanguageModel } from "@tracon/core";
import { openStores } from "@tracon/store";
import { scriptedModel, startTestEngine } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";

it("runs a model of the older specification V3 unchanged", async () => {
  const model = {
    ...scriptedModel(["Hi."]),
    specificationVersion: "v3",
  } as unknown as LanguageModel;

  const { result } = await (await engine(model)).run();

  expect(result).toMatchObject({ status: "Completed", output: "Hi." });
});

it("fails the run of a provider that throws before it answers, without its words", async () => {
  const { run, log } = await engine(
    modelOf(() => {
      throw new Error("secret sk-1");
    }),
  );

  const { result, events } = await run();

  expect(result).toMatchObject({ status: "Failed", error: { type: "provider_error" } });
  expect(JSON.stringify([result, events])).not.toContain("sk-1");
  expect(log.entries.at(-1)?.fields.cause).toContain("sk-1");
});

it.each([
  [{ statusCode: 429 }, "rate_limited", "RateLimited"],
  [{ statusCode: 500 }, "provider_unavailable", "ProviderUnavailable"],
  [{ statusCode: 529 }, "provider_unavailable", "ProviderUnavailable"],
  [{ statusCode: 504 }, "timeout", "Timeout"],
  [{ statusCode: 401 }, "provider_error", "ProviderError"],
  [
    { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) },
    "provider_unavailable",
    "ProviderUnavailable",
  ],
  [
    { cause: Object.assign(new Error(), { code: "UND_ERR_HEADERS_TIMEOUT" }) },
    "timeout",
    "Timeout",
  ],
] as const)("names the kind of fault behind %j", async (fault, type, errorClass) => {
  const error = new APICallError({
    message: "words of the provider",
    url: "https://api.example",
    requestBodyValues: {},
    ...fault,
  });
  const { run } = await engine(scriptedModel([{ throws: error }]));

  const { result } = await run();

  expect(result.error).toMatchObject({ type, class: errorClass });
  expect(result.error?.message).not.toContain("words");
});

it.each([undefined, null, "overloaded", { status: 429 }, Object.create(null)])(
  "ends the run when a provider throws %j",
  async (thrown) => {
    const { run } = await engine(modelOf(() => Promise.reject(thrown)));

    const { result } = await run();

    expect(result.status).toBe("Failed");
  },
);

it("counts nothing of an answer after its error part", async () => {
  const model = partsModel([
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "Par" },
    { type: "error", error: { status: 529 } },
    { type: "text-delta", id: "t", delta: "tial" },
    finish,
  ]);

  const { result, events } = await (await engine(model)).run();

  expect(result.error).toMatchObject({ type: "provider_unavailable" });
  expect(textOf(events)).toBe("Par");
});

it("reads an answer up to its finish and no further", async () => {
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      controller.enqueue({ type: "text-start", id: "t" });
      controller.enqueue({ type: "text-delta", id: "t", delta: "Done." });
      controller.enqueue(finish);
      controller.enqueue({ type: "error", error: new Error("late") });
    },
  });

  const { result } = await (await engine(modelOf(async () => ({ stream })))).run();

  expect(result).toMatchObject({ status: "Completed", output: "Done." });
});

it("fails the run when the stream breaks", async () => {
  const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
  const model = scriptedModel([{ text: "Par", ends: { streamError: reset } }]);

  const { result, events } = await (await engine(model)).run();

  expect(result.error).toMatchObject({ type: "provider_unavailable" });
  expect(textOf(events)).toBe("Par");
});

it("keeps apart blocks that come mixed, and begins a new one for an id that starts again", async () => {
  const delta = (id: string, text: string): LanguageModelV4StreamPart => ({
    type: "text-delta",
    id,
    delta: text,
  });
  const model = partsModel([
    delta("a", "1"),
    delta("b", "2"),
    delta("a", "3"),
    { type: "text-start", id: "a" },
    delta("a", "4"),
    finish,
  ]);

  const { result } = await (await engine(model)).run();

  expect(result.output).toBe("1324");
});

it.each([
  ["nothing", undefined, undefined],
  ["zero", tokens(0, 0), { inputTokens: 0, outputTokens: 0, totalTokens: 0 }],
  ["one side", tokens(7, undefined), { inputTokens: 7 }],
  ["less than nothing", tokens(-1, 5), { outputTokens: 5 }],
  ["what is no number", tokens(Number.NaN, Number.POSITIVE_INFINITY), undefined],
  ["half a token", tokens(1.5, 2), { outputTokens: 2 }],
  ["null", tokens(null, 3), { outputTokens: 3 }],
])("records usage as measured when the provider reports %s", async (_, usage, recorded) => {
  const model = partsModel([finishWith(usage)]);

  const { result, events } = await (await engine(model)).run();

  expect(result.status).toBe("Completed");
  expect(result.usage).toEqual(recorded);
  expect(events.find(({ type }) => type === "MessageCompleted")?.payload).not.toMatchObject({
    usage: { inputTokens: null },
  });
});

const ownCycle: { self?: unknown } = {};
ownCycle.self = ownCycle;

it.each([
  ["plain", { prompt_tokens: 3 }, { prompt_tokens: 3 }],
  ["cyclic", ownCycle, undefined],
  ["with a bigint", { tokens: 3n }, undefined],
  ["a list", [1], undefined],
  ["enormous", { text: "x".repeat(100_000) }, undefined],
])("records raw usage that is %s, if it can", async (_, raw, recorded) => {
  const model = partsModel([finishWith({ ...tokens(3, 4), raw })]);

  const { result, events } = await (await engine(model)).run();

  expect(result).toMatchObject({ status: "Completed", usage: { totalTokens: 7 } });
  const completed = events.find(({ type }) => type === "MessageCompleted")?.payload;
  expect((completed as { rawUsage?: unknown }).rawUsage).toEqual(recorded);
});

it("adds up usage over the calls of a run and leaves unknown what no call measured", async () => {
  const { run } = await engine(
    scriptedModel([
      { toolCalls: [{ name: "missing" }], usage: { inputTokens: 10, outputTokens: 2 } },
      { toolCalls: [{ name: "missing" }] },
      { text: "Hi.", usage: { inputTokens: 5, cachedInputTokens: 4, outputTokens: 1 } },
    ]),
  );

  const { result } = await run();

  expect(result.usage).toEqual({
    inputTokens: 15,
    outputTokens: 3,
    totalTokens: 18,
    cachedInputTokens: 4,
  });
});

function tokens(input: unknown, output: unknown): object {
  return { inputTokens: { total: input }, outputTokens: { total: output } };
}

/** Providers report usage in ways that the specification does not have. */
const finishWith = (usage: object | undefined) =>
  ({
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage,
  }) as LanguageModelV4StreamPart;

const finish = finishWith(undefined);

const modelOf = (doStream: () => unknown): LanguageModel =>
  ({ ...scriptedModel([]), doStream }) as LanguageModel;

const partsModel = (parts: readonly LanguageModelV4StreamPart[]): LanguageModel =>
  modelOf(async () => ({
    stream: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  }));

const textOf = (events: readonly { type: string; text?: string }[]) =>
  events.map(({ type, text }) => (type === "MessageDelta" ? text : "")).join("");

async function engine(model: LanguageModel) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  return startTestEngine({ stores, model });
}
