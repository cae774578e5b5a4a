/** Parameters and cultures of runs, from the request to what the model reads and the record keeps. */

import type { AgentDefinitionRequest, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import { scriptedModel, startTestEngine, type TestEngineOptions } from "@tracon/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";

const T = "default";
const PARAMETERS: AgentDefinitionRequest["parameters"] = [
  { name: "customer", kind: "Text", required: true },
  { name: "tone", kind: "Text", required: true, defaultValue: "formal" },
  { name: "note", kind: "Number" },
];
const INSTRUCTIONS = "Help {{customer}} in a {{tone}} tone.{{note}}";
const TEMPLATE = { instructions: INSTRUCTIONS, parameters: PARAMETERS };

describe.each(["code", "database"] as const)("an agent from %s", (origin) => {
  it(
    "reads its instructions with the values of the run and the defaults",
    covers(
      "parameter.values-on-run",
      "parameter.checked-for-saved-definition",
      "parameter.checked-for-code-definition",
      "parameter.bound-once-per-request",
      "parameter-carrier.run-records-bound-values",
    ),
    async () => {
      const { start, texts, runs } = await engine(TEMPLATE, origin);

      const run = await start({ parameters: { customer: "{{tone}}" } });
      await run.result;

      expect(texts()).toEqual(["Help {{tone}} in a formal tone."]);
      expect(await runs.input(T, run.runId)).toMatchObject({
        parameters: { customer: "{{tone}}", tone: "formal" },
      });
    },
  );

  it(
    "does not run without the values it needs, nor with others, and names them all",
    covers("parameter.missing-required-stops-before-start", "parameter.undeclared-value-refused"),
    async () => {
      const { start, texts, runs } = await engine(TEMPLATE, origin);

      const refused = start({ parameters: { tone: "x", "b c": "1", constructor: "2" } });

      await expect(refused).rejects.toMatchObject({
        code: "request_invalid",
        details: {
          extensions: {
            missingParameters: ["customer"],
            unknownParameters: ["b c", "constructor"],
          },
        },
      });
      expect(texts()).toEqual([]);
      expect(await runs.list(T, {}, { skip: 0, take: 1 })).toEqual([]);
    },
  );
});

it.each([
  ["null", { customer: "a", tone: null }, undefined],
  ["a number", { customer: 7 }, "parameters.customer"],
  ["a switch", { customer: true }, "parameters.customer"],
  ["a list", { customer: ["a"] }, "parameters.customer"],
  ["an object", { customer: { a: "b" } }, "parameters.customer"],
  ["a list of values", [], "parameters"],
  ["more than 4,096 bytes", { customer: "x".repeat(4_097) }, "parameters.customer"],
  ["a megabyte", { customer: "x".repeat(1_048_576) }, "parameters.customer"],
])("reads texts as values and nothing else: %s", async (_, parameters, path) => {
  const { start } = await engine(TEMPLATE);

  const outcome = await start({ parameters }).then(
    () => undefined,
    (error) => error.details.findings[0].path,
  );

  expect(outcome).toBe(path);
});

it("names no more unknown parameters than anyone reads", async () => {
  const { start } = await engine({ instructions: "x" });
  const parameters = Object.fromEntries(Array.from({ length: 1_000 }, (_, it) => [`p${it}`, ""]));

  const error = await start({ parameters }).catch((refusal) => refusal);

  expect(error.details.extensions.unknownParameters).toHaveLength(200);
});

it(
  "leaves the text and the record of an agent without parameters alone",
  covers("parameter.empty-schema-changes-nothing"),
  async () => {
    const { start, texts, runs } = await engine({ instructions: "Say {{a}} {{b.c}} {{#if}}." });

    const run = await start({ parameters: {} });
    await run.result;

    expect(texts()).toEqual(["Say {{a}} {{b.c}} {{#if}}."]);
    expect(await runs.input(T, run.runId)).not.toHaveProperty("parameters");
    await expect(start({ parameters: { a: "1" } })).rejects.toMatchObject({
      details: { extensions: { unknownParameters: ["a"] } },
    });
  },
);

it("checks values against the version that runs", async () => {
  const { agents, start, texts } = await engine(TEMPLATE, "database");
  await agents.save(T, "helper", definition({ instructions: "Plain." }));

  await (await start({}, 2)).result;
  await (await start({ parameters: { customer: "Zoë" } }, 1)).result;

  await expect(start({}, 1)).rejects.toMatchObject({
    details: { extensions: { missingParameters: ["customer"] } },
  });
  expect(texts()).toEqual(["Plain.", "Help Zoë in a formal tone."]);
});

it("keeps a thousand interleaved runs with values apart", async () => {
  const { start, texts, runs } = await engine(TEMPLATE);
  const names = Array.from({ length: 1_000 }, (_, index) => `customer ${index}`);

  const started = await Promise.all(
    names.map(async (customer) => {
      const run = await start({ parameters: { customer }, message: customer });
      await run.result;
      return { customer, runId: run.runId };
    }),
  );

  expect(new Set(texts())).toEqual(new Set(names.map((it) => `Help ${it} in a formal tone.`)));
  expect(texts()).toHaveLength(names.length);
  for (const { customer, runId } of started.filter((_, index) => index % 50 === 0)) {
    expect(await runs.input(T, runId)).toMatchObject({ parameters: { customer, tone: "formal" } });
  }
});

it("sends a run's message with its own values, however runs interleave", async () => {
  const { start, calls } = await engine(TEMPLATE);

  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const customer = `c${index}`;
      await (await start({ parameters: { customer }, message: customer })).result;
    }),
  );

  const pairs = calls().map(({ prompt: [system, user] }) => [system?.content, user?.content]);
  for (const [system, user] of pairs) {
    const [{ text = "" } = {}] = user as unknown as { text: string }[];
    expect(system).toBe(`Help ${text} in a formal tone.`);
  }
});

