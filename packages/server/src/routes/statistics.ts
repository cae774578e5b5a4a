import {
  criterionStatisticsSchema,
  runCostRecalculationSchema,
  runErrorStatisticsSchema,
  runKindSchema,
  runStatisticsSchema,
  timeBucketSchema,
  timeSeriesPointSchema,
} from "@tracon/core";
import * as z from "zod";
import { json } from "../json-response.ts";
import * as examples from "../openapi/examples-statistics.ts";
import { clampedInteger, filterText, instant, integer, oneOf, runIdText } from "../read-query.ts";
import { defineRoute } from "../route.ts";
import { TENANT_ID } from "../tenant.ts";

const tag = "Statistics";
/** A year and a day. */
const MAX_ERROR_HOURS = 8_784;

const agentName = () => filterText(128).optional();

export const getStatistics = defineRoute({
  method: "GET",
  path: "/api/stats",
  operationId: "getStatistics",
  tag,
  summary: "Count runs, tokens and cost",
  description:
    "Agent runs that have ended, by the hour in which they started, and how many are running now. What was not measured is absent, never 0. An hour keeps at most 1,000 combinations of agent, version, model, user, labels and outcome for each process; what exceeds them is counted in rows with `isOther`.",
  access: "guarded",
  query: z.object({
    agentName: agentName(),
    userId: filterText(256).optional(),
    label: filterText(322).describe("`key`, or `key:value`: runs with this label.").optional(),
    startedAfter: instant()
      .describe("Runs that started in the hour of this time or later. All time when absent.")
      .optional(),
    maxAgents: clampedInteger(1, 200)
      .describe("Rows of each breakdown; moved into its range.")
      .default(50),
  }),
  responses: {
    200: {
      description: "The sums, with a breakdown by what runs have in common.",
      content: {
        "application/json": { schema: runStatisticsSchema, example: examples.runStatistics },
      },
    },
  },
  errors: [],
  async handler({ context, query: { label, maxAgents, ...filter } }) {
    const wanted = {
      ...definedOf(filter),
      ...(label === undefined ? {} : { label: labelOf(label) }),
    };
    return json(await context.engine.statistics.get(TENANT_ID, wanted, { maxRows: maxAgents }));
  },
});

export const getTimeSeries = defineRoute({
  method: "GET",
  path: "/api/stats/timeseries",
  operationId: "getTimeSeries",
  tag,
  summary: "Count runs over time",
  description:
    "One point for each bucket, also for those without a run: from the bucket that holds `from` to the last one that begins before `to`. Buckets are UTC. At most 500.",
  access: "guarded",
  query: z.object({
    from: instant().describe("24 buckets before `to` when absent.").optional(),
    to: instant().describe("Now when absent.").optional(),
    bucket: oneOf(timeBucketSchema.options).describe("`Hour` or `Day`.").default("Hour"),
    agentName: agentName(),
    modelId: filterText(256).optional(),
    kind: oneOf(runKindSchema.options).default("Agent"),
  }),
  responses: {
    200: {
      description: "The points, oldest first. They count runs that have ended.",
      content: {
        "application/json": {
          schema: z.array(timeSeriesPointSchema),
          example: [examples.timeSeriesPoint],
        },
      },
    },
  },
  errors: [],
  async handler({ context, query }) {
    return json(await context.engine.statistics.timeSeries(TENANT_ID, definedOf(query)));
  },
});

export const listErrorStatistics = defineRoute({
  method: "GET",
  path: "/api/stats/errors",
  operationId: "listErrorStatistics",
  tag,
  summary: "List what runs failed of",
  description:
    "Failed agent runs of the last hours by error class, each with its three most frequent failures.",
  access: "guarded",
  query: z.object({
    agentName: agentName(),
    hours: integer(1, MAX_ERROR_HOURS)
      .describe("How far to look back; rounded up to whole hours.")
      .default(24),
  }),
  responses: {
    200: {
      description: "The classes, the most frequent first.",
      content: {
        "application/json": {
          schema: z.array(runErrorStatisticsSchema),
          example: [examples.runErrorStatistics],
        },
      },
    },
  },
  errors: [],
  async handler({ context, query }) {
    return json(await context.engine.statistics.errors(TENANT_ID, definedOf(query)));
  },
});

export const listCriterionEconomics = defineRoute({
  method: "GET",
  path: "/api/loop-criteria/economics",
  operationId: "listCriterionEconomics",
  tag,
  summary: "Count what the criteria of loops decided and took",
  description:
    "By agent and place in its list of criteria: evaluations and what they came to, how often that changed the outcome of the loop, and the tokens and cost of judges, at the prices that were known when they answered. Of agent runs that have ended, by the hour in which they started. The reviewer of an `agentReview` is a run of its own: its runs are counted, their tokens and cost are in the statistics of the reviewer and in the tree of the run.",
  access: "guarded",
  query: z.object({
    agentName: agentName(),
    startedAfter: instant()
      .describe("Runs that started in the hour of this time or later. All time when absent.")
      .optional(),
    maxCriteria: clampedInteger(1, 200)
      .describe("Criteria to answer; moved into its range.")
      .default(50),
  }),
  responses: {
    200: {
      description: "The criteria, the most evaluated first.",
      content: {
        "application/json": {
          schema: z.array(criterionStatisticsSchema),
          example: [examples.criterionStatistics],
        },
      },
    },
  },
  errors: [],
  async handler({ context, query: { maxCriteria, ...filter } }) {
    const { statistics } = context.engine;
    return json(await statistics.criteria(TENANT_ID, definedOf(filter), { maxRows: maxCriteria }));
  },
});

export const recalculateCosts = defineRoute({
  method: "POST",
  path: "/api/stats/recalculate-costs",
  operationId: "recalculateCosts",
  tag,
  summary: "Price runs whose price was missing",
  description:
    "Looks at runs that measured usage and have no cost, at most 5,000 a call, and prices each model call at the price that was in force at its moment. A cost that is known never changes. The journal is not written: the cost stands beside the run, with `pricedAt`.",
  access: "guarded",
  query: z.object({
    after: runIdText()
      .describe("Go on after this run: `continueAfter` of the call before.")
      .optional(),
  }),
  responses: {
    200: {
      description: "What became of the runs.",
      content: {
        "application/json": {
          schema: runCostRecalculationSchema,
          example: examples.runCostRecalculation,
        },
      },
    },
  },
  errors: [],
  async handler({ context, query }) {
    return json(await context.engine.statistics.recalculateCosts(TENANT_ID, definedOf(query)));
  },
});

/** The first colon ends the key, so that a value may hold one. */
function labelOf(text: string): { readonly key: string; readonly value?: string } {
  const colon = text.indexOf(":");
  return colon === -1 ? { key: text } : { key: text.slice(0, colon), value: text.slice(colon + 1) };
}

/** The members that have a value. */
const definedOf = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Members]?: Exclude<Members[Key], undefined>;
  };
