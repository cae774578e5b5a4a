import * as z from "zod";
import { nameText } from "../schema/member.ts";

/**
 * An agent this agent may call; without a version it runs the callee's current one. A plain name
 * reads as a reference with no version.
 */
export const callableAgentReferenceSchema = z.preprocess(
  (value) => (typeof value === "string" ? { name: value } : value),
  z.strictObject({ name: nameText(), version: z.int().optional() }),
);
export type CallableAgentReference = z.output<typeof callableAgentReferenceSchema>;
