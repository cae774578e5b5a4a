import { APICallError } from "@ai-sdk/provider";
import { openStores } from "@tracon/store";
import {
  manualClock,
  type ScriptedStep,
  scriptedModel,
  startTestEngine,
  TEST_EPOCH_MS,
} from "@tracon/testing";
import { expect, it, onTestFinished } from "vitest";

it.each([
  ["a server's fault", { statusCode: 503 }],
  ["a rate limit", { statusCode: 429 }],
  ["a time-out of the server", { statusCode: 504 }],
  ["a refused connection", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) }],
] as const)("asks again after %s", async (_, fault) => {
  const { start, model, waits } = await engine([failing(fault), "Done."]);

  const result = await start();

  expect(result).toMatchObject({ status: "Completed", output: "Done." });
  expect(waits).toHaveLength(1);
  model.assertDone();
});

it.each([400, 401, 403, 404, 422])(
  "does not repeat a request refused with %i",
  async (statusCode) => {
    const { start, model } = await engine([failing({ statusCode })]);

    const result = await start();

    expect(result.error).toMatchObject({ type: "provider_error" });
    model.assertDone();
  },
);

it("asks three times in all and then fails with the fault", async () => {
  const fault = failing({ statusCode: 503 });
  const { start, model } = await engine([fault, fault, fault]);

  const result = await start();

  expect(result.error).toMatchObject({ type: "provider_unavailable" });
  model.assertDone();
});

it("waits longer each time, up to the limit, spread by chance", async () => {
  const fault = failing({ statusCode: 503 });
  const modelRetry = { maxRetries: 4, baseDelayMs: 100, maxDelayMs: 300 };
  const { start, waits } = await engine([fault, fault, fault, fault, "Done."], { modelRetry });

  await start();

  expect(waits).toEqual([75, 150, 225, 225]);
});

it.each([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "1.5" }, 1_500],
  [{ "retry-after-ms": "1234" }, 1_234],
  [{ "retry-after-ms": "1234", "retry-after": "9" }, 1_234],
  [{ "retry-after": new Date(TEST_EPOCH_MS + 3_000).toUTCString() }, 3_000],
  [{ "retry-after": new Date(TEST_EPOCH_MS - 3_000).toUTCString() }, 375],
  [{ "retry-after": "abc" }, 375],
  [{ "retry-after": "-1" }, 375],
  [{ "retry-after": "0" }, 375],
  [{}, 375],
])("waits at least as long as %j asks, never less than its own wait", async (headers, waited) => {
  const { start, waits } = await engine([limited(headers), "Done."]);

  await start();

  expect(waits).toEqual([waited]);
});

it("fails at once when the provider asks to wait longer than the limit", async () => {
  const { start, waits, model } = await engine([limited({ "retry-after": "99999" })]);

  const result = await start();

  expect(result.error).toMatchObject({ type: "rate_limited" });
  expect(result.error?.message).toContain("99999 s");
  expect(waits).toEqual([]);
  model.assertDone();
});

it("repeats nothing once the provider has begun to answer", async () => {
  const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
  const { start, model } = await engine([{ text: "Par", ends: { streamError: reset } }]);

  const result = await start();

  expect(result.error).toMatchObject({ type: "provider_unavailable" });
  model.assertDone();
});

it("stops waiting when the run is cancelled", async () => {
  const clock = manualClock();
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel([failing({ statusCode: 503 })]);
  const { sleep } = clock;
  const { engine } = await startTestEngine({ stores, model, clock, sleep, modelRetry: {} });
  const run = await engine.runs.start("default", "agent", { message: "Go." });
  await clock.sleeping();

  await engine.runs.cancel("default", run.runId);

  expect((await run.result).status).toBe("Canceled");
  model.assertDone();
});

const failing = (fault: Partial<ConstructorParameters<typeof APICallError>[0]>): ScriptedStep => ({
  throws: new APICallError({
    message: "words of the provider",
    url: "https://api.example",
    requestBodyValues: {},
    ...fault,
  }),
});
const limited = (responseHeaders: Record<string, string | undefined>): ScriptedStep =>
  failing({ statusCode: 429, responseHeaders: responseHeaders as Record<string, string> });

async function engine(script: readonly ScriptedStep[], options = { modelRetry: {} }) {
  const stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  const model = scriptedModel(script);
  const waits: number[] = [];
  const { run } = await startTestEngine({
    stores,
    model,
    clock: manualClock(),
    random: () => 0.5,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });
  return { start: async () => (await run()).result, model, waits };
}
