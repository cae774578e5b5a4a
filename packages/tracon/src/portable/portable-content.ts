/** Contents of definitions and their canonical written form. */

import {
  type AgentDefinition,
  type AgentDefinitionContent,
  agentDefinitionRequestSchema,
  canonicalJson,
} from "@tracon/core";
import { DEFINITION_SHAPE, type Shape } from "./definition-shape.ts";

/** What a stored definition says, without the members the store owns. */
export const contentOf = (definition: AgentDefinition): AgentDefinitionContent =>
  agentDefinitionRequestSchema.parse(definition);

/**
 * The form in which a definition is written: members in the order of the schema, those that hold
 * their default left out. Reading it gives the same content.
 */
export const portableForm = (content: AgentDefinitionContent): Readonly<Record<string, unknown>> =>
  written(content, DEFINITION_SHAPE) as Readonly<Record<string, unknown>>;

function written(value: unknown, shape: Shape): unknown {
  if (shape.kind === "list")
    return (value as readonly unknown[]).map((it) => written(it, shape.item));
  if (shape.kind !== "object") return value;

  const record = value as Readonly<Record<string, unknown>>;
  const kept = shape.members.flatMap(({ name, shape: inner, defaultValue }) => {
    const member = record[name];
    if (member === undefined) return [];
    if (defaultValue !== undefined && sameJson(member, defaultValue)) return [];
    return [[name, written(member, inner)] as const];
  });
  return Object.fromEntries(kept);
}

/** Whether two JSON values mean the same. */
export const sameJson = (left: unknown, right: unknown): boolean =>
  canonicalJson(left) === canonicalJson(right);
