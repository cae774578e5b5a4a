/**
 * A script as configuration holds it: the answers of one model, written as data.
 *
 * A script is stateless, unlike a test's scripted model: what a call is answered follows from the
 * conversation alone, so that any number of runs, processes and restarts share it.
 */

import * as z from "zod";
import { CAPTURE } from "./captures.ts";
import { placeholdersOf, RESERVED_NAMES, textsOf } from "./template.ts";

const MAX_TURNS = 1_000;
const MAX_DELAY_MS = 600_000;
const MAX_CHUNK_SIZE = 1_000_000;

const delay = z.int().min(0).max(MAX_DELAY_MS);
const tokens = z.int().min(0);

const toolCallSchema = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "is not a tool name that providers accept"),
  /** The arguments; placeholders in their texts are filled. */
  input: z.record(z.string(), z.json()).default({}),
});

const turnSchema = z
  .strictObject({
    reasoning: z.string().min(1).optional(),
    text: z.string().min(1).optional(),
    toolCalls: z.array(toolCallSchema).min(1).optional(),
    /** `tool-calls` when there are tool calls, otherwise `stop`. */
    finishReason: z.enum(["stop", "length", "content-filter", "tool-calls", "other"]).optional(),
    /** Counted from the texts when left out. */
    usage: z.strictObject({ inputTokens: tokens, outputTokens: tokens }).optional(),
    /** The call fails like one to a remote provider that answers this status. */
    error: z
      .strictObject({
        statusCode: z.int().min(400).max(599),
        message: z.string().min(1).default("the script says so"),
      })
      .optional(),
    delayMs: delay.optional(),
    chunkDelayMs: delay.optional(),
  })
  .superRefine((turn, context) => {
    const answers = turn.reasoning ?? turn.text ?? turn.toolCalls;
    if (answers === undefined && turn.error === undefined) {
      context.addIssue({ code: "custom", message: "needs a text, reasoning, toolCalls or error" });
    }
    if (answers !== undefined && turn.error !== undefined) {
      context.addIssue({
        code: "custom",
        path: ["error"],
        message: "a failing turn has no answer",
      });
    }
  });

const turnsSchema = z.array(turnSchema).min(1).max(MAX_TURNS);

const capturesSchema = z.record(
  z
    .string()
    .regex(/^[A-Za-z]\w{0,63}$/, "is not a name")
    .refine((name) => !RESERVED_NAMES.has(name), "the name is taken"),
  z.string().regex(CAPTURE, "must be 'word:' and the beginning of a word, such as 'word:ORD-'"),
);

const ruleSchema = z
  .strictObject({
    /** A part of the last user message, in any case; `*` fits every message. */
    match: z.string().min(1).default("*"),
    /** Words of the message by name; the rule fits only a message that has them all. */
    captures: capturesSchema.default({}),
    turns: turnsSchema,
  })
  .superRefine(({ captures, turns }, context) => {
    refuseUnknownPlaceholders(turns, new Set(Object.keys(captures)), context);
  });

const pace = {
  /** Milliseconds before the first part of an answer. */
  delayMs: delay.default(0),
  /** Milliseconds between two chunks of a text. */
  chunkDelayMs: delay.default(0),
  /** Characters in a chunk. */
  chunkSize: z.int().min(1).max(MAX_CHUNK_SIZE).default(24),
};

const longScriptSchema = z
  .strictObject({
    /** The turns for every message; the same as one rule with `match: "*"`. */
    turns: turnsSchema.optional(),
    /** Rules, of which the first that fits the last user message is taken. */
    when: z.array(ruleSchema).min(1).max(MAX_TURNS).optional(),
    ...pace,
  })
  .superRefine(({ turns, when }, context) => {
    if ((turns === undefined) === (when === undefined)) {
      context.addIssue({ code: "custom", message: "needs either turns or when" });
    }
    if (turns !== undefined) refuseUnknownPlaceholders(turns, new Set(), context);
  })
  .transform(({ turns = [], when, ...rest }) => ({
    ...rest,
    rules: when ?? [{ match: "*", captures: {}, turns }],
  }));

/** The turns of a model, alone or with rules and a pace. */
export const scriptSchema = z.preprocess(
  (value) => (Array.isArray(value) ? { turns: value } : value),
  longScriptSchema,
);

export type Script = z.output<typeof longScriptSchema>;
export type ScriptTurn = z.output<typeof turnSchema>;

/** One scripted turn as written. */
export type ScriptedTurnConfig = z.input<typeof turnSchema>;
/** A script as written. */
export type ScriptConfig = readonly ScriptedTurnConfig[] | z.input<typeof longScriptSchema>;

function refuseUnknownPlaceholders(
  turns: readonly ScriptTurn[],
  captures: ReadonlySet<string>,
  context: z.RefinementCtx,
): void {
  for (const [index, turn] of turns.entries()) {
    const texts = textsOf([turn.reasoning, turn.text, turn.toolCalls?.map((call) => call.input)]);
    for (const name of new Set(texts.flatMap((text) => [...placeholdersOf(text)]))) {
      if (captures.has(name) || RESERVED_NAMES.has(name)) continue;
      const message = `'{{${name}}}' is neither input nor toolResult nor a capture of the rule`;
      context.addIssue({ code: "custom", path: ["turns", index], message });
    }
  }
}
