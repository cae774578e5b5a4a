/**
 * What a ring tells the turn about an answer. It travels on the finish part, under a key of our own,
 * because middleware between them may build a new result but passes parts on.
 */

import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/** The guard and its rule that withheld an answer. */
export type BlockedBy = { readonly guard: string; readonly rule: string };

export type CallMarks = {
  readonly fromCache?: boolean;
  readonly blockedBy?: BlockedBy;
};

const KEY = "tracon";

export const marked = (finish: FinishPart, marks: CallMarks): FinishPart => ({
  ...finish,
  providerMetadata: {
    ...finish.providerMetadata,
    [KEY]: { ...marksOf(finish), ...marks },
  },
});

const NONE: CallMarks = {};

export const marksOf = (finish: FinishPart | undefined): CallMarks =>
  (finish?.providerMetadata?.[KEY] as CallMarks | undefined) ?? NONE;
