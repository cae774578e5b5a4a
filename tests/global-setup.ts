import { serveTestDatabases } from "../packages/testing/src/test-database.ts";

/** Runs once before all test files; what it returns runs after them. */
export const setup = (): Promise<() => Promise<void>> => serveTestDatabases();
