/** What a content guard is: registered in code, asked for everything a model reads and writes. */

/** Where a text comes from. */
export type ContentSource =
  | "UserMessage"
  | "ToolResult"
  | "Document"
  | "ModelOutput"
  | "SkillResource"
  | "Unknown";

/** A part of the inspected text, in UTF-16 units, and what stands there instead. */
export type MaskSpan = {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Default `[redacted]`. */
  readonly replacement?: string;
};

/** What a guard says of a text. `rule` names why; it is recorded, so it must not hold the text. */
export type GuardDecision =
  | { readonly decision: "Allow" }
  | { readonly decision: "Mask"; readonly rule: string; readonly spans: readonly MaskSpan[] }
  | {
      readonly decision: "Mask";
      readonly rule: string;
      /** Stands in place of the whole text. */
      readonly replacement: string;
    }
  | { readonly decision: "Block"; readonly rule: string };

/** A text to inspect. */
export type GuardedContent = {
  readonly text: string;
  readonly source: ContentSource;
  readonly tenantId: string;
  /** The run's own: fires when it is cancelled. */
  readonly signal: AbortSignal;
};

/**
 * Decides what a model may read and what may be shown of its answer. Every guard is asked and the
 * strictest decision wins. A guard that throws, or answers with anything else, blocks.
 */
export type ContentGuard = {
  /** One sentence for people. */
  readonly description?: string;
  inspect(content: GuardedContent): GuardDecision | PromiseLike<GuardDecision>;
};
