import { serveTestDatabases } from "../packages/testing/src/postgres-databases.ts";

/** Runs once before all test files; what it returns runs after them. */
export const setup = (): Promise<() => Promise<void>> => serveTestDatabases();
