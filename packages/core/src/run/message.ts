/**
 * Messages as Tracon keeps them: our own format with a version, converted to and from a provider's
 * at one border, so that a stored run survives every change of the provider packages.
 */

import * as z from "zod";

/** Version of the message format written today. */
export const MESSAGE_FORMAT = 1;

export const chatContentSchema = z.discriminatedUnion("$type", [
  z.object({ $type: z.literal("text"), text: z.string() }),
  z.object({ $type: z.literal("reasoning"), text: z.string() }),
  z.object({
    $type: z.literal("functionCall"),
    callId: z.string(),
    name: z.string(),
    arguments: z.unknown(),
  }),
  z.object({ $type: z.literal("functionResult"), callId: z.string(), result: z.unknown() }),
]);

/** One message of a conversation, in the recorded format (`MESSAGE_FORMAT`). */
export const chatMessageSchema = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  contents: z.array(chatContentSchema),
});
export type ChatMessage = z.output<typeof chatMessageSchema>;

/** What a run was asked, as recorded. */
export const runInputSchema = z.object({
  runId: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  messages: z.array(chatMessageSchema),
  /** The values the run was bound with, defaults applied; absent when the agent declares none. */
  parameters: z.record(z.string(), z.string()).optional(),
});
/** What is kept of a run's input. */
export type RecordedInput = Readonly<Pick<RunInput, "messages" | "parameters">>;
export type RunInput = z.output<typeof runInputSchema>;
