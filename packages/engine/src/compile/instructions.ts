/**
 * The instructions section: which text the model reads.
 *
 * The culture chooses the agent's own text, the shared block stands in front of it and the harness's text
 * in front of both, and the values are put in last, once, over the whole.
 */

import { type AgentDefinitionContent, type Finding, finding } from "@tracon/core";
import type { DefinedAgent } from "../catalog/catalog-entry.ts";
import { cultureFindings, culturePath } from "./culture.ts";
import {
  type BoundParameters,
  declarationFindings,
  type PlaceholderText,
  parameterWarnings,
  substitute,
} from "./parameters.ts";

/**
 * What the catalog has under `sharedInstructionsName`: a definition, nothing (`missing`), an
 * agent that is none (`textless`), or nobody looked (`unchecked`), as for a definition in code before
 * any tenant is known.
 */
export type SharedBlock = DefinedAgent | "missing" | "textless" | "unchecked";

/** What decides the text besides the definition. */
export type InstructionsInput = {
  /** Text of the harness; `undefined` when there is none. */
  readonly harness?: string | undefined;
  readonly shared: SharedBlock | undefined;
  /** Key of `instructionsByCulture`, as resolved; `undefined` is the default text. */
  readonly culture: string | undefined;
  /** Values of the run; `undefined` leaves placeholders as they are, as when only checking. */
  readonly parameters: BoundParameters | undefined;
};

/** Between the texts. */
const BLOCK_SEPARATOR = "\n\n";

/** The system text, or `undefined` when there is none. Pushes what is wrong with the section. */
export function compileInstructions(
  definition: AgentDefinitionContent,
  input: InstructionsInput,
  findings: Finding[],
): string | undefined {
  const block = sharedText(definition, input.shared, findings);
  findings.push(
    ...cultureFindings(definition.instructionsByCulture),
    ...declarationFindings(definition.parameters),
    ...parameterWarnings(
      definition.parameters,
      textsOf(definition, block, input.harness),
      definition.sharedInstructionsName === undefined || block !== undefined,
    ),
  );
  const text = [input.harness, block, ownText(definition, input.culture)]
    .filter((part) => part !== undefined && part !== "")
    .join(BLOCK_SEPARATOR);
  if (text === "") return undefined;
  const { parameters } = input;
  return parameters === undefined ? text : substitute(text, definition.parameters, parameters);
}

function ownText(
  { instructions, instructionsByCulture }: AgentDefinitionContent,
  culture: string | undefined,
): string | undefined {
  return culture === undefined ? instructions : (instructionsByCulture?.[culture] ?? instructions);
}

/** Every text a parameter may stand in. */
function textsOf(
  { instructions = "", instructionsByCulture = {} }: AgentDefinitionContent,
  block = "",
  harness = "",
): readonly PlaceholderText[] {
  return [
    { path: "harness.harnessInstructions", text: harness },
    { path: "sharedInstructionsName", text: block },
    { path: "instructions", text: instructions },
    ...Object.entries(instructionsByCulture).map(([tag, text]) => ({
      path: culturePath(tag),
      text,
    })),
  ];
}

function sharedText(
  { name, sharedInstructionsName: blockName }: AgentDefinitionContent,
  shared: SharedBlock | undefined,
  findings: Finding[],
): string | undefined {
  if (blockName === undefined || shared === undefined || shared === "unchecked") return undefined;
  const refuse = (message: string) => {
    findings.push(finding("shared_instructions_invalid", "sharedInstructionsName", message));
    return undefined;
  };
  if (blockName.normalize("NFC") === name) return refuse("an agent cannot share its own text");
  if (shared === "missing") return refuse(`there is no agent '${blockName}' to take a text from`);
  if (shared === "textless") return refuse(`agent '${blockName}' is no definition with a text`);
  if (shared.definition.sharedInstructionsName !== undefined) {
    return refuse(
      `'${blockName}' shares the text of '${shared.definition.sharedInstructionsName}' itself; a shared block cannot refer to another`,
    );
  }
  return shared.definition.instructions ?? "";
}
