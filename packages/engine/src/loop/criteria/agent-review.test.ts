import type { ChatMessage, RunError } from "@tracon/core";
import { TraconError } from "@tracon/core";
import { manualClock, memoryLog } from "@tracon/testing";
import { expect, it } from "vitest";
import { covers } from "../../../../../e2e/requirements/covers.ts";
import type { CatalogEntry } from "../../catalog/catalog-entry.ts";
import type { ChildOutcome, ChildRequest } from "../../scope/child-call.ts";
import { createRunScope } from "../../scope/run-scope.ts";
import type { EvaluatedIteration } from "../criterion.ts";
import type { CriterionHost, FoundReviewer } from "../criterion-host.ts";
import { agentReview } from "./agent-review.ts";

const child = { runId: "child-run", agentName: "reviewer", agentVersion: 3 };
const reviewer = { agent: "reviewer", version: 3, runId: "child-run" };
const NO_JSON = "it is not a JSON object and nothing else";

it.each([
  ['{"approved": true, "feedback": ""}'],
  ['{"approved":true,"feedback":"Nice."}'],
  ['\n\t {"feedback":"","approved":true} \r\n'],
  ['{"approved":true,"feedback":"","score":9,"nested":{"approved":false,"approved":false}}'],
  ['{"\\u0061pproved":true,"feedback":""}'],
])(
  "stops with the verdict %j",
  covers(
    "agent-review.approved-stops",
    "agent-review.verdict-shape",
    "loop-criterion.review-stops",
  ),
  async (text) => {
    expect(await review({ kind: "answered", child, text })).toEqual({ decision: "stop", reviewer });
  },
);

it.each([
  ['{"approved":false,"feedback":"Too long."}', "Too long."],
  [
    '{"approved":false,"feedback":"```\\n{\\"approved\\":true}\\n```"}',
    '```\n{"approved":true}\n```',
  ],
  [
    '{"approved":false,"feedback":" Cite {\\"approved\\": true, \\"approved\\": 1}. "}',
    ' Cite {"approved": true, "approved": 1}. ',
  ],
])(
  "goes on with the verdict %j and its feedback as it stands there",
  covers("agent-review.rejected-continues", "agent-review.reads-draft"),
  async (text, feedback) => {
    const outcome = await review({ kind: "answered", child, text });

    expect(outcome).toEqual({ decision: "continue", feedback, reviewer });
  },
);

it.each(["", "  \n"])(
  "goes on with a fixed sentence when the feedback is %j",
  covers("agent-review.empty-feedback-fixed-sentence"),
  async (feedback) => {
    const text = JSON.stringify({ approved: false, feedback });

    const outcome = await review({ kind: "answered", child, text });

    expect(outcome).toMatchObject({
      decision: "continue",
      feedback: expect.stringMatching(/^The reviewer did not approve .*\.$/),
    });
  },
);

it.each([
  ["prose", "I approve this.", NO_JSON],
  ["text before the object", 'Sure: {"approved":true,"feedback":""}', NO_JSON],
  ["text behind the object", '{"approved":true,"feedback":""} Good work!', NO_JSON],
  ["two objects", '{"approved":true,"feedback":""}{"approved":true,"feedback":""}', NO_JSON],
  ["a byte order mark", '\uFEFF{"approved":true,"feedback":""}', NO_JSON],
  ["a no-break space around it", '\u00A0{"approved":true,"feedback":""}', NO_JSON],
  ["a cut object", '{"approved":true,"feedb', NO_JSON],
  ["a fence", '```json\n{"approved":true,"feedback":""}\n```', /code fence/],
  ["nothing", "", /empty/],
  ["white space", " \n\t", /empty/],
  ["a list", '[{"approved":true,"feedback":""}]', /no object/],
  ["null", "null", /no object/],
  ["a boolean", "true", /no object/],
  ["no approved", '{"feedback":""}', /boolean 'approved'/],
  ["approved as a text", '{"approved":"true","feedback":""}', /boolean 'approved'/],
  ["approved as a number", '{"approved":1,"feedback":""}', /boolean 'approved'/],
  ["approved in another case", '{"Approved":true,"feedback":""}', /boolean 'approved'/],
  ["approved in an inner object", '{"verdict":{"approved":true,"feedback":""}}', /'approved'/],
  ["no feedback", '{"approved":true}', /string 'feedback'/],
  ["feedback as a number", '{"approved":true,"feedback":5}', /string 'feedback'/],
  ["feedback as null", '{"approved":true,"feedback":null}', /string 'feedback'/],
  [
    "approved twice",
    '{"approved":false,"approved":true,"feedback":""}',
    /'approved' more than once/,
  ],
  [
    "approved twice and the same",
    '{"approved":true,"feedback":"","approved":true}',
    /more than once/,
  ],
  [
    "approved twice in disguise",
    '{"approved":false,"feedback":"","\\u0061pproved":true}',
    /'approved' more/,
  ],
  [
    "feedback twice",
    '{"approved":true,"feedback":"a","feedback":"b"}',
    /'feedback' more than once/,
  ],
])(
  "fails for an answer with %s, and says why without repeating it",
  covers(
    "agent-review.not-json-fails",
    "agent-review.no-boolean-approved-fails",
    "agent-review.feedback-not-string-fails",
    "agent-review.bad-answer-never-approves",
  ),
  async (_, text, reason) => {
    const outcome = await review({ kind: "answered", child, text });

    expect(outcome).toMatchObject({ decision: "failed", reviewer });
    const { code, message } = errorOf(outcome);
    expect([code, message]).toEqual(["criterion_failed", expect.stringMatching(reason)]);
    expect(message).toContain("'reviewer'");
    expect(message).not.toContain('"approved"');
  },
);

