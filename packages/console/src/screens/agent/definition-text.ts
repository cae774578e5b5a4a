import type { AgentDefinition } from "@tracon/core";

/** A definition as text to read, compare and edit: without what the store writes by itself. */
export function definitionText(definition: AgentDefinition): string {
  const { origin: _, version: __, tenantId: ___, updatedAt: ____, ...content } = definition;
  return JSON.stringify(content, null, 2);
}
