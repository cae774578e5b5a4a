import * as z from "zod";

/** How large the prompt of a run would be, without running it. */
export const contextWindowEstimateSchema = z.object({
  /** Approximate tokens of instructions, message, tools and response schema together. */
  promptTokens: z.int(),
  /** The model's context window; `null` when the configuration does not list it. */
  contextWindowTokens: z.int().nullable(),
  /** What a prompt may take of the window so that the answer has room; `null` with the window. */
  allowedPromptTokens: z.int().nullable(),
  /** The prompt is larger than allowed; false when the window is not known. */
  wouldBeRejected: z.boolean(),
});
export type ContextWindowEstimate = z.output<typeof contextWindowEstimateSchema>;
