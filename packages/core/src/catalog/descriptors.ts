import * as z from "zod";
import { agentDefinitionSchema, agentOriginSchema } from "../definition/agent-definition.ts";
import { modelBindingSchema } from "../definition/model-binding.ts";
import { findingSchema } from "../finding.ts";
import { modelPriceSchema } from "../run/cost.ts";

/** An entry of the agent catalog. */
export const agentDescriptorSchema = z.object({
  name: z.string(),
  displayName: z.string().optional(),
  description: z.string().optional(),
  origin: agentOriginSchema,
  /** Which source the agent comes from: `code`, `database`, or a custom source's name. */
  sourceName: z.string(),
  version: z.int(),
  model: modelBindingSchema.optional(),
  toolNames: z.array(z.string()),
  skillNames: z.array(z.string()),
  callableAgentNames: z.array(z.string()),
  usesHarness: z.boolean(),
  updatedAt: z.string().optional(),
});
export type AgentDescriptor = z.output<typeof agentDescriptorSchema>;

/** A catalog entry with its definition, which is `null` for an agent defined in code. */
export const agentDetailSchema = z.object({
  descriptor: agentDescriptorSchema,
  definition: agentDefinitionSchema.nullable(),
  isEditable: z.boolean(),
});
export type AgentDetail = z.output<typeof agentDetailSchema>;

/** What the compiler says of a definition without saving it. */
export const validationReportSchema = z.object({
  /** No finding is an error. */
  valid: z.boolean(),
  /** A resource could not be asked, so the report may be incomplete. */
  inconclusive: z.boolean(),
  messages: z.array(findingSchema),
  /** Further messages, which an answer over HTTP leaves out; absent when it has all of them. */
  messagesOmitted: z.int().optional(),
});
export type ValidationReport = z.output<typeof validationReportSchema>;

/** A tool registered in code. */
export const toolDescriptorSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  effect: z.enum(["read", "idempotent", "reversible", "irreversible"]).optional(),
  safeToRepeat: z.boolean(),
  /** A call may have to wait for a person's decision. */
  requiresApproval: z.boolean(),
  /** The client answers the calls; the server has no body for it. */
  runsOnClient: z.boolean(),
  /** A permission the application asks for before a call. */
  requiredPermission: z.string().optional(),
  /** How long a call is waited for; absent for a tool the client answers. */
  timeout: z.string().optional(),
  /** Longest result in bytes; absent when any length is passed on. */
  maxOutputBytes: z.int().optional(),
});
export type ToolDescriptor = z.output<typeof toolDescriptorSchema>;

/** A model the configuration lists: metadata and price, never an allow-list. */
export const modelDescriptorSchema = z.strictObject({
  provider: z.string(),
  model: z.string(),
  contextWindowTokens: z.int().positive().optional(),
  maxOutputTokens: z.int().positive().optional(),
  supportsTools: z.boolean().default(true),
  supportsStructuredOutput: z.boolean().default(false),
  price: modelPriceSchema.optional(),
});
export type ModelDescriptor = z.output<typeof modelDescriptorSchema>;

/** A registered provider with the models the configuration lists for it. */
export const modelProviderDescriptorSchema = z.object({
  name: z.string(),
  /** The kind of interface it speaks, such as `openai` or `anthropic`; `custom` for an own object. */
  kind: z.string(),
  models: z.array(modelDescriptorSchema),
});
export type ModelProviderDescriptor = z.output<typeof modelProviderDescriptorSchema>;

/** An agent extension registered in code. */
export const extensionDescriptorSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
});
export type ExtensionDescriptor = z.output<typeof extensionDescriptorSchema>;

/** A kind of stop criterion that a definition can name. */
export const loopCriterionDescriptorSchema = z.object({
  kind: z.string(),
  description: z.string().optional(),
  /** False for a kind that is registered in code. */
  isBuiltIn: z.boolean(),
  /** Members of the criterion that the kind reads; it ignores the others. */
  fields: z.array(z.string()),
});
export type LoopCriterionDescriptor = z.output<typeof loopCriterionDescriptorSchema>;

/** What a loop can be made of. */
export const loopCriteriaSchema = z.object({
  /** The built-in kinds first, then those registered in code. */
  criteria: z.array(loopCriterionDescriptorSchema),
  /** The model an `aiJudge` asks; `null` when this installation has none. */
  judge: z.object({ provider: z.string(), model: z.string() }).nullable(),
});
export type LoopCriteria = z.output<typeof loopCriteriaSchema>;
