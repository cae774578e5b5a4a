import {
  extensionDescriptorSchema,
  loopCriteriaSchema,
  modelProviderDescriptorSchema,
  toolDescriptorSchema,
  toolUsageSchema,
} from "@tracon/core";
import * as z from "zod";
import { json } from "../json-response.ts";
import * as examples from "../openapi/examples.ts";
import { clampedInteger, instant } from "../read-query.ts";
import { defineRoute } from "../route.ts";
import { TENANT_ID } from "../tenant.ts";

const tag = "Catalog";

export const listTools = defineRoute({
  method: "GET",
  path: "/api/tools",
  operationId: "listTools",
  tag,
  summary: "List the registered tools",
  description: "Tools are defined in code; this list is for reading only.",
  access: "guarded",
  responses: {
    200: {
      description: "The tools, by name.",
      content: {
        "application/json": {
          schema: z.array(toolDescriptorSchema),
          example: [examples.toolDescriptor],
        },
      },
    },
  },
  errors: [],
  handler: ({ context }) => json(context.engine.tools()),
});

export const listToolUsage = defineRoute({
  method: "GET",
  path: "/api/tools/usage",
  operationId: "listToolUsage",
  tag,
  summary: "Count the calls of every tool",
  description:
    "Calls of runs that have ended, counted by the hour. Names that are too long or too many in one hour are counted together, in a row with `isOther`.",
  access: "guarded",
  query: z.object({
    startedAfter: instant()
      .describe("Calls that began in the hour of this time or later.")
      .optional(),
    maxTools: clampedInteger(1, 200).describe("Tools to answer; moved into its range.").default(50),
  }),
  responses: {
    200: {
      description: "Calls, failures and times, the most called tool first.",
      content: {
        "application/json": { schema: z.array(toolUsageSchema), example: [examples.toolUsage] },
      },
    },
  },
  errors: [],
  async handler({ context, query: { startedAfter, maxTools } }) {
    const since = startedAfter === undefined ? {} : { startedAfter };
    return json(await context.engine.runs.toolUsage(TENANT_ID, { ...since, maxTools }));
  },
});

export const listModels = defineRoute({
  method: "GET",
  path: "/api/models",
  operationId: "listModels",
  tag,
  summary: "List the model providers",
  description: "Registered providers with the models the configuration lists. Calls nobody.",
  access: "guarded",
  responses: {
    200: {
      description: "The providers.",
      content: {
        "application/json": {
          schema: z.array(modelProviderDescriptorSchema),
          example: [examples.modelProvider],
        },
      },
    },
  },
  errors: [],
  handler: ({ context }) => json(context.engine.models()),
});

export const listExtensions = defineRoute({
  method: "GET",
  path: "/api/agent-extensions",
  operationId: "listAgentExtensions",
  tag,
  summary: "List the registered agent extensions",
  description: "Extensions are defined in code and named by definitions. Listing them runs none.",
  access: "guarded",
  responses: {
    200: {
      description: "The extensions, by name.",
      content: {
        "application/json": {
          schema: z.array(extensionDescriptorSchema),
          example: [examples.extensionDescriptor],
        },
      },
    },
  },
  errors: [],
  handler: ({ context }) => json(context.engine.extensions()),
});

export const listLoopCriteria = defineRoute({
  method: "GET",
  path: "/api/loop-criteria",
  operationId: "listLoopCriteria",
  tag,
  summary: "List the stop criteria of loops",
  description:
    "The kinds a definition can name, each with the members it reads: the built-in ones first, then those registered in code. Listing them builds none.",
  access: "guarded",
  responses: {
    200: {
      description: "The kinds, and the model that an `aiJudge` asks.",
      content: {
        "application/json": { schema: loopCriteriaSchema, example: examples.loopCriteria },
      },
    },
  },
  errors: [],
  handler: ({ context }) => json(context.engine.loopCriteria()),
});
