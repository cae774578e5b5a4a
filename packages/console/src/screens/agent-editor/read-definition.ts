/** The text of the editor as the definition it means, or what keeps it from being one. */

import type { TraconApiError } from "@tracon/client";
import type { AgentDefinitionRequest } from "@tracon/core";

/** A finding as the API answers them; codes may be newer than this console. */
export type EditorFinding = TraconApiError["findings"][number];

export type ReadDefinition =
  | { readonly definition: AgentDefinitionRequest; readonly finding?: never }
  | { readonly definition?: never; readonly finding: EditorFinding };

export function readDefinition(text: string): ReadDefinition {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's words name the place; they are the most helpful ones there are.
    return unreadable(error instanceof Error ? error.message : String(error));
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return unreadable("a definition is a JSON object");
  }
  // Everything else is for the server to say, with its own findings.
  return { definition: value as AgentDefinitionRequest };
}

const unreadable = (message: string): ReadDefinition => ({
  finding: { code: "body_unreadable", path: "", message, severity: "Error" },
});