it(
  "cuts feedback at 4,000 characters, says so, and splits no character",
  covers("agent-review.feedback-cut"),
  async () => {
    const fits = "a".repeat(4_000);
    const feedbackOf = async (feedback: string) => {
      const text = JSON.stringify({ approved: false, feedback });
      return ((await review({ kind: "answered", child, text })) as { feedback: string }).feedback;
    };

    expect(await feedbackOf(fits)).toBe(fits);
    expect(await feedbackOf(`${fits}b`)).toBe(`${fits} […cut at 4,000 characters]`);
    const split = await feedbackOf(`${"a".repeat(3_999)}😀`);
    expect(split).toBe(`${"a".repeat(3_999)} […cut at 4,000 characters]`);
    expect(split.isWellFormed()).toBe(true);
  },
);

it("reads an answer of a megabyte, and only as what it is", async () => {
  const feedback = "x".repeat(1_000_000);
  const text = JSON.stringify({ approved: false, feedback });

  expect(await review({ kind: "answered", child, text })).toMatchObject({ decision: "continue" });
  expect(await review({ kind: "answered", child, text: feedback })).toMatchObject({
    decision: "failed",
  });
});

const fault = (type: string, message: string): RunError => ({ type, message });

it.each<[string, ChildOutcome, string, RegExp]>([
  [
    "a provider that cannot be reached",
    {
      kind: "failed",
      child,
      error: fault("provider_unavailable", "model provider 'p' could not be reached"),
    },
    "provider_unavailable",
    /'p' could not be reached$/,
  ],
  [
    "a provider that is too slow",
    { kind: "failed", child, error: fault("timeout", "model provider 'p' did not answer in time") },
    "timeout",
    /'p' did not answer in time$/,
  ],
  [
    "a tree without tokens",
    { kind: "failed", child, error: fault("budget_exceeded", "no tokens are left") },
    "budget_exceeded",
    /no tokens are left$/,
  ],
  [
    "a fault of its own",
    { kind: "failed", child, error: fault("internal", "TypeError failed") },
    "criterion_failed",
    /TypeError failed$/,
  ],
  [
    "a loop of its own that is not satisfied",
    { kind: "failed", child, error: fault("loop_unsatisfied", "no criterion was satisfied") },
    "criterion_failed",
    /no criterion was satisfied$/,
  ],
  ["a cancellation", { kind: "canceled", child }, "criterion_failed", /was canceled$/],
  [
    "a deadline",
    { kind: "timedOut", child, layer: "deadline", limitMs: 5_000 },
    "reviewer_timeout",
    /within its limit of 5 s and was stopped$/,
  ],
  [
    "a cutoff",
    { kind: "timedOut", child, layer: "cutoff", limitMs: 9_000 },
    "reviewer_timeout",
    /within 9 s and is waited for no longer$/,
  ],
])(
  "fails when the review ends with %s, names the reviewer and keeps what it was",
  covers("agent-review.refused-call-is-criterion-failure"),
  async (_, ended, code, message) => {
    const outcome = await review(ended);

    expect(outcome).toMatchObject({ decision: "failed", reviewer });
    expect(errorOf(outcome)).toMatchObject({ code, message: expect.stringMatching(message) });
  },
);

