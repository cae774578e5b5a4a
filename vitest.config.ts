import { defineConfig } from "vitest/config";

const source = { conditions: ["@tracon/source"] };

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "tests/**/*.test.ts", "e2e/**/*.test.ts"],
    globalSetup: ["tests/global-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
