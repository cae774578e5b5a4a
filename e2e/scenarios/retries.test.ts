/** One layer repeats model calls: the number of requests at the provider is the number we decided on. */

import { type FakeOpenAiTurn, memoryLog, startFakeOpenAi } from "@tracon/testing";
import { createTracon, type TraconConfig } from "tracon";
import { expect, it, onTestFinished } from "vitest";

const unavailable: FakeOpenAiTurn = { http: { status: 503 } };
const CROWD = 100;

it.each(["openai", "openai-compatible"] as const)(
  "asks a provider of kind %s that is down three times, not three times three",
  async (kind) => {
    const first = await provider(unavailable);
    const { tracon, budgetOf } = await start({ providers: { first: connect(kind, first.url) } });

    const result = await tracon.run("agent", { message: "Go." });

    expect(result).toMatchObject({ status: "Failed", error: { type: "provider_unavailable" } });
    expect(first.requests).toHaveLength(3);
    expect(await budgetOf(result.runId)).toMatchObject({ usedTokens: 0, reservedTokens: 0 });
  },
);

it("asks a fallback as often, and the first provider no more than that", async () => {
  const first = await provider(unavailable);
  const second = await provider(unavailable);
  const { tracon } = await start({
    providers: {
      first: connect("openai", first.url),
      second: connect("openai-compatible", second.url),
    },
    fallbacks: [{ provider: "second", model: "m" }],
  });

  const result = await tracon.run("agent", { message: "Go." });

  expect(result.status).toBe("Failed");
  expect([first.requests.length, second.requests.length]).toEqual([3, 3]);
});

it("bounds the requests of a crowd whose provider asks to come back at once, and then asks no more", async () => {
  const limited = await provider({ http: { status: 429, headers: { "retry-after": "0" } } });
  const { tracon } = await start({
    providers: { first: connect("openai", limited.url) },
    circuitBreaker: { failureThreshold: 5, breakDuration: "1h" },
  });
  const run = () => tracon.run("agent", { message: "Go." });

  const crowd = await Promise.all(Array.from({ length: CROWD }, run));
  const asked = limited.requests.length;
  const late = await Promise.all(Array.from({ length: CROWD }, run));

  expect(crowd.every(({ status }) => status === "Failed")).toBe(true);
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(asked).toBeLessThanOrEqual(3 * CROWD);
  expect(late.every(({ status }) => status === "Failed")).toBe(true);
  expect(limited.requests).toHaveLength(asked);
});

const connect = (kind: "openai" | "openai-compatible", baseURL: string) =>
  ({ kind, apiKey: { env: "KEY" }, baseURL }) as const;

async function provider(otherwise: FakeOpenAiTurn) {
  const fake = await startFakeOpenAi({ otherwise });
  onTestFinished(() => fake.close());
  return fake;
}

type Setup = Pick<TraconConfig, "circuitBreaker"> & {
  readonly providers: NonNullable<TraconConfig["providers"]>;
  readonly fallbacks?: readonly { readonly provider: string; readonly model: string }[];
};

async function start({ fallbacks = [], ...config }: Setup) {
  const tracon = await createTracon(
    {
      storage: "memory:",
      log: memoryLog(),
      circuitBreaker: { enabled: false },
      modelRetry: { maxRetries: 2, baseDelay: "2ms", maxDelay: "10ms" },
      agents: [
        { name: "agent", model: { provider: "first", model: "m", fallbacks: [...fallbacks] } },
      ],
      ...config,
    },
    { env: { KEY: "sk-test" } },
  );
  onTestFinished(() => tracon.close());
  const budgetOf = async (runId: string) => (await tracon.runs.get(runId)).budget;
  return { tracon, budgetOf };
}