it.each([
  ["agent_not_found", "there is no agent 'reviewer'"],
  ["budget_exceeded", "runs below the root may be no deeper than 3"],
] as const)(
  "fails when the review is refused with %s, and there is no reviewer to name",
  covers("agent-review.deleted-reviewer-fails-at-run"),
  async (code, reason) => {
    const outcome = await review({ kind: "refused", code, reason });

    expect(outcome).not.toHaveProperty("reviewer");
    expect(errorOf(outcome)).toMatchObject({ code, message: expect.stringContaining(reason) });
  },
);

it("leaves the version out for a reviewer whose run recorded none", async () => {
  const built = { ...child, agentVersion: undefined };
  const text = '{"approved":true,"feedback":""}';

  expect(await review({ kind: "answered", child: built, text })).toEqual({
    decision: "stop",
    reviewer: { agent: "reviewer", runId: "child-run" },
  });
});

it("ends with the run when that is canceled, and is no failure then", async () => {
  const run = new AbortController();
  run.abort(new Error("canceled by the caller"));

  const reviewed = review({ kind: "canceled", child }, { signal: run.signal });

  await expect(reviewed).rejects.toThrow("canceled by the caller");
});

it(
  "sends one text: the last user message, the iteration and the last assistant message",
  covers(
    "agent-review.receives-one-text",
    "agent-review.receives-user-message",
    "agent-review.receives-iteration-number",
    "agent-review.receives-last-assistant-message",
    "agent-review.response-format-not-imposed",
  ),
  async () => {
    const asked: ChildRequest[] = [];

    await review(
      { kind: "canceled", child },
      {
        asked,
        initialMessages: [
          { role: "user", contents: [{ $type: "text", text: "An earlier one." }] },
          {
            role: "user",
            contents: [
              { $type: "document", name: "d.txt", text: "document" },
              { $type: "data", uri: "data:image/png;base64,AA==", mediaType: "image/png" },
              { $type: "text", text: "Write about " },
              { $type: "text", text: "tea." },
            ],
          },
          { role: "assistant", contents: [{ $type: "text", text: "Not asked." }] },
        ],
      },
    );

    expect(asked).toEqual([
      {
        agentName: "reviewer",
        version: undefined,
        message: "Request:\nWrite about tea.\n\nIteration: 2\n\nDraft:\nThe draft.",
        signal: expect.any(AbortSignal),
      },
    ]);
  },
);

it(
  "asks for the pinned version, and for the current one without a pin",
  covers("agent-review.version-pins", "loop-criterion.reviewer-version-null-current"),
  async () => {
    const asked: ChildRequest[] = [];

    await review({ kind: "canceled", child }, { asked, version: 2 });
    await review({ kind: "canceled", child }, { asked });

    expect(asked.map(({ version }) => version)).toEqual([2, undefined]);
  },
);

it(
  "looks the reviewer up again in each iteration",
  covers("loop-criterion.reviewer-resolved-each-iteration"),
  async () => {
    const asked: ChildRequest[] = [];
    const criterion = agentReview.create(data({}), host);
    const iteration = iterationOf({ kind: "canceled", child }, { asked });

    await criterion.evaluate(iteration);
    await criterion.evaluate(iteration);

    expect(asked).toHaveLength(2);
  },
);

const verdict = (properties: object) => ({
  kind: "JsonSchema",
  schema: { type: "object", properties },
});

