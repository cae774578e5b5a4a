import type { Problem } from "@tracon/core";

/** Codes of failures that happen between client and server; all others are the server's own. */
export type ConnectionErrorCode =
  /** The request got no answer. */
  | "connection_failed"
  /** A stream or an answer broke off and could not be continued. */
  | "connection_lost"
  /** The answer is not what the wire contract says. */
  | "response_invalid";

/**
 * A request that did not go through.
 *
 * `status` is the HTTP status, or 0 when no answer arrived or it could not be read; `code` is the
 * server's error code or a {@link ConnectionErrorCode}. Never thrown for a cancelled request: that
 * rejects with the reason of its signal.
 */
export class TraconApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** Everything wrong with a request or definition; empty for other failures. */
  readonly findings: NonNullable<Problem["findings"]>;
  /** The problem details as they came, when there were any. */
  readonly problem: Problem | undefined;

  constructor(failure: {
    readonly status: number;
    readonly code: string;
    readonly title: string;
    readonly detail: string;
    readonly problem?: Problem;
    readonly cause?: unknown;
  }) {
    super(failure.detail, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = "TraconApiError";
    this.status = failure.status;
    this.code = failure.code;
    this.title = failure.title;
    this.detail = failure.detail;
    this.problem = failure.problem;
    this.findings = failure.problem?.findings ?? [];
  }
}

/** A failure between client and server. */
export function connectionError(
  code: ConnectionErrorCode,
  detail: string,
  cause?: unknown,
): TraconApiError {
  return new TraconApiError({ status: 0, code, title: TITLES[code], detail, cause });
}

const TITLES: Readonly<Record<ConnectionErrorCode, string>> = {
  connection_failed: "No connection",
  connection_lost: "Connection lost",
  response_invalid: "Unexpected answer",
};

/** The failure an HTTP answer outside 2xx reports, also when a proxy wrote it and it is no problem document. */
export async function errorOfResponse(response: Response): Promise<TraconApiError> {
  const problem = await readProblem(response);
  const title = problem?.title ?? (response.statusText || `HTTP ${response.status}`);
  return new TraconApiError({
    status: response.status,
    code: problem?.code ?? `http_${response.status}`,
    title,
    detail: problem?.detail ?? `the server answered ${response.status} without problem details`,
    ...(problem === undefined ? {} : { problem }),
  });
}

async function readProblem(response: Response): Promise<Problem | undefined> {
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(
    response.headers.get("content-type") ?? "",
  );
  const body: unknown = isJson ? await response.json().catch(() => undefined) : undefined;
  return isProblem(body) ? body : undefined;
}

const isProblem = (body: unknown): body is Problem =>
  body !== null && typeof body === "object" && "code" in body && typeof body.code === "string";
