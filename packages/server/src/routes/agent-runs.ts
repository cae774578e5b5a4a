import {
  agentRunRequestSchema,
  contextWindowEstimateSchema,
  type Finding,
  finding,
  type RunFrame,
  type RunResult,
  runResultSchema,
  TraconError,
} from "@tracon/core";
import type { RunHandle } from "@tracon/engine";
import * as z from "zod";
import { preferredType } from "../accept.ts";
import { agentNameOf } from "../agent-name.ts";
import { json } from "../json-response.ts";
import * as examples from "../openapi/examples.ts";
import { problemOf } from "../problem.ts";
import { switchText } from "../read-query.ts";
import { defineRoute, type RouteContext } from "../route.ts";
import { eventStreamResponse } from "../sse/event-stream.ts";
import { bytesOf, errorFrame, runFrames } from "../sse/frame.ts";
import { TENANT_ID } from "../tenant.ts";

const versionQuery = z.coerce
  .number()
  .pipe(z.int().min(1).max(2_147_483_647))
  .describe("Use this version of a stored agent instead of the current one.")
  .optional();

export const runAgent = defineRoute({
  method: "POST",
  path: "/api/agents/{name}/run",
  operationId: "runAgent",
  tag: "Runs",
  summary: "Run an agent",
  description:
    "Answers with the run's stream, or with one JSON body when `Accept` prefers `application/json`. A run that failed is a result too: its `status` and `error` say so. With `sessionId` the run continues that conversation, or opens it, and saves its turn there; when another turn was saved first, the answer is 409 and the turn is to be sent again. A run with tool calls that wait for a decision ends `AwaitingApproval` and names them; decide them in `approvals` of the next request of the session, all at once, or at `/api/approvals`. Calls of the client's own tools are answered in `toolResults`. The run outlives its caller unless `abortOnDisconnect` is given.",
  access: "guarded",
  query: z.object({
    abortOnDisconnect: switchText()
      .describe("Cancel the run when the caller goes away before its end.")
      .default(false),
    version: versionQuery,
  }),
  headers: [
    {
      name: "Idempotency-Key",
      description: "Not part of this version: answered with 501, and nothing is run.",
      example: "5f0c6b1e",
    },
    {
      name: "Prefer",
      description: "`respond-async` is not part of this version: answered with 501.",
      example: "respond-async",
    },
  ],
  body: { schema: agentRunRequestSchema, example: examples.runRequest, limit: "runBodyBytes" },
  responses: {
    200: {
      description: "The run.",
      content: {
        "text/event-stream": { example: examples.runStream },
        "application/json": { schema: runResultSchema, example: examples.runResult },
      },
    },
  },
  errors: [
    "agent_not_found",
    "agent_version_not_found",
    "approval_conflict",
    "tool_result_conflict",
    "context_window_exceeded",
    "compilation_failed",
    "draining",
    "feature_unavailable",
    "session_conflict",
    "session_unreadable",
  ],

  async handler({ request, context, param, query, body }) {
    const agentName = agentNameOf(param("name"));
    refuseLaterFeatures(request.headers);
    const asJson = prefersJson(request.headers);
    const abandoned = new AbortController();
    const signal = query.abortOnDisconnect
      ? AbortSignal.any([abandoned.signal, request.signal])
      : undefined;

    const run = await context.engine.runs.start(TENANT_ID, agentName, body, {
      isStreaming: !asJson,
      readHeader: (name) => request.headers.get(name) ?? undefined,
      ...(query.version === undefined ? {} : { agentVersion: query.version }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (asJson) return json(savedResult(await run.result));
    return streamOf(run, { request, context, abandon: () => abandoned.abort() });
  },
});

export const estimateAgent = defineRoute({
  method: "POST",
  path: "/api/agents/{name}/estimate",
  operationId: "estimateAgent",
  tag: "Runs",
  summary: "Estimate the prompt of a run",
  description:
    "Takes the body of a run and checks it as a run does, parameters included, but records nothing and calls no model. A token is counted for every four UTF-8 bytes of the instructions, the message, each tool and the response schema. A fifth of the context window is kept for the answer, unless `preflight.reserveRatio` says otherwise.",
  access: "guarded",
  query: z.object({ version: versionQuery }),
  body: { schema: agentRunRequestSchema, example: examples.runRequest, limit: "runBodyBytes" },
  responses: {
    200: {
      description: "The prompt against the model's context window.",
      content: {
        "application/json": {
          schema: contextWindowEstimateSchema,
          example: examples.contextWindowEstimate,
        },
      },
    },
  },
  errors: [
    "agent_not_found",
    "agent_version_not_found",
    "compilation_failed",
    "feature_unavailable",
    "session_conflict",
    "session_unreadable",
  ],
  async handler({ context, param, query, body }) {
    const agentName = agentNameOf(param("name"));
    const options = query.version === undefined ? {} : { agentVersion: query.version };
    return json(await context.engine.runs.estimate(TENANT_ID, agentName, body, options));
  },
});

/**
 * A failed run is a result, but a turn that is not in its session is not: whoever keeps the conversation
 * has to send it again.
 */
function savedResult(result: RunResult): RunResult {
  const { error, runId } = result;
  if (error?.type !== "session_conflict") return result;
  throw new TraconError("session_conflict", error.message, { extensions: { runId } });
}

const prefersJson = (headers: Headers): boolean =>
  preferredType(headers.get("accept"), ["text/event-stream", "application/json"]) ===
  "application/json";

function streamOf(
  run: RunHandle,
  options: {
    readonly request: Request;
    readonly context: RouteContext;
    readonly abandon: () => void;
  },
): Response {
  const { request, context, abandon } = options;
  return eventStreamResponse<RunFrame>({
    batches: run.frames(),
    encode: (frames) => bytesOf(runFrames(frames)),
    onFailure: (error) => errorFrame({ ...problemOf(error, context), runId: run.runId }),
    onDisconnect: abandon,
    signal: request.signal,
    clock: context.clock,
    timer: context.timer,
    keepAliveMs: context.limits.keepAliveMs,
  });
}

const RESPOND_ASYNC = /(?:^|,) *respond-async *(?:[,;]|$)/i;

/** A header that asks for a promise we cannot keep is refused, never ignored. */
function refuseLaterFeatures(headers: Headers): void {
  const findings: Finding[] = [];
  if (headers.has("idempotency-key")) {
    const message = "idempotent runs are not part of this version";
    findings.push(finding("feature_unavailable", "headers.Idempotency-Key", message));
  }
  if (RESPOND_ASYNC.test(headers.get("prefer") ?? "")) {
    const message = "queued runs are not part of this version";
    findings.push(finding("feature_unavailable", "headers.Prefer", message));
  }
  if (findings.length === 0) return;
  throw new TraconError("feature_unavailable", findings.map((it) => it.message).join("; "), {
    findings,
  });
}
