import { TraconError } from "@tracon/core";
import { DatabaseError } from "pg";
import { refused, unavailable } from "../store-error.ts";

/**
 * Classes of error codes that say something about the statement, not about the server: feature,
 * data, constraint, syntax or name.
 */
const STATEMENT_FAULTS = /^(0A|22|23|42)/;
/** The server ended the connection, or never took it. */
const CONNECTION_FAULTS = /^(08|57P)/;

/** Whether the connection is gone, so that nobody can say what became of a statement on it. */
export const isConnectionLoss = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || CONNECTION_FAULTS.test(error.code ?? "");

/** Two processes that wrote the same sessions or budgets waited for each other, and the server undid one. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "40P01";

export function postgresError(error: unknown): TraconError {
  if (error instanceof TraconError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof DatabaseError && STATEMENT_FAULTS.test(error.code ?? "")
    ? refused(`PostgreSQL refused a statement: ${message}`, error)
    : unavailable(`PostgreSQL: ${message}`, error);
}

export async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw postgresError(error);
  }
}
