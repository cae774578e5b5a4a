import * as z from "zod";
import { fromUser, MAX_LIST_LENGTH, text, withoutNullMembers } from "../schema/member.ts";
import { sessionIdText } from "./session.ts";

/** Documents of one run: with more, a model finds nothing in them. */
const MAX_DOCUMENTS = 64;

/** The body of a run request. `userId` and labels are never read from it. */
const runRequestShape = z.strictObject({
  /** May be empty only with approvals, tool results or attachments. */
  message: text().optional(),
  /** The conversation the run continues, or opens; absent for none. */
  sessionId: sessionIdText().optional(),
  /** A tag no text matches reads the default; no tag at all is a slip. */
  culture: text(64).min(1, "name a culture such as tr or pt-BR, or leave it out").optional(),
  parameters: z.record(z.string(), z.string()).optional(),
  approvals: z
    .array(
      z.strictObject({
        requestId: text(128),
        approved: z.boolean(),
        reason: text(4_096).optional(),
        remember: z.boolean().default(false),
        rememberArgumentsOnly: z.boolean().default(false),
      }),
    )
    .max(MAX_LIST_LENGTH)
    .default([]),
  toolResults: z
    .array(
      z.strictObject({
        callId: text(256),
        result: text().optional(),
        errorMessage: text(4_096).optional(),
      }),
    )
    .max(MAX_LIST_LENGTH)
    .default([]),
  attachmentIds: z.array(text(64)).max(MAX_LIST_LENGTH).default([]),
  documents: z
    .array(z.strictObject({ name: text(256).min(1), content: text() }))
    .max(MAX_DOCUMENTS)
    .default([]),
  /** Queue lane; queued runs only. */
  lane: text(64).optional(),
});

/** Reads a run request: absent and `null` members take their defaults, unknown ones are refused. */
export const agentRunRequestSchema = fromUser(
  (value) => withoutNullMembers(value, new Set()),
  runRequestShape,
);
/** A run request as a caller writes it. */
export type AgentRunRequest = z.input<typeof runRequestShape>;
/** A run request after reading: lists never null. */
export type AgentRunRequestContent = z.output<typeof runRequestShape>;
