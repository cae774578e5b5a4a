import { memoryLog, scriptedModel } from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";
import { covers } from "../../../e2e/requirements/covers.ts";
import type { TraconConfig } from "./config/config.ts";
import { createTracon } from "./create-tracon.ts";
import type { Tracon } from "./tracon.ts";

const MODEL = { provider: "test", model: "m" };

it(
  "lists the criteria over HTTP and for the application, and builds none of them",
  covers("loop-criteria-list.endpoint"),
  async () => {
    let built = 0;
    const create = () => {
      built++;
      return { evaluate: () => ({ decision: "stop" }) as const };
    };
    const { ask, tracon } = await start({
      loopEvaluators: { hasCitations: { description: "Every claim has a citation.", create } },
      judge: { provider: "test", model: "judge", fallbacks: [MODEL] },
    });

    const { status, body } = await ask("/api/loop-criteria");

    expect(status).toBe(200);
    expect(body).toMatchObject({
      criteria: [
        { kind: "completionMarker", isBuiltIn: true, fields: ["marker"] },
        { kind: "todoCompletion" },
        { kind: "aiJudge" },
        { kind: "backgroundTaskCompletion", fields: [] },
        { kind: "agentReview" },
        { kind: "hasCitations", description: "Every claim has a citation.", isBuiltIn: false },
      ],
    });
    expect(body).toHaveProperty("judge", { provider: "test", model: "judge" });
    expect(tracon.loopCriteria()).toEqual(body);
    expect(built).toBe(0);
  },
);

it(
  "answers 400 with every problem when a loop is saved, and the same ones when it is validated",
  covers("loop-validation.save-400-all-messages", "loop-criterion.unknown-kind-refused-400"),
  async () => {
    const { ask } = await start({});
    const definition = looping([
      { kind: "nobody" },
      { kind: "aiJudge", judgeCriteria: [] },
      { kind: "agentReview", reviewerAgent: "writer" },
    ]);

    const validated = await ask("/api/agents/validate", definition);
    const saved = await ask("/api/agents", definition);

    const codes = [
      "loop_criterion_unknown",
      "loop_judge_criteria_missing",
      "loop_judge_unconfigured",
      "loop_reviewer_self",
    ];
    expect(validated).toMatchObject({ status: 200, body: { valid: false } });
    expect(codesOf(validated.body, "messages")).toEqual(codes);
    expect(saved).toMatchObject({ status: 400, body: { code: "definition_invalid" } });
    expect(codesOf(saved.body, "findings")).toEqual(codes);
  },
);

it(
  "gives a factory the running Tracon, whose catalog it can use",
  covers("code-criterion.factory-can-use-catalog"),
  async () => {
    const given: Tracon[] = [];
    const names: Promise<readonly string[]>[] = [];
    const { ask, tracon } = await start({
      agents: [{ name: "support", model: MODEL }],
      loopEvaluators: {
        mine: {
          create(services) {
            given.push(services);
            names.push(services.agents.list().then((agents) => agents.map(({ name }) => name)));
            return { evaluate: () => ({ decision: "stop" }) };
          },
        },
      },
    });

    const saved = await ask("/api/agents", looping([{ kind: "mine" }]));

    expect(saved.status).toBe(201);
    expect(given).toEqual([tracon]);
    expect(await names[0]).toContain("support");
  },
);

it(
  "answers 400 when the factory of a criterion throws, without its words",
  covers("code-criterion.throwing-factory-save-400"),
  async () => {
    const create = () => {
      throw new Error("secret of the factory");
    };
    const { ask } = await start({ loopEvaluators: { mine: { create } } });

    const saved = await ask("/api/agents", looping([{ kind: "mine" }]));

    expect(saved.status).toBe(400);
    expect(codesOf(saved.body, "findings")).toEqual(["compilation_error"]);
    expect(JSON.stringify(saved.body)).toContain("'mine' failed with Error");
    expect(JSON.stringify(saved.body)).not.toContain("secret");
  },
);

const looping = (criteria: readonly object[]) => ({
  name: "writer",
  model: MODEL,
  harness: {
    disableCompaction: true,
    disableTodoProvider: true,
    disableAgentModeProvider: true,
    loop: { criteria },
  },
});

const codesOf = (body: unknown, member: "messages" | "findings"): readonly string[] =>
  (body as Record<typeof member, readonly { readonly code: string }[]>)[member].map(
    ({ code }) => code,
  );

async function start(config: TraconConfig) {
  const tracon = await createTracon(
    {
      storage: "memory:",
      providers: { test: { languageModel: () => scriptedModel([]) } },
      log: memoryLog(),
      ...config,
    },
    { env: {} },
  );
  onTestFinished(() => tracon.close({ graceMs: 0 }));

  async function ask(path: string, body?: unknown) {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const url = `http://localhost/tracon${path}`;
    const response = await tracon.fetch(new Request(url, body === undefined ? {} : init));
    return { status: response.status, body: (await response.json()) as unknown };
  }
  return { tracon, ask };
}
