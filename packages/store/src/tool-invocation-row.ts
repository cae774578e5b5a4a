import type { ToolInvocation } from "@tracon/core";
import type { Row } from "./drivers/driver.ts";
import type { ToolInvocationsTable } from "./schema.ts";
import { isoTime, originalText } from "./stored-values.ts";

export function toolInvocation(stored: Row): ToolInvocation {
  const row = stored as unknown as ToolInvocationsTable;
  return {
    runId: originalText(row.run_id),
    iteration: row.iteration,
    step: row.step,
    position: row.position,
    toolCallId: originalText(row.tool_call_id),
    toolName: originalText(row.tool_name),
    ...(row.arguments !== null && { arguments: originalText(row.arguments) }),
    ...(row.result !== null && { result: originalText(row.result) }),
    ...(row.error !== null && { error: originalText(row.error) }),
    createdAt: isoTime(row.created_at),
    ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
    succeeded: row.succeeded === 1,
  };
}
