import { type ErrorCode, errorCodes, type Problem } from "@tracon/core";
import { problemKind } from "./problem.ts";

/** How a run failed, as the engine knows it. */
type RunFault = { readonly code: string; readonly detail: string; readonly runId: string };

/** Makes the problem details of runs that failed, for the `error` frame of their streams. */
export function describeRunProblem(prefix: string): (fault: RunFault) => Problem {
  return ({ code, detail, runId }) => ({
    ...problemKind(isErrorCode(code) ? code : "internal", prefix),
    detail,
    code,
    runId,
  });
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);
