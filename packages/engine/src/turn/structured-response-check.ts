/** The check of an answer that has to be JSON. Its schema is the provider's to keep, or the validator's. */

import { faultText, type Log, type RunEventPayload } from "@tracon/core";
import { untilAborted } from "../tools/until-aborted.ts";
import type { AnswerFormat } from "./step.ts";

/** An answer to validate. */
export type StructuredResponse = {
  /** The parsed answer. */
  readonly json: unknown;
  /** The answer as the model wrote it. */
  readonly text: string;
  readonly kind: "Json" | "JsonSchema";
  readonly schemaName?: string;
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly tenantId: string;
  readonly runId: string;
  readonly signal: AbortSignal;
};

/** Refuses an answer by throwing. What it throws goes to the log, never to the model or the record. */
export type StructuredResponseValidator = (
  response: StructuredResponse,
) => PromiseLike<void> | void;

export type StructuredResponseCheck = {
  /** Further answers asked for in one run; 0 fails it at once. */
  readonly maxRepairAttempts: number;
  readonly validator: StructuredResponseValidator | undefined;
};

type RejectionReason = RunEventPayload<"StructuredResponseRejected">["reason"];

type CheckedRun = {
  readonly tenantId: string;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly log: Log;
};

/** Why an answer is not accepted, or `undefined`. Rejects only with the signal's reason. */
export async function rejectionOf(
  text: string,
  { kind, schema, schemaName }: AnswerFormat,
  validator: StructuredResponseValidator | undefined,
  { tenantId, runId, signal, log }: CheckedRun,
): Promise<RejectionReason | undefined> {
  if (text.trim() === "") return "Empty";
  const json = parsedJson(text);
  if (json === undefined) return "NotJson";
  if (validator === undefined) return undefined;
  const response: StructuredResponse = {
    json,
    text,
    kind,
    ...(schemaName === undefined ? {} : { schemaName }),
    ...(schema === undefined ? {} : { schema }),
    tenantId,
    runId,
    signal,
  };
  try {
    // An asynchronous function, because a validator may also throw at once.
    await untilAborted(signal, (async () => validator(response))());
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    log.info("a structured response was refused", { runId, error: faultText(error) });
    return "RefusedByValidator";
  }
}

/** The value of a JSON text, or `undefined`, which no JSON text means. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
