/** Names of the schemas in the OpenAPI document, and the document's schemas themselves. */

import {
  agentDefinitionRequestSchema,
  agentDefinitionSchema,
  agentDescriptorSchema,
  agentDetailSchema,
  agentRunRequestSchema,
  approvalDecisionSchema,
  assert,
  attachmentDescriptorSchema,
  contextWindowEstimateSchema,
  criterionStatisticsSchema,
  errorCodes,
  extensionDescriptorSchema,
  findingCodes,
  findingSchema,
  loopCriteriaSchema,
  modelProviderDescriptorSchema,
  pendingApprovalSchema,
  problemSchema,
  runCostRecalculationSchema,
  runErrorStatisticsSchema,
  runEventSchema,
  runInputSchema,
  runRecordSchema,
  runResultSchema,
  runStatisticsSchema,
  runTraceSchema,
  sessionBranchRequestSchema,
  sessionBranchResultSchema,
  sessionDetailSchema,
  sessionRecordSchema,
  timeSeriesPointSchema,
  toolApprovalRuleRequestSchema,
  toolApprovalRuleSchema,
  toolDescriptorSchema,
  toolInvocationSchema,
  toolUsageSchema,
  validationReportSchema,
} from "@tracon/core";

import * as z from "zod";
import { rollbackRequestSchema, versionPairSchema } from "../routes/agent-versions.ts";
import { metaSchema } from "../routes/meta.ts";

export type JsonSchema = { readonly [member: string]: unknown };

const REF_PREFIX = "#/components/schemas/";

/** What callers send: members with a default may be left out. */
const requestSchemas: Readonly<Record<string, z.ZodType>> = {
  AgentDefinitionRequest: agentDefinitionRequestSchema,
  AgentRunRequest: agentRunRequestSchema,
  RollbackRequest: rollbackRequestSchema,
  SessionBranchRequest: sessionBranchRequestSchema,
  ApprovalDecision: approvalDecisionSchema,
  ToolApprovalRuleRequest: toolApprovalRuleRequestSchema,
};

/** What is answered. */
const responseSchemas: Readonly<Record<string, z.ZodType>> = {
  Meta: metaSchema,
  AgentDescriptor: agentDescriptorSchema,
  AgentDefinition: agentDefinitionSchema,
  AgentDetail: agentDetailSchema,
  AgentVersionPair: versionPairSchema,
  ValidationReport: validationReportSchema,
  Finding: findingSchema,
  ContextWindowEstimate: contextWindowEstimateSchema,
  RunResult: runResultSchema,
  RunRecord: runRecordSchema,
  RunEvent: runEventSchema,
  RunInput: runInputSchema,
  RunTrace: runTraceSchema,
  SessionRecord: sessionRecordSchema,
  PendingApproval: pendingApprovalSchema,
  ToolApprovalRule: toolApprovalRuleSchema,
  SessionDetail: sessionDetailSchema,
  SessionBranchResult: sessionBranchResultSchema,
  AttachmentDescriptor: attachmentDescriptorSchema,
  ToolInvocation: toolInvocationSchema,
  ToolDescriptor: toolDescriptorSchema,
  ExtensionDescriptor: extensionDescriptorSchema,
  LoopCriteria: loopCriteriaSchema,
  ToolUsage: toolUsageSchema,
  RunStatistics: runStatisticsSchema,
  TimeSeriesPoint: timeSeriesPointSchema,
  RunErrorStatistics: runErrorStatisticsSchema,
  CriterionStatistics: criterionStatisticsSchema,
  RunCostRecalculation: runCostRecalculationSchema,
  ModelProviderDescriptor: modelProviderDescriptorSchema,
  Problem: problemSchema,
};

const nameBySchema: ReadonlyMap<z.ZodType, string> = new Map(
  [...Object.entries(requestSchemas), ...Object.entries(responseSchemas)].map(([name, schema]) => [
    schema,
    name,
  ]),
);

/** A body's schema as the document refers to it: by name, or a list of named ones. */
export function schemaReference(schema: z.ZodType): JsonSchema {
  if (schema instanceof z.ZodArray) {
    return { type: "array", items: schemaReference(schema.element as z.ZodType) };
  }
  const name = nameBySchema.get(schema);
  assert(name !== undefined, "every body schema of a route has a name in the OpenAPI document");
  return { $ref: REF_PREFIX + name };
}

/** `components.schemas`. */
export function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  const schemas = {
    ...jsonSchemas(requestSchemas, "input"),
    ...jsonSchemas(responseSchemas, "output"),
  };
  return { ...schemas, Problem: withKnownCodes(schemas.Problem ?? {}) };
}

/** The schema of one query parameter, as callers write it. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  // zod leaves out the default of a schema that converts; ours are written as callers write them.
  return schema instanceof z.ZodDefault ? { ...rest, default: schema.def.defaultValue } : rest;
}

function jsonSchemas(
  named: Readonly<Record<string, z.ZodType>>,
  io: "input" | "output",
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => REF_PREFIX + id,
    override: ({ jsonSchema }) => {
      // An answer may grow members; a request may not, and its schema says so.
      if (io === "output" && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  );
}

function withKnownCodes(problem: JsonSchema): JsonSchema {
  const properties = problem.properties as Record<string, JsonSchema>;
  const describe = (codes: Readonly<Record<string, string>>) =>
    Object.entries(codes)
      .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
      .join("\n");
  return {
    ...problem,
    description: `RFC 9457 problem details. Finding codes:\n${describe(findingCodes)}`,
    properties: {
      ...properties,
      code: { type: "string", enum: Object.keys(errorCodes), description: describe(errorCodes) },
    },
  };
}
