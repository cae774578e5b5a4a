/** What is wrong with a loop, and everything of it at once. */

import {
  type AgentDefinitionRequest,
  agentDefinitionRequestSchema,
  type Finding,
} from "@tracon/core";
import { openStores } from "@tracon/store";
import {
  manualClock,
  memoryLog,
  scriptedModel,
  startTestEngine,
  type TestEngineOptions,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";
import { createProviderRegistry } from "../model/provider-registry.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { compileAgent } from "./compile-agent.ts";
import { createLoopHost } from "./loop-host.ts";
import { createRingHosts } from "./ring-hosts.ts";

type Loop = NonNullable<NonNullable<AgentDefinitionRequest["harness"]>["loop"]>;
type Criteria = NonNullable<Loop["criteria"]>;

const TENANT = "default";
const MODEL = { provider: "test", model: "m" };
const OFF = { disableCompaction: true, disableTodoProvider: true, disableAgentModeProvider: true };
const at = (index: number, member: string) => `harness.loop.criteria[${index}].${member}`;
const judge = { judge: { provider: "test", model: "judge" } };
const marker = { kind: "completionMarker", marker: "DONE" };

const review = (reviewerAgent: string, reviewerAgentVersion?: number) => ({
  kind: "agentReview",
  reviewerAgent,
  ...(reviewerAgentVersion === undefined ? {} : { reviewerAgentVersion }),
});

it.each<[string, Criteria, string, string]>([
  ["no kind", [{}], "loop_criterion_kind_missing", at(0, "kind")],
  ["a blank kind", [{ kind: " " }], "loop_criterion_kind_missing", at(0, "kind")],
  [
    "a kind in another case",
    [{ kind: "CompletionMarker" }],
    "loop_criterion_unknown",
    at(0, "kind"),
  ],
  ["a kind nobody registered", [marker, { kind: "x" }], "loop_criterion_unknown", at(1, "kind")],
  ["a kind of the prototype", [{ kind: "toString" }], "loop_criterion_unknown", at(0, "kind")],
  ["no marker", [{ kind: "completionMarker" }], "loop_marker_missing", at(0, "marker")],
  [
    "a blank marker",
    [{ kind: "completionMarker", marker: "\n" }],
    "loop_marker_missing",
    at(0, "marker"),
  ],
  ["no todo list", [{ kind: "todoCompletion" }], "loop_todo_list_missing", at(0, "kind")],
  [
    "no background tasks",
    [{ kind: "backgroundTaskCompletion" }],
    "loop_criterion_idle",
    at(0, "kind"),
  ],
  [
    "no judge",
    [{ kind: "aiJudge", judgeCriteria: ["x"] }],
    "loop_judge_unconfigured",
    at(0, "kind"),
  ],
  ["no reviewer", [{ kind: "agentReview" }], "loop_reviewer_missing", at(0, "reviewerAgent")],
  [
    "a blank reviewer",
    [{ kind: "agentReview", reviewerAgent: " " }],
    "loop_reviewer_missing",
    at(0, "reviewerAgent"),
  ],
  [
    "the agent as its reviewer",
    [{ kind: "agentReview", reviewerAgent: "écrivain".normalize("NFD") }],
    "loop_reviewer_self",
    at(0, "reviewerAgent"),
  ],
  [
    "a reviewer that is not there",
    [review("nobody")],
    "loop_reviewer_not_found",
    at(0, "reviewerAgent"),
  ],
  [
    "a version below 1",
    [review("strict", 0)],
    "loop_reviewer_version_invalid",
    at(0, "reviewerAgentVersion"),
  ],
  [
    "a version that is not there",
    [review("strict", 9)],
    "loop_reviewer_not_found",
    at(0, "reviewerAgentVersion"),
  ],
  [
    "a version no store can have",
    [review("strict", 9e9)],
    "loop_reviewer_not_found",
    at(0, "reviewerAgentVersion"),
  ],
  [
    "a version of an agent of code",
    [review("agent", 1)],
    "loop_reviewer_version_invalid",
    at(0, "reviewerAgentVersion"),
  ],
  [
    "a reviewer that answers in text",
    [review("agent")],
    "loop_reviewer_verdict_unknown",
    at(0, "reviewerAgent"),
  ],
])(
  "finds a criterion with %s, at its place",
  covers(
    "loop-validation.kind-missing",
    "loop-validation.kind-unknown",
    "loop-validation.marker-missing",
    "loop-validation.judge-unconfigured",
    "loop-validation.reviewer-missing",
    "loop-validation.reviewer-self",
    "loop-validation.reviewer-version-below-one",
    "loop-validation.reviewer-version-of-code-agent",
    "loop-validation.reviewer-not-found",
    "loop-validation.reviewer-version-not-found",
    "loop-validation.reviewer-verdict-unknown",
    "loop-criterion.kind-required",
    "loop-criterion.marker-required",
    "loop-criterion.reviewer-required",
    "loop-criterion.reviewer-version-from-one",
    "loop-criterion.judge-binding-required",
  ),
  async (_, criteria, code, path) => {
    const { findings } = await start({});

    expect(placesOf(await findings({ criteria }))).toEqual([[code, path]]);
  },
);

it.each<[string, Loop, string, string]>([
  ["no criterion", { criteria: [] }, "loop_criteria_empty", "harness.loop.criteria"],
  ["nothing at all", {}, "loop_criteria_empty", "harness.loop.criteria"],
  [
    "a ceiling of 0",
    { criteria: [marker], maxIterations: 0 },
    "loop_max_iterations_invalid",
    "harness.loop.maxIterations",
  ],
  [
    "a negative ceiling",
    { criteria: [marker], maxIterations: -1 },
    "loop_max_iterations_invalid",
    "harness.loop.maxIterations",
  ],
  [
    "an unknown outcome",
    { criteria: [marker], onExhausted: "Stop" as never },
    "loop_outcome_invalid",
    "harness.loop.onExhausted",
  ],
  [
    "an unknown outcome of errors",
    { criteria: [marker], onCriterionError: "Stop" as never },
    "loop_outcome_invalid",
    "harness.loop.onCriterionError",
  ],
])(
  "finds a loop with %s, at its place",
  covers(
    "loop-validation.criteria-empty",
    "loop-validation.max-iterations-invalid",
    "loop-validation.on-exhausted-invalid",
    "loop-validation.on-criterion-error-invalid",
  ),
  async (_, loop, code, path) => {
    const { findings } = await start({});

    expect(placesOf(await findings(loop))).toEqual([[code, path]]);
  },
);

it.each<[Criteria[number], readonly string[]]>([
  [{ kind: "aiJudge" }, ["judgeCriteria"]],
  [{ kind: "aiJudge", judgeCriteria: [] }, ["judgeCriteria"]],
  [{ kind: "aiJudge", judgeCriteria: [" ", "x", ""] }, ["judgeCriteria[0]", "judgeCriteria[2]"]],
])(
  "finds what a judge has no criteria for in %j",
  covers(
    "loop-validation.judge-criteria-missing",
    "loop-validation.judge-criterion-blank",
    "loop-criterion.judge-criteria-required",
  ),
  async (criterion, members) => {
    const { findings } = await start(judge);

    const found = placesOf(await findings({ criteria: [criterion] }));

    expect(found).toEqual(members.map((it) => ["loop_judge_criteria_missing", at(0, it)]));
  },
);

it(
  "reports every problem of a loop at once, each with its code and its place",
  covers("loop-validation.all-at-once", "loop-validation.code-and-path"),
  async () => {
    const { findings } = await start({ judge: { provider: "gone", model: "m" } });

    const found = await findings({
      maxIterations: 0,
      onExhausted: "Never" as never,
      criteria: [
        { kind: "" },
        { kind: "unknown" },
        { kind: "completionMarker" },
        { kind: "aiJudge", judgeCriteria: [""] },
        { kind: "agentReview", reviewerAgentVersion: -1 },
        { kind: "agentReview", reviewerAgent: "écrivain" },
        review("nobody"),
        review("agent", 2),
        { kind: "todoCompletion", modes: [""] },
      ],
    });

    expect(placesOf(found)).toEqual([
      ["loop_outcome_invalid", "harness.loop.onExhausted"],
      ["loop_max_iterations_invalid", "harness.loop.maxIterations"],
      ["loop_criterion_kind_missing", at(0, "kind")],
      ["loop_criterion_unknown", at(1, "kind")],
      ["loop_marker_missing", at(2, "marker")],
      ["loop_judge_criteria_missing", at(3, "judgeCriteria[0]")],
      ["loop_judge_unavailable", at(3, "kind")],
      ["loop_reviewer_missing", at(4, "reviewerAgent")],
      ["loop_reviewer_version_invalid", at(4, "reviewerAgentVersion")],
      ["loop_reviewer_self", at(5, "reviewerAgent")],
      ["loop_reviewer_not_found", at(6, "reviewerAgent")],
      ["loop_reviewer_version_invalid", at(7, "reviewerAgentVersion")],
      ["loop_todo_list_missing", at(8, "kind")],
      ["invalid_value", at(8, "modes[0]")],
    ]);
  },
);

it("names the kinds there are when one is not there", async () => {
  const { findings } = await start({ loopEvaluators: { hasCitations: { evaluate: () => stop } } });

  const [found] = await findings({ criteria: [{ kind: "hasCitation" }] });

  expect(found?.message).toMatch(
    /'hasCitation'.*'completionMarker'.*'agentReview', 'hasCitations'/,
  );
});

it(
  "saves a loop whose reviewer answers in another shape, with a warning",
  covers(
    "loop-validation.reviewer-verdict-unknown-is-warning",
    "agent-review.no-schema-can-be-saved",
  ),
  async () => {
    const { engine, definition } = await start({});
    const request = definition({ criteria: [review("agent")] });

    const report = await engine.agents.validate(TENANT, request);
    const saved = await engine.agents.create(TENANT, request);

    expect(report.valid).toBe(true);
    expect(saved.warnings).toMatchObject([{ code: "loop_reviewer_verdict_unknown" }]);
  },
);

it("takes the verdict from the version that reviews", async () => {
  const { engine, findings } = await start({});
  await engine.agents.save(TENANT, "strict", { name: "strict", model: MODEL });

  expect(await findings({ criteria: [review("strict", 1)] })).toEqual([]);
  expect(placesOf(await findings({ criteria: [review("strict")] }))).toEqual([
    ["loop_reviewer_verdict_unknown", at(0, "reviewerAgent")],
  ]);
});

it(
  "accepts two agents that review each other, with a warning",
  covers("agent-review.mutual-review-not-detected"),
  async () => {
    const { engine, findings } = await start({});
    const format = { model: { ...MODEL, responseFormat: VERDICT } };
    const strict = {
      name: "strict",
      harness: { ...OFF, loop: { criteria: [review("écrivain")] } },
    };
    await engine.agents.create(TENANT, { name: "écrivain", ...format });

    await engine.agents.save(TENANT, "strict", { ...strict, ...format });

    expect(await findings({ criteria: [review("strict")] })).toMatchObject([
      { code: "loop_reviewer_cycle", severity: "Warning" },
    ]);
  },
);

it("compiles the criteria in their order, with the ceiling of a loop that names none", async () => {
  const compiled = await compiledLoop({
    criteria: [{ kind: "second" }, marker, { kind: "first" }],
    onExhausted: "failrun" as never,
  });

  expect(compiled).toMatchObject({
    maxIterations: 10,
    freshContextPerIteration: false,
    onExhausted: "FailRun",
    onCriterionError: "ReturnLastResponse",
  });
  expect(typeof compiled === "object" && compiled.criteria.map(({ kind }) => kind)).toEqual([
    "second",
    "completionMarker",
    "first",
  ]);
});

it("compiles no loop of an agent that asks for none", async () => {
  expect(await compiledLoop(undefined)).toBeUndefined();
});

it(
  "does not look for reviewers when it compiles for a run",
  covers("loop-criterion.unknown-kind-fails-build"),
  async () => {
    expect(await compiledLoop({ criteria: [review("nobody")] })).toMatchObject({
      criteria: [{ kind: "agentReview" }],
    });
    expect(await compiledLoop({ criteria: [{ kind: "nobody" }] })).toBe("no agent");
  },
);

const stop = { decision: "stop" } as const;
const VERDICT = {
  kind: "JsonSchema",
  schema: {
    type: "object",
    properties: { approved: { type: "boolean" }, feedback: { type: "string" } },
  },
} as const;

const placesOf = (findings: readonly Finding[]) => findings.map(({ code, path }) => [code, path]);

/** With the agent `agent` of code, and `strict` in the database, which answers with a verdict. */
async function start(options: Pick<TestEngineOptions, "judge" | "loopEvaluators">) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const { engine } = await startTestEngine({ stores, model: scriptedModel([]), ...options });
  const model = { ...MODEL, responseFormat: VERDICT };
  await engine.agents.create(TENANT, { name: "strict", model });
  const definition = (loop: Loop) => ({
    name: "écrivain",
    model: MODEL,
    harness: { ...OFF, loop },
  });
  const findings = async (loop: Loop) => {
    const { messages } = await engine.agents.validate(TENANT, definition(loop));
    return messages as readonly Finding[];
  };
  return { engine, definition, findings };
}

async function compiledLoop(loop: Loop | undefined) {
  const languageModel = () => scriptedModel([]);
  const providers = createProviderRegistry(
    [{ name: "test", kind: "custom", optionsKey: "test", languageModel }],
    [],
  );
  const { registry: tools } = await createToolRegistry({});
  const log = memoryLog();
  const system = { clock: manualClock(), random: () => 0, sleep: () => Promise.resolve() };
  const rings = createRingHosts({}, system);
  const evaluator = { evaluate: () => stop };
  const loopEvaluators = { first: evaluator, second: evaluator };
  const services = () => undefined;
  const host = createLoopHost({ loopEvaluators }, { providers, log, services, ...rings });
  const content = agentDefinitionRequestSchema.parse({
    name: "agent",
    model: MODEL,
    harness: loop === undefined ? OFF : { ...OFF, loop },
  });
  const context = { providers, tools, extensions: new Map(), loop: host, log, ...rings };
  const definition = { ...content, origin: "Database", version: 1 } as const;
  const { agent } = compileAgent(definition, { definitionHash: "", dependencies: {} }, context);
  return agent === undefined ? "no agent" : agent.loop;
}
