import { type ToolApprovalPresentation, toolApprovalPresentationSchema } from "@tracon/core";

/** What a presenter answered, as far as it can be shown; `undefined` when it cannot. */
export function faultlessPresentation(value: unknown): ToolApprovalPresentation | undefined {
  const read = toolApprovalPresentationSchema.safeParse(value);
  return read.success && Object.keys(read.data).length > 0 ? read.data : undefined;
}
