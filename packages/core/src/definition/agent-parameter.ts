import * as z from "zod";
import { enumMember, flag, referenceText, text } from "../schema/member.ts";

/** A named placeholder `{{name}}` of an agent's instructions. The kind only labels the value. */
export const agentParameterSchema = z.strictObject({
  name: referenceText(),
  kind: enumMember(["Text", "Number", "Boolean"]),
  required: flag(),
  defaultValue: text(4_096).optional(),
  description: text(4_096).optional(),
});
export type AgentParameter = z.output<typeof agentParameterSchema>;
/** Longest value of one parameter, in UTF-8 bytes. */
export const MAX_PARAMETER_VALUE_BYTES = 4_096;
