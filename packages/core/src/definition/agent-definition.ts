/**
 * The agent definition: an agent as data.
 *
 * It holds names and settings, never code and never credentials. Collections are never null: a
 * list that is absent or `null` reads as empty. Unknown members are refused.
 */

import * as z from "zod";
import {
  fromUser,
  jsonObject,
  list,
  nameText,
  referenceText,
  text,
  withoutNullMembers,
} from "../schema/member.ts";
import { agentParameterSchema } from "./agent-parameter.ts";
import { callableAgentReferenceSchema } from "./callable-agent-reference.ts";
import { compactionSettingsSchema } from "./compaction-settings.ts";
import { harnessSettingsSchema } from "./harness-settings.ts";
import { memorySettingsSchema } from "./memory-settings.ts";
import { modelBindingSchema } from "./model-binding.ts";
import { skillSettingsSchema } from "./skill-settings.ts";
import { subAgentSettingsSchema } from "./sub-agent-settings.ts";
import { workspaceSettingsSchema } from "./workspace-settings.ts";

/** Where a definition comes from. Only `Database` definitions can be edited. */
export const agentOriginSchema = z.enum(["Code", "Database", "Custom"]);
export type AgentOrigin = z.output<typeof agentOriginSchema>;

const contentShape = {
  /** Unique name: the key in the catalog and in routes. */
  name: nameText(),
  displayName: text(256).optional(),
  description: text(4_096).optional(),
  instructions: text().optional(),
  /** Instructions by BCP 47 tag, chosen by the run's culture before `instructions`. */
  instructionsByCulture: z.record(z.string(), text()).optional(),
  model: modelBindingSchema,
  toolNames: list(referenceText()),
  skillNames: list(referenceText()),
  skills: skillSettingsSchema.optional(),
  callableAgents: list(callableAgentReferenceSchema),
  subAgents: subAgentSettingsSchema.optional(),
  extensionNames: list(referenceText()),
  /** MCP resources read at the start of a run, each `"{server}:{uri}"`. */
  mcpResourceUris: list(text(2_048)),
  harness: harnessSettingsSchema.optional(),
  compaction: compactionSettingsSchema.optional(),
  memory: memorySettingsSchema.optional(),
  workspace: workspaceSettingsSchema.optional(),
  parameters: list(agentParameterSchema),
  sharedInstructionsName: referenceText().optional(),
  metadata: jsonObject().default({}),
};

/** Members whose content is the user's own JSON, where `null` is a value. */
const OPAQUE_MEMBERS: ReadonlySet<string> = new Set(["metadata", "providerSettings", "schema"]);
/** Members the store owns. They may travel in (a definition read and sent back) and are ignored. */
const STORE_OWNED_MEMBERS = ["origin", "version", "tenantId", "updatedAt"] as const;

function readRequest(value: unknown): unknown {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(
    ([key]) => !(STORE_OWNED_MEMBERS as readonly string[]).includes(key),
  );
  return withoutNullMembers(Object.fromEntries(kept), OPAQUE_MEMBERS);
}

/** What a user writes: the definition without the members the store owns. */
export const agentDefinitionRequestSchema = fromUser(readRequest, z.strictObject(contentShape));
/** A definition as a user may write it: everything with a default may be left out. */
export type AgentDefinitionRequest = z.input<z.ZodObject<typeof contentShape>>;
/** The content of a definition: normalized, defaults applied, lists never null. */
export type AgentDefinitionContent = z.output<z.ZodObject<typeof contentShape>>;

/** A definition with the members the store owns. */
export const agentDefinitionSchema = z.object({
  ...contentShape,
  origin: agentOriginSchema,
  /** Rises by one with every save and is never given to a name twice; always 1 for code. */
  version: z.int(),
  tenantId: z.string().optional(),
  /** ISO 8601, UTC. Absent for code. */
  updatedAt: z.string().optional(),
});
export type AgentDefinition = z.output<typeof agentDefinitionSchema>;
