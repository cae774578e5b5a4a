import type { RunFrame } from "@tracon/core";
import type { StartOptions } from "@tracon/engine";
import { expect, it } from "vitest";
import * as examples from "../openapi/examples.ts";
import { fakeEngine, frames, inBatches, RUN_ID, runHandle } from "../testing/fake-engine.ts";
import { jsonBody, problemIn, testServer } from "../testing/test-server.ts";

const RUN = "/tracon/api/agents/support/run";
const MESSAGE = { message: "Where is ORD-3?" };
const readHeader: unknown = expect.any(Function);

it("streams a run's frames to its end", async () => {
  const server = testServer();

  const response = await server.ask(RUN, jsonBody(MESSAGE));

  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toEqual({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  });
  expect(framesIn(await response.text())).toEqual(
    frames.map(({ id, event, data }) => ({ id: String(id), event, data })),
  );
  expect(server.calls).toEqual([["start", "support", MESSAGE, { isStreaming: true, readHeader }]]);
  expect(server.timers.size).toBe(0);
});

it("gives no id to a frame that mirrors no recorded event", async () => {
  const unrecorded: RunFrame = { event: "custom", data: { customType: "note", payload: null } };
  const engine = running(inBatches([unrecorded]));

  const response = await testServer({ engine }).ask(RUN, jsonBody(MESSAGE));

  expect(await response.text()).toBe(
    'event: custom\ndata: {"customType":"note","payload":null}\n\n',
  );
});

it("keeps every line break of a text inside its one data line", async () => {
  const text = 'a\nb\r\nc\r\u2028"\\\u0000\ud800';
  const update: RunFrame = { event: "update", id: 1, data: { iteration: 2, kind: "text", text } };
  const engine = running(inBatches([update]));

  const response = await testServer({ engine }).ask(RUN, jsonBody(MESSAGE));

  const [frame] = framesIn(await response.text());
  expect(frame).toEqual({ id: "1", event: "update", data: update.data });
});

it("answers with one JSON body when JSON is preferred", async () => {
  const server = testServer();

  const response = await server.ask(RUN, jsonBody(MESSAGE, { accept: "application/json" }));

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toEqual(examples.runResult);
  expect(server.calls).toEqual([["start", "support", MESSAGE, { isStreaming: false, readHeader }]]);
});

it.each(["text/event-stream", "application/json"])(
  "answers a run that cannot start with its status, asked for as %s",
  async (accept) => {
    const response = await testServer().ask(
      "/tracon/api/agents/nobody/run",
      jsonBody(MESSAGE, { accept }),
    );

    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  },
);

it.each(["respond-async", "wait=10, Respond-Async", "respond-async; x=1"])(
  "runs nothing for 'Prefer: %s', which it cannot honour",
  async (prefer) => {
    const server = testServer();

    const response = await server.ask(RUN, jsonBody(MESSAGE, { prefer }));

    expect(response.status).toBe(501);
    expect(await problemIn(response)).toMatchObject({
      code: "feature_unavailable",
      findings: [{ code: "feature_unavailable", path: "headers.Prefer" }],
    });
    expect(server.calls).toEqual([]);
    expect(server.logged).toEqual([]);
  },
);

it("runs nothing for an Idempotency-Key, which it cannot honour", async () => {
  const server = testServer();
  const headers = { "idempotency-key": "k", prefer: "respond-async" };

  const response = await server.ask(RUN, jsonBody(MESSAGE, headers));

  expect(response.status).toBe(501);
  expect(await problemIn(response)).toMatchObject({
    findings: [{ path: "headers.Idempotency-Key" }, { path: "headers.Prefer" }],
  });
  expect(server.calls).toEqual([]);
});

it("lets other preferences pass", async () => {
  const response = await testServer().ask(RUN, jsonBody(MESSAGE, { prefer: "return=minimal" }));

  expect(response.status).toBe(200);
});

it("lets a run go on when its reader leaves", async () => {
  const { engine, options } = endlessRun();
  const response = await testServer({ engine }).ask(RUN, jsonBody(MESSAGE));

  await response.body?.cancel();

  expect(options()).toEqual({ isStreaming: true, readHeader });
});

it.each(["cancel", "abort"] as const)(
  "cancels the run when its reader leaves by %s and asked for that",
  async (how) => {
    const { engine, options } = endlessRun();
    const leaving = new AbortController();
    const init = { ...jsonBody(MESSAGE), signal: leaving.signal };
    const response = await testServer({ engine }).ask(`${RUN}?abortOnDisconnect=true`, init);
    expect(options()?.signal?.aborted).toBe(false);

    if (how === "cancel") await response.body?.cancel();
    else leaving.abort();

    expect(options()?.signal?.aborted).toBe(true);
  },
);

it("cancels a run asked for as JSON when its caller leaves and asked for that", async () => {
  const { engine, options } = endlessRun();
  const leaving = new AbortController();
  const init = { ...jsonBody(MESSAGE, { accept: "application/json" }), signal: leaving.signal };

  await testServer({ engine }).ask(`${RUN}?abortOnDisconnect=true`, init);
  leaving.abort();

  expect(options()?.signal?.aborted).toBe(true);
});

it("ends a stream that breaks on our side with an error frame", async () => {
  const engine = running(breaking(frames.slice(0, 1)));
  const server = testServer({ engine });

  const response = await server.ask(RUN, jsonBody(MESSAGE));

  const [, last] = framesIn(await response.text());
  expect(last).toMatchObject({
    event: "error",
    data: { code: "internal", status: 500, runId: RUN_ID },
  });
  expect(JSON.stringify(last)).not.toContain("secret");
  expect(server.logged).toHaveLength(1);
});

async function* breaking(first: readonly RunFrame[]) {
  yield first;
  throw new Error("a secret");
}

const running = (batches: AsyncIterable<readonly RunFrame[]>) =>
  fakeEngine({ runs: { start: async () => runHandle(batches) } });

/** A run that says nothing and ends never, with the options it was started with. */
function endlessRun() {
  let started: StartOptions | undefined;
  const silence = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
  };
  const engine = fakeEngine({
    runs: {
      async start(_tenant, _name, _request, options) {
        started = options;
        return runHandle(silence);
      },
    },
  });
  return { engine, options: () => started };
}

function framesIn(text: string) {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const fields = block.split("\n").map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2)];
      });
      const { data, ...rest } = Object.fromEntries(fields);
      return { ...rest, data: JSON.parse(data) };
    });
}
