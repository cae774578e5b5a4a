import * as z from "zod";
import {
  type ApprovalRequest,
  approvalRequestSchema,
  clientToolCallSchema,
} from "../approval/pending-approval.ts";
import { findingSchema } from "../finding.ts";
import { runCostSchema } from "./cost.ts";
import type { RunEventPayload } from "./run-events.ts";
import { runErrorSchema, runStatusSchema } from "./run-record.ts";
import { runUsageSchema } from "./usage.ts";

/** What a run came to: the JSON answer of a run request and the `done` frame of its stream. */
export const runResultSchema = z.object({
  runId: z.string(),
  status: runStatusSchema,
  /** Text of the final iteration. */
  output: z.string(),
  /** The parsed output of an agent with a JSON response format. */
  outputJson: z.unknown().optional(),
  sessionId: z.string().optional(),
  agentName: z.string(),
  agentVersion: z.int().optional(),
  modelProvider: z.string().optional(),
  modelId: z.string().optional(),
  usage: runUsageSchema.optional(),
  cost: runCostSchema.optional(),
  /** Of an agent with a loop: the number of the final iteration, those of a run it went on with counted. */
  iterations: z.int().optional(),
  /** Calls that wait for a decision, of a run that ended `AwaitingApproval`. */
  approvals: z.array(approvalRequestSchema).optional(),
  /** Calls that the next request of the session answers in `toolResults`. */
  clientToolCalls: z.array(clientToolCallSchema).optional(),
  error: runErrorSchema.optional(),
});
export type RunResult = z.output<typeof runResultSchema>;

/** RFC 9457 problem details, with the members every Tracon problem has. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  traceId: z.string().optional(),
  runId: z.string().optional(),
  findings: z.array(findingSchema).optional(),
});
export type Problem = z.output<typeof problemSchema>;

/** One part of an agent's answer on the native run stream. */
export type RunUpdate =
  | { readonly iteration: number; readonly kind: "text"; readonly text: string }
  | { readonly iteration: number; readonly kind: "reasoning"; readonly text: string }
  | {
      readonly iteration: number;
      readonly kind: "toolCall";
      readonly callId: string;
      readonly toolName: string;
      readonly arguments?: string;
    }
  | {
      readonly iteration: number;
      readonly kind: "toolResult";
      readonly callId: string;
      readonly toolName: string;
      readonly result?: string;
      readonly error?: string;
    };

/**
 * One frame of the native run stream. `id` is the sequence of the recorded event it mirrors and is
 * absent on a frame whose event could not be recorded. `run` is first; `done` or `error` is last.
 */
export type RunFrame =
  | {
      readonly event: "run";
      readonly id?: number;
      readonly data: {
        readonly runId: string;
        readonly agentName: string;
        readonly agentVersion?: number;
        readonly sessionId?: string;
        readonly culture?: string;
        readonly startedAt: string;
      };
    }
  | { readonly event: "update"; readonly id?: number; readonly data: RunUpdate }
  | {
      readonly event: "loop.iteration-completed";
      readonly id?: number;
      readonly data: RunEventPayload<"LoopIterationCompleted">;
    }
  | {
      readonly event: "approvals";
      readonly id?: number;
      readonly data: { readonly approvals: readonly ApprovalRequest[] };
    }
  | {
      readonly event: "custom";
      readonly id?: number;
      readonly data: {
        readonly customType: string;
        readonly text?: string;
        readonly payload?: unknown;
      };
    }
  | { readonly event: "done"; readonly id?: number; readonly data: RunResult }
  | { readonly event: "error"; readonly id?: number; readonly data: Problem };