it(
  "runs in the culture it is asked for and records it as it was asked",
  covers(
    "culture.map-of-tags",
    "culture.optional-on-run",
    "culture.none-requested-uses-default",
    "culture.unmatched-never-fails",
    "culture.in-run-record",
  ),
  async () => {
    const { start, texts, runs, events } = await engine({
      instructions: "Default.",
      instructionsByCulture: { tr: "Türkçe.", "zh-Hant": "中文。" },
    });
    const cultures = ["tr", "TR-tr", "zh-hant-TW", "de", "*", "../tr", undefined];

    const recorded = [];
    for (const culture of cultures) {
      const run = await start({ culture });
      await run.result;
      const [first] = await events(run.runId);
      recorded.push([(await runs.get(T, run.runId)).culture, first]);
    }

    expect(texts()).toEqual([
      "Türkçe.",
      "Türkçe.",
      "中文。",
      "Default.",
      "Default.",
      "Default.",
      "Default.",
    ]);
    expect(recorded).toMatchObject(
      cultures.map((culture) => [
        culture,
        { type: "RunStarted", payload: culture === undefined ? {} : { culture } },
      ]),
    );
  },
);

it("refuses a culture without a text, also of an estimate", async () => {
  const { start, estimate, texts } = await engine({ instructions: "Default." });
  const refused = {
    code: "request_invalid",
    details: { findings: [{ path: "culture", message: expect.stringContaining("leave it out") }] },
  };

  await expect(start({ culture: "" })).rejects.toMatchObject(refused);
  await expect(estimate({ message: "Hi.", culture: "" })).rejects.toMatchObject(refused);

  expect(texts()).toEqual([]);
});

it("answers ten thousand runs in random cultures and versions with the text asked for", async () => {
  const { agents, estimate } = await engine({ instructions: "0" }, "database");
  const texts = { tr: 10, "tr-TR": 20, "en-GB": 30 };
  for (let version = 2; version <= 12; version++) {
    const byCulture = Object.entries(texts).map(([tag, it]) => [tag, "xxxx".repeat(it * version)]);
    await agents.save(
      T,
      "helper",
      definition({
        instructions: "xxxx".repeat(version),
        instructionsByCulture: Object.fromEntries(byCulture),
      }),
    );
  }
  const asked = ["tr", "TR", "tr-TR", "tr-tr", "tr-CY", "en-GB", "en", undefined] as const;
  const factor = [10, 10, 20, 20, 10, 30, 1, 1];

  const wrong: unknown[] = [];
  for (let turn = 0; turn < 10_000; turn++) {
    const index = (turn * 5) % asked.length;
    const version = 2 + ((turn * 7) % 11);
    const culture = asked[index];
    const { promptTokens } = await estimate({ message: "1234", culture }, version);
    if (promptTokens !== (factor[index] ?? 0) * version + 1) wrong.push({ culture, version });
  }

  expect(wrong).toEqual([]);
});

