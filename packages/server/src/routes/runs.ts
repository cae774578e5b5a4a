import {
  type RunFilter,
  type RunRecord,
  runInputSchema,
  runKindSchema,
  runRecordSchema,
  runStatuses,
  runTraceSchema,
  toolInvocationSchema,
} from "@tracon/core";
import * as z from "zod";
import { json } from "../json-response.ts";
import * as examples from "../openapi/examples.ts";
import { filterText, instant, integer, oneOf, runIdText, switchText, take } from "../read-query.ts";
import { defineRoute } from "../route.ts";
import { decodeRunCursor, encodeRunCursor } from "../run-cursor.ts";
import { runIdOf } from "../run-id.ts";
import { TENANT_ID } from "../tenant.ts";

const tag = "Runs";
const recordContent = {
  "application/json": { schema: runRecordSchema, example: examples.runRecord },
};

const listQuery = z.object({
  agentName: filterText(128).optional(),
  status: oneOf(runStatuses).optional(),
  kind: oneOf(runKindSchema.options).optional(),
  sessionId: filterText(128).optional(),
  userId: filterText(256).optional(),
  errorType: filterText(128).describe("`type` of the error the run failed with.").optional(),
  startedAfter: instant().describe("Runs started at this time or later.").optional(),
  includeChildren: switchText().describe("Runs started by other runs, too.").optional(),
  parentRunId: runIdText().describe("Children of this run.").optional(),
  rootRunId: runIdText().describe("Runs of this run's tree.").optional(),
  skip: integer(0).describe("Runs to leave out; prefer the `Link` header.").default(0),
  take: take(),
  cursor: filterText(64).describe("From a `Link` header of this list.").optional(),
});

export const listRuns = defineRoute({
  method: "GET",
  path: "/api/runs",
  operationId: "listRuns",
  tag,
  summary: "List runs",
  description:
    "Newest first; only runs without a parent unless children, a parent or a root are asked for. Follow the `Link` header for the next page: it costs the same however deep it is.",
  access: "guarded",
  query: listQuery,
  responses: {
    200: {
      description: "The runs that match.",
      content: {
        "application/json": { schema: z.array(runRecordSchema), example: [examples.runRecord] },
      },
      headers: { Link: 'The next page, as `rel="next"`; absent on the last page.' },
    },
  },
  errors: ["cursor_invalid"],
  async handler({ context, query }) {
    const { skip, take, cursor, ...filter } = query;
    const page = {
      skip,
      take,
      ...(cursor === undefined ? {} : { before: decodeRunCursor(cursor) }),
    };
    const runs = await context.engine.runs.list(TENANT_ID, filter as RunFilter, page);

    const last = runs.length === take ? runs.at(-1) : undefined;
    if (last === undefined) return json(runs);
    const next = nextPage(`${context.prefix}/api/runs`, query, last);
    return json(runs, { headers: { link: `<${next}>; rel="next"` } });
  },
});

export const getRun = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}",
  operationId: "getRun",
  tag,
  summary: "Read a run",
  description:
    "The summary, also while the run is going on. `usage` and `cost` are of the run alone, `treeUsage` and `treeCost` of every run of its tree, each counted once.",
  access: "guarded",
  responses: { 200: { description: "The run.", content: recordContent } },
  errors: ["run_not_found"],
  async handler({ context, param }) {
    return json(await context.engine.runs.get(TENANT_ID, runIdOf(param("runId"))));
  },
});

export const getRunTree = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/tree",
  operationId: "getRunTree",
  tag,
  summary: "Read the tree of a run",
  description:
    "The whole tree from its root, whichever of its runs is asked: the root first, then the oldest. A tree of more than 200 runs is cut there; the list of runs with `rootRunId` has them all.",
  access: "guarded",
  responses: {
    200: {
      description: "The runs of the tree.",
      content: {
        "application/json": { schema: z.array(runRecordSchema), example: examples.runTree },
      },
    },
  },
  errors: ["run_not_found"],
  async handler({ context, param }) {
    return json(await context.engine.runs.tree(TENANT_ID, runIdOf(param("runId"))));
  },
});

export const cancelRun = defineRoute({
  method: "POST",
  path: "/api/runs/{runId}/cancel",
  operationId: "cancelRun",
  tag,
  summary: "Ask a run to end",
  description:
    "The answer says that it was asked; read the run for how it ended. Of a run that waits for decisions the calls are declined: the run `continuationRunId` is opened, and canceled at once.",
  access: "guarded",
  responses: { 202: { description: "The run as it stands.", content: recordContent } },
  errors: ["run_not_found", "run_not_cancelable"],
  async handler({ context, param }) {
    const record = await context.engine.runs.cancel(TENANT_ID, runIdOf(param("runId")));
    return json(record, { status: 202 });
  },
});

export const listRunTools = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/tools",
  operationId: "listRunTools",
  tag,
  summary: "List the tool calls of a run",
  description: "In order, also those still open.",
  access: "guarded",
  responses: {
    200: {
      description: "The calls.",
      content: {
        "application/json": {
          schema: z.array(toolInvocationSchema),
          example: [examples.toolInvocation],
        },
      },
    },
  },
  errors: ["run_not_found"],
  async handler({ context, param }) {
    return json(await context.engine.runs.toolInvocations(TENANT_ID, runIdOf(param("runId"))));
  },
});

export const getRunTrace = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/trace",
  operationId: "getRunTrace",
  tag,
  summary: "Read the trace of a run",
  description:
    "What the run and everything below it did and when, as spans: runs, model calls, tool calls, each below the one that began it. Made from their journals, so it is there for every tree, also while it is going on, and needs no OpenTelemetry. Only the root of a tree has one: `rootRunId` of the problem of another run says which that is.",
  access: "guarded",
  responses: {
    200: {
      description: "The trace.",
      content: { "application/json": { schema: runTraceSchema, example: examples.runTrace } },
    },
  },
  errors: ["run_not_found", "run_trace_not_found"],
  async handler({ context, param }) {
    return json(await context.engine.runs.trace(TENANT_ID, runIdOf(param("runId"))));
  },
});

export const getRunInput = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/input",
  operationId: "getRunInput",
  tag,
  summary: "Read what a run was asked",
  access: "guarded",
  responses: {
    200: {
      description: "The recorded input messages.",
      content: { "application/json": { schema: runInputSchema, example: examples.runInput } },
    },
  },
  errors: ["run_not_found", "run_input_not_found"],
  async handler({ context, param }) {
    return json(await context.engine.runs.input(TENANT_ID, runIdOf(param("runId"))));
  },
});

/** The same question from the last run shown onwards. */
function nextPage(path: string, query: z.output<typeof listQuery>, last: RunRecord): string {
  const { skip: _, cursor: __, ...rest } = query;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) search.set(name, String(value));
  }
  search.set("cursor", encodeRunCursor(last.id));
  return `${path}?${search}`;
}
