import { expect, it } from "vitest";
import { fakeEngine, RUN_ID } from "../testing/fake-engine.ts";
import { problemIn, testServer } from "../testing/test-server.ts";

const EVENTS = `/tracon/api/runs/${RUN_ID}/events`;
const asJson = { headers: { accept: "application/json" } };

it("streams the recorded events to the run's last", async () => {
  const response = await testServer().ask(EVENTS);

  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await response.text()).toBe(
    [
      'id: 0\nevent: run.started\ndata: {"sequence":0}\n\n',
      'id: 1\nevent: message.delta\ndata: {"sequence":1}\n\n',
      'id: 2\nevent: run.completed\ndata: {"sequence":2}\n\n',
    ].join(""),
  );
});

it.each([
  ["Last-Event-ID", EVENTS, { "last-event-id": "1" }],
  ["after", `${EVENTS}?after=1`, {}],
  ["Last-Event-ID before after", `${EVENTS}?after=0`, { "last-event-id": "1" }],
])("continues after the event %s names", async (_, path, headers) => {
  const response = await testServer().ask(path, { headers });

  expect(await response.text()).toMatch(/^id: 2\n/);
});

it.each(["-1", "01", "1.5", "x", "9999999999", "1,2", "", "9".repeat(100_000)])(
  "refuses a cursor that is no sequence",
  async (cursor) => {
    const server = testServer();

    const response = await server.ask(EVENTS, { headers: { "last-event-id": cursor } });

    expect(response.status).toBe(400);
    expect(await problemIn(response)).toMatchObject({ code: "cursor_invalid" });
    expect(server.calls).toEqual([]);
  },
);

it("answers one page of events as JSON, with a link to the next", async () => {
  const first = await testServer().ask(`${EVENTS}?take=2`, asJson);
  const link = first.headers.get("link") ?? "";
  const last = await testServer().ask(/<(.+)>/.exec(link)?.[1] ?? "", asJson);

  expect(link).toBe(`<${EVENTS}?after=1&take=2>; rel="next"`);
  expect(await first.json()).toEqual([{ sequence: 0 }, { sequence: 1 }]);
  expect(await last.json()).toEqual([{ sequence: 2 }]);
  expect(last.headers.has("link")).toBe(false);
});

it("refuses a page size for a stream instead of ignoring it", async () => {
  const response = await testServer().ask(`${EVENTS}?take=2`);

  expect(response.status).toBe(400);
  expect(await problemIn(response)).toMatchObject({ findings: [{ path: "query.take" }] });
});

it("stops following when its reader leaves, and cancels nothing", async () => {
  let signal: AbortSignal | undefined;
  const silence = { next: () => new Promise<never>(() => undefined) };
  const engine = fakeEngine({
    runs: {
      async events(_tenant, _runId, options) {
        signal = options.signal;
        return { [Symbol.asyncIterator]: () => silence };
      },
    },
  });
  const server = testServer({ engine });
  const response = await server.ask(EVENTS);

  await response.body?.cancel();

  expect(signal?.aborted).toBe(true);
  expect(server.calls.map(([name]) => name)).toEqual(["events"]);
});

it("sends a comment when a run is silent for long", async () => {
  const silence = { next: () => new Promise<never>(() => undefined) };
  const engine = fakeEngine({
    runs: { events: async () => ({ [Symbol.asyncIterator]: () => silence }) },
  });
  const server = testServer({ engine, limits: { keepAliveMs: 3_000 } });
  const response = await server.ask(EVENTS);

  server.advance(3_000);

  const { value } = (await response.body?.getReader().read()) ?? {};
  expect(new TextDecoder().decode(value)).toBe(": keep-alive\n\n");
});