describe("an estimate", () => {
  it(
    "checks a request as a run does and calls no model",
    covers("parameter.estimate-checks-values", "parameter.estimate-calls-no-model"),
    async () => {
      const { estimate, start, calls, runs } = await engine(TEMPLATE);
      const requests = [
        {},
        { parameters: { x: "1" } },
        { parameters: { customer: 1 } },
        { message: "", parameters: { customer: "a" } },
        { message: "Hi.", sessionId: "s", parameters: { customer: "a" } },
      ];

      for (const request of requests) {
        const estimated = await estimate(request).catch((error) => error);
        const started = await start(request).catch((error) => error);

        expect(estimated.code).toBe(started.code);
        expect(estimated.details).toEqual(started.details);
      }
      await estimate({ parameters: { customer: "a" } });

      expect(calls()).toEqual([]);
      expect(await runs.list(T, {}, { skip: 0, take: 1 })).toEqual([]);
    },
  );

  it("counts a token for every four bytes of what the model would read", async () => {
    const { estimate } = await engine({ instructions: "é".repeat(10) });

    expect(await estimate({ message: "12345" })).toEqual({
      promptTokens: 5 + 2,
      contextWindowTokens: null,
      allowedPromptTokens: null,
      wouldBeRejected: false,
    });
  });

  it("counts tools and the response schema", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const { estimate } = await engine({
      instructions: "x",
      model: { provider: "test", model: "m", responseFormat: { kind: "JsonSchema", schema } },
    });

    const { promptTokens } = await estimate({ message: "1234" });

    expect(promptTokens).toBe(2 + Math.ceil(JSON.stringify(schema).length / 4));
  });

  it("keeps a fifth of a listed model's window for the answer", async () => {
    const listed = { provider: "test", model: "m", contextWindowTokens: 101 };
    const models = [{ ...listed, supportsTools: true, supportsStructuredOutput: false }];
    const { estimate } = await engine({ instructions: "x" }, "code", { models });

    const fits = await estimate({ message: "x".repeat(79 * 4) });
    const isTooLarge = await estimate({ message: "x".repeat(80 * 4) });

    expect(fits).toEqual({
      promptTokens: 80,
      contextWindowTokens: 101,
      allowedPromptTokens: 80,
      wouldBeRejected: false,
    });
    expect(isTooLarge).toMatchObject({ promptTokens: 81, wouldBeRejected: true });
  });

  it("is of the version asked for, and of no agent that does not exist", async () => {
    const {
      agents,
      estimate,
      engine: it,
    } = await engine({ instructions: "x".repeat(40) }, "database");
    await agents.save(T, "helper", definition({ instructions: "x".repeat(80) }));

    expect(await estimate({ message: "x" }, 1)).toMatchObject({ promptTokens: 11 });
    expect(await estimate({ message: "x" })).toMatchObject({ promptTokens: 21 });
    await expect(estimate({}, 3)).rejects.toMatchObject({ code: "agent_version_not_found" });
    await expect(it.runs.estimate(T, "nobody", {})).rejects.toMatchObject({
      code: "agent_not_found",
    });
  });
});

const definition = (members: Partial<AgentDefinitionRequest>): AgentDefinitionRequest => ({
  name: "helper",
  model: { provider: "test", model: "m" },
  ...members,
});

async function engine(
  members: Partial<AgentDefinitionRequest>,
  origin: "code" | "database" = "code",
  options: Partial<TestEngineOptions> = {},
) {
  const stores: Stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(Array(1_000).fill("Done."));
  const agents = origin === "code" ? [definition(members)] : [];
  const started = await startTestEngine({ stores, model, agents, ...options });
  onTestFinished(() => started.engine.close());
  const { agents: stored, runs } = started.engine;
  if (origin === "database") await stored.create(T, definition(members));
  const versionOf = (version: number | undefined) =>
    version === undefined ? {} : { agentVersion: version };

  return {
    ...started,
    agents: stored,
    runs,
    calls: () => model.calls,
    /** Instructions the model was sent, call by call. */
    texts: () => model.calls.map(({ prompt }) => prompt[0]?.content),
    start: (request: object, version?: number) =>
      runs.start(T, "helper", { message: "Hi.", ...request }, versionOf(version)),
    estimate: (request: object, version?: number) =>
      runs.estimate(T, "helper", { message: "Hi.", ...request }, versionOf(version)),
  };
}
