import { readFileSync } from "node:fs";
import type { LanguageModelV4Middleware } from "@ai-sdk/provider";
import { tool } from "@ai-sdk/provider-utils";
import { openStores } from "@tracon/store";
import {
  type ScriptedModel,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { covers } from "../../../../e2e/requirements/covers.ts";
import type { AgentExtension, ExtensionContext } from "./agent-extension.ts";

const TENANT = "default";

const PROTECTED = covers(
  "extension.tool-chain-protected",
  "extension.approval-protected",
  "extension.instructions-protected",
  "extension.sampling-protected",
  "extension.file-access-protected",
  "extension.file-memory-protected",
  "extension.web-search-protected",
  "extension.compaction-protected",
  "extension.loop-protected",
  "extension.sub-agents-protected",
  "extension.protected-change-fails",
);
const UNSETTABLE = covers(
  "extension.history-provider-protected",
  "extension.skill-scan-protected",
  "extension.indirect-options-protected",
  "extension.unsupported-options-protected",
);

it(
  "sets options that a definition has no member for, beside those it has",
  covers("extension.sets-unmodelled-option", "extension.other-options-free"),
  async () => {
    const apply = ({ options }: ExtensionContext) => {
      options.topK = 5;
      options.seed = 7;
      options.presencePenalty = 0.5;
      options.frequencyPenalty = 0.25;
      options.stopSequences = ["END"];
      options.headers = { "x-team": "support" };
      options.providerOptions.test = { ...options.providerOptions.test, effort: "low" };
    };
    const { model, run } = await start(
      ["Done."],
      { extensions: { tune: { apply } } },
      {
        extensionNames: ["tune"],
        model: { ...MODEL, temperature: 0.2, providerSettings: { "test.tier": "flex" } },
      },
    );

    await run();

    expect(model.calls[0]).toMatchObject({
      temperature: 0.2,
      topK: 5,
      seed: 7,
      presencePenalty: 0.5,
      frequencyPenalty: 0.25,
      stopSequences: ["END"],
      headers: { "x-team": "support" },
      providerOptions: { test: { tier: "flex", effort: "low" } },
    });
  },
);

it("gives a fallback model the same options, without the vendor options of the definition", async () => {
  const spare = scriptedModel(["Spared."]);
  const unreachable = Object.assign(new Error("no"), { status: 503 });
  const apply = ({ options }: ExtensionContext) => {
    options.topK = 5;
    options.providerOptions.spare = { effort: "low" };
  };
  const { run } = await start(
    [{ throws: unreachable }],
    { extensions: { tune: { apply } }, providers: { spare } },
    {
      extensionNames: ["tune"],
      model: {
        ...MODEL,
        providerSettings: { "test.tier": "flex" },
        fallbacks: [{ provider: "spare", model: "m" }],
      },
    },
  );

  const { result } = await run();

  expect(result.output).toBe("Spared.");
  expect(spare.calls[0]?.topK).toBe(5);
  expect(spare.calls[0]?.providerOptions).toEqual({ spare: { effort: "low" } });
});

it(
  "runs extensions in the order of the definition, over everything the definition decides",
  covers(
    "extension.registered-in-code",
    "extension.run-in-listed-order",
    "extension.run-after-definition-options",
  ),
  async () => {
    const seen: unknown[] = [];
    const watch = (name: string): AgentExtension => ({
      apply: ({ options, agentName }) => {
        seen.push([name, agentName, options.definition.instructions, options.topK]);
        options.topK = 1;
      },
    });
    const { engine } = await start([], { extensions: { a: watch("a"), b: watch("b") } });

    await validate(engine, { instructions: "Be kind.", extensionNames: ["b", "a"] });

    expect(seen).toEqual([
      ["b", "checked", "Be kind.", undefined],
      ["a", "checked", "Be kind.", 1],
    ]);
  },
);

it(
  "runs extensions when an agent is compiled, and not for the runs that share it",
  covers("extension.run-at-compile"),
  async () => {
    const counter = counting();
    const { engine, run } = await start(
      ["One.", "Two."],
      { extensions: counter.extensions },
      {
        extensionNames: ["count"],
      },
    );
    await run();
    const compiled = counter.count();

    await run();

    expect(compiled).toBeGreaterThan(0);
    expect(counter.count()).toBe(compiled);
    await engine.close();
  },
);

it(
  "runs extensions for every run with parameter values",
  covers("extension.run-each-time-with-parameters"),
  async () => {
    const counter = counting();
    const { run } = await start(
      ["One.", "Two."],
      { extensions: counter.extensions },
      {
        extensionNames: ["count"],
        instructions: "{{tone}}",
        parameters: [{ name: "tone", kind: "Text", defaultValue: "formal" }],
      },
    );
    await run();
    const before = counter.count();

    await run();

    expect(counter.count()).toBe(before + 1);
  },
);

it(
  "runs extensions when a definition is validated",
  covers("extension.validate-runs-extensions"),
  async () => {
    const counter = counting();
    const { engine } = await start([], { extensions: counter.extensions });

    const report = await validate(engine, { extensionNames: ["count"] });

    expect(report.valid).toBe(true);
    expect(counter.count()).toBe(1);
  },
);

it.each([
  ["toolNames", ["look", "other"]],
  ["toolLoop", { allowConcurrentToolCalls: true }],
  ["harness", { disableToolAutoApproval: true }],
  ["harness", { enableWebSearch: true }],
  ["harness", { loop: { criteria: [] } }],
  ["instructions", "Be rude."],
  ["temperature", 2],
  ["topP", 0],
  ["maxOutputTokens", 1],
  ["reasoningEffort", "max"],
  ["responseFormat", { kind: "Json" }],
  ["workspace", { root: "/" }],
  ["skills", { names: ["a"] }],
  ["memory", { enableFileMemory: true }],
  ["compaction", { strategy: "Truncate" }],
  ["callableAgents", [{ name: "other" }]],
  ["subAgents", {}],
  ["surprise", 1],
])("refuses an extension that sets %s to %o", PROTECTED, async (member, value) => {
  const apply = ({ options }: ExtensionContext) =>
    void Reflect.set(options.definition, member, value);
  const { engine } = await start([], { extensions: { bold: { apply } } });

  const report = await validate(engine, { extensionNames: ["bold"] });

  expect(report).toMatchObject({
    valid: false,
    messages: [
      {
        code: "extension_refused",
        path: "extensionNames[0]",
        message: `extension 'bold' changes '${member}', which the definition owns`,
      },
    ],
  });
});

it("refuses an extension that puts another object in the place of the definition's members", async () => {
  const apply = ({ options }: ExtensionContext) => {
    (options as { definition: unknown }).definition = {};
  };
  const { engine } = await start([], { extensions: { bold: { apply } } });

  expect((await validate(engine, { extensionNames: ["bold"] })).valid).toBe(false);
});

it("refuses a change of a vendor option that the definition sets", async () => {
  const apply = ({ options }: ExtensionContext) => {
    options.providerOptions.test = { tier: "priority" };
  };
  const { engine } = await start([], { extensions: { bold: { apply } } });

  const report = await validate(engine, {
    model: { ...MODEL, providerSettings: { "test.tier": "flex" } },
    extensionNames: ["bold"],
  });

  expect(report.messages.map(({ message }) => message)).toEqual([
    "extension 'bold' changes 'providerOptions.test.tier', which the definition owns",
  ]);
});

it.each(["tools", "toolChoice", "reasoning", "chatHistory", "skillFolders", "abortSignal"])(
  "refuses an extension that sets %s, which would change what it must not or has no effect",
  UNSETTABLE,
  async (member) => {
    const apply = ({ options }: ExtensionContext) => void Reflect.set(options, member, {});
    const { engine } = await start([], { extensions: { bold: { apply } } });

    const report = await validate(engine, { extensionNames: ["bold"] });

    expect(report.valid).toBe(false);
    expect(report.messages[0]?.message).toContain(`extension 'bold' sets '${member}'`);
  },
);

it.each([
  ["topK", "many", "sets 'topK' to a value that does not fit"],
  ["stopSequences", [1], "sets 'stopSequences' to a value that does not fit"],
  ["providerOptions", { test: { callback: () => 1 } }, "sets 'providerOptions' to a value"],
  [
    "headers",
    { Authorization: "Bearer x" },
    "sets 'headers.Authorization', which the configuration",
  ],
])(
  "refuses a value of %s that cannot be sent or decides what others decide",
  async (member, value, message) => {
    const apply = ({ options }: ExtensionContext) => void Reflect.set(options, member, value);
    const { engine } = await start([], { extensions: { bold: { apply } } });

    const report = await validate(engine, { extensionNames: ["bold"] });

    expect(report.valid).toBe(false);
    expect(report.messages[0]?.message).toContain(message);
  },
);

it(
  "has a guide that names every option, protected or free",
  covers("extension.protected-options-documented"),
  async () => {
    const guide = readFileSync("docs/guides/extensions.md", "utf8");
    let members: readonly string[] = [];
    const apply = ({ options }: ExtensionContext) => {
      members = [...Object.keys(options.definition), ...Object.keys(options)];
    };
    const { engine } = await start([], { extensions: { reads: { apply } } });

    await validate(engine, { extensionNames: ["reads"] });

    const documented = members.filter((member) => member !== "definition");
    expect(documented.length).toBeGreaterThan(10);
    expect(documented.filter((member) => !guide.includes(`\`${member}\``))).toEqual([]);
  },
);

it("says what an extension did wrong without its own words, which only the log has", async () => {
  const apply = () => {
    throw new RangeError("secret of the extension");
  };
  const { engine, log } = await start([], { extensions: { broken: { apply } } });

  const report = await validate(engine, { extensionNames: ["broken"] });

  expect(report.messages).toMatchObject([
    { code: "extension_refused", message: "extension 'broken' failed with RangeError" },
  ]);
  expect(JSON.stringify(log.entries)).toContain("secret of the extension");
});

it("refuses an extension that is asynchronous", async () => {
  const apply = (async () => {
    throw new Error("late");
  }) as unknown as AgentExtension["apply"];
  const { engine } = await start([], { extensions: { slow: { apply } } });

  const report = await validate(engine, { extensionNames: ["slow"] });

  expect(report.messages[0]?.message).toContain("is asynchronous");
});

it("takes nothing from an extension once its agent is compiled", async () => {
  let kept: ExtensionContext | undefined;
  const apply = (context: ExtensionContext) => {
    kept = context;
  };
  const { model, run } = await start(
    ["Done."],
    { extensions: { keep: { apply } } },
    {
      extensionNames: ["keep"],
    },
  );
  await run();
  const provider = { name: "late", before: () => ({ instructions: "Late." }) };

  const late = () => kept?.addContextProvider(provider);

  expect(late).toThrow("the agent is compiled");
  expect(model.calls[0]?.prompt.map(({ role }) => role)).toEqual(["user"]);
});

it(
  "reports unknown and repeated names with their place",
  covers(
    "extension.unknown-name-reported",
    "extension.repeated-name-reported",
    "extension.unregistered-fails-build",
    "compile.unknown-extension",
  ),
  async () => {
    const { engine } = await start([], { extensions: { known: { apply: () => undefined } } });
    const names = { extensionNames: ["known", "other", "known"] };

    const report = await validate(engine, names);
    const save = engine.agents.create(TENANT, { name: "checked", model: MODEL, ...names });

    const findings = [
      { code: "unknown_extension", path: "extensionNames[1]" },
      { code: "duplicate_name", path: "extensionNames[2]" },
    ];
    expect(report.messages).toMatchObject(findings);
    await expect(save).rejects.toMatchObject({ code: "definition_invalid", details: { findings } });
  },
);

it(
  "takes names of extensions in a definition, and no code",
  covers("extension.names-only"),
  async () => {
    const { engine } = await start([], {});

    const report = await validate(engine, { extensionNames: [{ apply: "code" }] });

    expect(report.messages).toMatchObject([{ code: "invalid_value", path: "extensionNames[0]" }]);
  },
);

it.each([
  [{}, "without a name"],
  [{ name: "empty" }, "has neither before nor after"],
  [{ name: "known", before: () => undefined }, "adds a second context provider 'known'"],
])("refuses the context provider %o", async (provider, message) => {
  const apply = ({ addContextProvider }: ExtensionContext) => {
    addContextProvider({ name: "known", after: () => undefined });
    addContextProvider(provider as never);
  };
  const { engine } = await start([], { extensions: { adds: { apply } } });

  const report = await validate(engine, { extensionNames: ["adds"] });

  expect(report.messages[0]?.message).toContain(message);
});

it.each([
  [{ slot: "Everywhere", middleware: { wrapStream: () => undefined } }, "use ModelCall or Turn"],
  [{ slot: "Turn", middleware: { wrapGenerate: () => undefined } }, "every call streams"],
])("refuses the ring %o", async (ring, message) => {
  const apply = ({ useChatClient }: ExtensionContext) => useChatClient(ring as never);
  const { engine } = await start([], { extensions: { adds: { apply } } });

  const report = await validate(engine, { extensionNames: ["adds"] });

  expect(report.messages[0]?.message).toContain(message);
});

it(
  "puts AI SDK middleware around the model of a stored agent",
  covers("extension-ring.added-by-extension", "extension.keeps-model-rings"),
  async () => {
    const middleware: LanguageModelV4Middleware = {
      specificationVersion: "v4",
      transformParams: async ({ params }) => ({ ...params, temperature: 1 }),
    };
    const apply = ({ useChatClient }: ExtensionContext) =>
      useChatClient({ slot: "ModelCall", middleware });
    const { engine, model } = await start(
      [{ text: "Done.", usage: { inputTokens: 10, outputTokens: 1 } }],
      { extensions: { ring: { apply } }, models: [PRICED] },
    );
    const definition = { name: "stored", model: MODEL, extensionNames: ["ring"] };
    await engine.agents.create(TENANT, definition);

    const { result } = await engine.runs.start(TENANT, "stored", { message: "Go." });

    expect(await result).toMatchObject({ status: "Completed", cost: { totalCost: 11 } });
    expect(model.calls[0]?.temperature).toBe(1);
  },
);

it("names the extensions in the hash of what shaped a run", async () => {
  const nothing = { apply: () => undefined };
  const { engine } = await start(["One.", "Two."], { extensions: { one: nothing, two: nothing } });
  await engine.agents.create(TENANT, { name: "a", model: MODEL, extensionNames: ["one"] });
  const first = await engine.runs.start(TENANT, "a", { message: "Go." });
  await first.result;
  await engine.agents.save(TENANT, "a", { name: "a", model: MODEL, extensionNames: ["two"] });

  const second = await engine.runs.start(TENANT, "a", { message: "Go." });
  await second.result;

  const hashes = await Promise.all(
    [first, second].map(async ({ runId }) => (await engine.runs.get(TENANT, runId)).lockfileHash),
  );
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(hashes[0]).not.toBe(hashes[1]);
});

it(
  "lists the registered extensions by name and runs none",
  covers("extension.list-runs-no-code"),
  async () => {
    const counter = counting();
    const { engine } = await start([], {
      extensions: {
        ...counter.extensions,
        also: { description: "Another.", apply: () => undefined },
      },
    });

    expect(engine.extensions()).toEqual([
      { name: "also", description: "Another." },
      { name: "count" },
    ]);
    expect(counter.count()).toBe(0);
  },
);

const MODEL = { provider: "test", model: "test-model" };
const PRICED = {
  ...MODEL,
  supportsTools: true,
  supportsStructuredOutput: false,
  price: { currency: "USD", inputPerMillion: 1_000_000, outputPerMillion: 1_000_000 },
};

function counting() {
  let count = 0;
  const apply = () => {
    count++;
  };
  return { extensions: { count: { apply } }, count: () => count };
}

async function start(
  script: readonly ScriptedStep[],
  options: Partial<TestEngineOptions>,
  agent: NonNullable<TestEngineOptions["agent"]> = {},
): Promise<Awaited<ReturnType<typeof startTestEngine>> & { readonly model: ScriptedModel }> {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const tools = { look: tool({ inputSchema: z.object({}), execute: () => 1 }) };
  return { ...(await startTestEngine({ stores, model, tools, agent, ...options })), model };
}

const validate = (
  engine: Awaited<ReturnType<typeof start>>["engine"],
  definition: Partial<Record<string, unknown>>,
) => engine.agents.validate(TENANT, { name: "checked", model: MODEL, ...definition });