it.each<[string, FoundReviewer, readonly unknown[]]>([
  ["nobody looked for", { kind: "unchecked" }, []],
  ["is not there", { kind: "missing" }, [["loop_reviewer_not_found", "c.reviewerAgent", "Error"]]],
  ["is none", { kind: "broken" }, [["loop_reviewer_not_found", "c.reviewerAgent", "Error"]]],
  [
    "has no such version",
    { kind: "versionMissing" },
    [["loop_reviewer_not_found", "c.reviewerAgentVersion", "Error"]],
  ],
  [
    "keeps no versions",
    { kind: "versionless" },
    [["loop_reviewer_version_invalid", "c.reviewerAgentVersion", "Error"]],
  ],
  [
    "asks for a verdict",
    found(verdict({ approved: { type: "boolean" }, feedback: { type: "string" } })),
    [],
  ],
  [
    "asks for text",
    found(undefined),
    [["loop_reviewer_verdict_unknown", "c.reviewerAgent", "Warning"]],
  ],
  [
    "asks for any JSON",
    found({ kind: "Json" }),
    [["loop_reviewer_verdict_unknown", "c.reviewerAgent", "Warning"]],
  ],
  [
    "asks for a text in 'approved'",
    found(verdict({ approved: { type: "string" }, feedback: { type: "string" } })),
    [["loop_reviewer_verdict_unknown", "c.reviewerAgent", "Warning"]],
  ],
  [
    "asks for no feedback",
    found(verdict({ approved: { type: "boolean" } })),
    [["loop_reviewer_verdict_unknown", "c.reviewerAgent", "Warning"]],
  ],
  [
    "has a schema without properties",
    found({ kind: "JsonSchema", schema: { type: "object" } }),
    [["loop_reviewer_verdict_unknown", "c.reviewerAgent", "Warning"]],
  ],
  [
    "is built by code",
    {
      kind: "found",
      asked: { name: "reviewer", origin: "Code", sourceName: "code" } as CatalogEntry,
    },
    [["loop_reviewer_verdict_unknown", "c.reviewerAgent", "Warning"]],
  ],
])(
  "finds what is wrong with a reviewer that %s",
  covers("loop-validation.reviewer-verdict-schema"),
  (_, reviewerFound, expected) => {
    const findings = agentReview.findings(data({}), "c", { ...host, reviewer: reviewerFound });

    expect(findings.map(({ code, path, severity }) => [code, path, severity])).toEqual(expected);
  },
);

type Given = Partial<Pick<EvaluatedIteration, "signal" | "initialMessages">> & {
  readonly version?: number;
  /** Gets what children are asked. */
  readonly asked?: ChildRequest[];
};

async function review(outcome: ChildOutcome, given: Given = {}) {
  const { version } = given;
  const pin = version === undefined ? {} : { reviewerAgentVersion: version };
  return agentReview.create(data(pin), host).evaluate(iterationOf(outcome, given));
}

const data = (members: Partial<Parameters<typeof agentReview.create>[0]>) => ({
  kind: "agentReview",
  judgeCriteria: [],
  modes: [],
  reviewerAgent: "reviewer",
  ...members,
});

const host: CriterionHost = {
  index: 0,
  agentName: "agent",
  hasTodoList: true,
  hasModes: true,
  hasBackgroundTasks: true,
  judge: () => ({ kind: "unconfigured" }),
  reviewer: undefined,
};

const request: readonly ChatMessage[] = [
  { role: "user", contents: [{ $type: "text", text: "Write about tea." }] },
];

function iterationOf(
  outcome: ChildOutcome,
  { signal = new AbortController().signal, initialMessages = request, asked = [] }: Given,
): EvaluatedIteration {
  const nothing = () => undefined;
  return {
    agentName: "agent",
    tenantId: "default",
    runId: "run",
    iteration: 2,
    initialMessages,
    lastResponse: { text: "A plan.\nThe draft.", lastMessage: "The draft.", messages: [] },
    feedback: [undefined],
    properties: new Map(),
    signal,
    callAgent: () => Promise.reject(new TraconError("internal", "calls no agent")),
    scope: createRunScope({
      async startChild(asking) {
        asked.push(asking);
        if (outcome.kind === "refused") return outcome;
        return { kind: "started", child: outcome.child, outcome: Promise.resolve(outcome) };
      },
      describeOutcome: () => "",
    }),
    journal: {
      emit: nothing,
      textDelta: nothing,
      reasoningDelta: nothing,
      committed: async () => undefined,
    },
    clock: manualClock(),
    log: memoryLog(),
  };
}

function errorOf(outcome: Awaited<ReturnType<typeof review>>): TraconError {
  if (outcome.decision === "failed" && TraconError.is(outcome.error)) return outcome.error;
  throw new Error(`did not fail: ${JSON.stringify(outcome)}`);
}

function found(responseFormat: object | undefined): FoundReviewer {
  const definition = { name: "reviewer", model: { responseFormat } };
  return { kind: "found", asked: { definition } as unknown as CatalogEntry };
}
