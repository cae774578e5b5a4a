/**
 * Messages as Tracon keeps them: our own format with a version, converted to and from a provider's
 * at one border, so that a stored run survives every change of the provider packages.
 */

import * as z from "zod";

/** Version of the message format written today. */
export const MESSAGE_FORMAT = 1;

/**
 * What a provider wants to see again with a part: signatures, item ids. Opaque to everybody else, and
 * needed, because some providers refuse a history that lost it.
 */
const providerOptions = z.record(z.string(), z.record(z.string(), z.unknown())).optional();

/** How a result is given to a model when its value alone does not say so. */
const resultTypes = [
  "text",
  "json",
  "error-text",
  "error-json",
  "execution-denied",
  "content",
] as const;

export const chatContentSchema = z.discriminatedUnion("$type", [
  z.object({ $type: z.literal("text"), text: z.string(), providerOptions }),
  z.object({ $type: z.literal("reasoning"), text: z.string(), providerOptions }),
  z.object({
    $type: z.literal("functionCall"),
    callId: z.string(),
    name: z.string(),
    arguments: z.unknown(),
    /** The provider ran the call itself; nobody here owes it a result. */
    informationalOnly: z.literal(true).optional(),
    providerOptions,
  }),
  z.object({
    $type: z.literal("functionResult"),
    callId: z.string(),
    /** The tool's name. */
    name: z.string().optional(),
    result: z.unknown(),
    /** Absent for a text that is a `text` and for any other value that is `json`. */
    resultType: z.enum(resultTypes).optional(),
    providerOptions,
  }),
  /** Reference text given with what was asked; never an instruction. */
  z.object({ $type: z.literal("document"), name: z.string(), text: z.string(), providerOptions }),
  /** A file; its bytes stand in the address when that begins with `data:`. */
  z.object({
    $type: z.literal("data"),
    uri: z.string(),
    mediaType: z.string(),
    name: z.string().optional(),
    /** The model made it while it was thinking. */
    isReasoning: z.literal(true).optional(),
    providerOptions,
  }),
  /** A file that a provider keeps, by the provider's own names for it. */
  z.object({
    $type: z.literal("hostedFile"),
    reference: z.record(z.string(), z.string()),
    mediaType: z.string(),
    name: z.string().optional(),
    providerOptions,
  }),
  /** A part that only its provider understands. */
  z.object({ $type: z.literal("custom"), kind: z.string(), providerOptions }),
]);
/** One part of a message. */
export type ChatContent = z.output<typeof chatContentSchema>;

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
