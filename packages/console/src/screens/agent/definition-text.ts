import type { AgentDefinition, AgentDefinitionRequest } from "@tracon/core";

/** What a user edits of a definition: all of it but what the store writes by itself. */
export function contentOf(definition: AgentDefinition): AgentDefinitionRequest {
  const { origin: _, version: __, tenantId: ___, updatedAt: ____, ...content } = definition;
  return content;
}

/** A definition as text to read and copy. */
export const definitionText = (definition: AgentDefinition): string =>
  JSON.stringify(contentOf(definition), null, 2);

const LONG_TEXT = /^(\s*)("(?:[^"\\]|\\.)*": )?("(?:[^"\\]|\\.)*\\n(?:[^"\\]|\\.)*")(,?)$/;

/** A definition as text to compare: texts of several lines stand on lines of their own. */
export const comparableText = (definition: unknown): string =>
  JSON.stringify(definition, null, 2)
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", key = "", text, comma = ""] = LONG_TEXT.exec(line) ?? [];
      if (text === undefined) return [line];
      const lines = (JSON.parse(text) as string).split("\n");
      return [
        `${indent}${key}"""`,
        ...lines.map((it) => `${indent}  ${it}`),
        `${indent}"""${comma}`,
      ];
    })
    .join("\n");
