/**
 * The one place that turns an error into problem details.
 *
 * A Tracon error says what happened in words made for callers. Everything else is a fault of ours:
 * the caller reads a trace id, the log has the rest under it.
 */

import { randomBytes } from "node:crypto";
import {
  type ErrorCode,
  errorCodes,
  type Finding,
  type Log,
  type Problem,
  TraconError,
} from "@tracon/core";
import type { DescribeProblem } from "@tracon/engine";
import { boundedFindings } from "./bounded-findings.ts";
import { normalizePrefix } from "./server-options.ts";
import { statusByCode } from "./status.ts";

const PROBLEM_HEADERS = {
  "content-type": "application/problem+json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** What a problem needs to know of its server and its request. */
export type ProblemContext = { readonly prefix: string; readonly log: Log };

/** The members every problem of this code shares. */
export const problemKind = (code: ErrorCode, prefix: string) => ({
  type: `${prefix}/docs#${code}`,
  title: errorCodes[code].replace(/\.$/, ""),
  status: statusByCode[code],
});

/**
 * For `createEngine`: describes a run's failure as the problem that ends its stream, so that the
 * engine knows neither statuses nor addresses. `prefix` is the server's; default `/tracon`.
 */
export function createProblemDescriber(prefix = "/tracon"): DescribeProblem {
  const root = normalizePrefix(prefix);
  return ({ code, detail, runId }) => {
    const kind = problemKind(isErrorCode(code) ? code : "internal", root);
    return { ...kind, detail, code, runId };
  };
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** The problem details of anything thrown. Faults are logged here, once. */
export function problemOf(error: unknown, context: ProblemContext): Problem {
  const traceId = randomBytes(16).toString("hex");
  if (!TraconError.is(error)) {
    logFault(context.log, "internal", traceId, error);
    return {
      ...problemKind("internal", context.prefix),
      detail: "something went wrong on our side; the log has the details under the trace id",
      code: "internal",
      traceId,
    };
  }

  const kind = problemKind(error.code, context.prefix);
  if (kind.status >= 500 && error.code !== "feature_unavailable") {
    logFault(context.log, error.code, traceId, error);
  }
  const { findings, extensions } = error.details;
  return {
    ...extensions,
    ...kind,
    detail: error.message,
    code: error.code,
    traceId,
    ...(findings === undefined ? {} : shownOf(findings)),
  };
}

function shownOf(findings: readonly Finding[]) {
  const { shown, omitted } = boundedFindings(findings);
  return omitted === 0 ? { findings: shown } : { findings: shown, findingsOmitted: omitted };
}

/** The answer to a request that failed. */
export function problemResponse(
  error: unknown,
  context: ProblemContext,
  headers?: Readonly<Record<string, string>>,
): Response {
  const problem = problemOf(error, context);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: headers === undefined ? PROBLEM_HEADERS : { ...PROBLEM_HEADERS, ...headers },
  });
}

function logFault(log: Log, code: ErrorCode, traceId: string, error: unknown): void {
  log.error("request failed", { code, traceId, error: describe(error) });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\ncaused by: ${describe(error.cause)}`;
  return (error.stack ?? error.message) + cause;
}
