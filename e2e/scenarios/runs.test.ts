/** Runs over HTTP: both forms of an answer, cancelling, reading, paging, refusals; on every store. */

import { storeMatrix } from "@tracon/testing";
import { tool } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";
import { allFrames, dataOf, framesUntil } from "../kit/sse.ts";

const model = { provider: "test", model: "m" };
const UNKNOWN_RUN = "01993c1e-7d2b-7a54-9c0e-5d1f0a6b7c8d";
const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix().filter(({ engine }) => engine !== "memory"))("on $engine", (store) => {
  it("answers the same run as a stream, as one body and as its record", async () => {
    const turn = { text: "Hello!", usage: { inputTokens: 3, outputTokens: 2 } };
    const { api } = await start([turn, turn]);

    const frames = await allFrames(await api.stream("writer"));
    const result = await api.run("writer");
    const { body: record } = await api.json("GET", `/api/runs/${result.runId}`);
    const { body: input } = await api.json("GET", `/api/runs/${result.runId}/input`);

    const { runId: _, ...streamed } = dataOf(frames.at(-1));
    expect(result).toMatchObject(streamed);
    expect(record).toMatchObject({
      id: result.runId,
      status: "Completed",
      agentName: "writer",
      agentVersion: 1,
      isStreaming: false,
      usage: result.usage,
      depth: 0,
      eventCount: (await api.recorded(result.runId)).length,
    });
    expect(input.messages).toEqual([{ role: "user", contents: [{ $type: "text", text: "Hi" }] }]);
  });

  it("keeps text and arguments exactly, whatever they hold", async () => {
    const odd = 'a\u0000b \ud83d\udca5 \u202e\r\n\ndata: x\n\nid: 7\n e\u0301 "\\ \u2028 \u0007';
    const { api } = await start([
      { toolCalls: [{ name: "echo", input: { text: odd } }] },
      { text: [odd.slice(0, 5), odd.slice(5)] },
    ]);

    const frames = await allFrames(await api.stream("writer", { message: odd }));
    const runId = String(dataOf(frames[0]).runId);
    const { body: tools } = await api.json("GET", `/api/runs/${runId}/tools`);
    const { body: input } = await api.json("GET", `/api/runs/${runId}/input`);

    expect(dataOf(frames.at(-1)).output).toBe(odd);
    expect(tools).toMatchObject([{ toolName: "echo", result: odd, succeeded: true }]);
    expect(JSON.parse(tools[0].arguments)).toEqual({ text: odd });
    expect(input.messages[0].contents[0].text).toBe(odd);
  });

  it("ends a run that is cancelled, for everyone who watches it", async () => {
    const { api } = await start([{ text: "one ", ends: "hang" }]);
    const watching = api.stream("writer").then(allFrames);
    const { id: runId } = await runningRun();
    const following = api.events(runId).then(allFrames);

    const canceled = await api.json("POST", `/api/runs/${runId}/cancel`);
    const [frames, events] = await Promise.all([watching, following]);
    const again = await api.json("POST", `/api/runs/${runId}/cancel`);

    expect(canceled).toMatchObject({ status: 202, body: { id: runId } });
    expect(dataOf(frames.at(-1))).toMatchObject({ code: "canceled", runId, status: 409 });
    expect(events.at(-1)?.event).toBe("run.canceled");
    expect(again).toMatchObject({ status: 409, body: { code: "run_not_cancelable" } });
    expect((await api.json("GET", `/api/runs/${runId}`)).body).toMatchObject({
      status: "Canceled",
      completedAt: expect.any(String),
    });

    async function runningRun() {
      for (;;) {
        const { body } = await api.json("GET", "/api/runs?status=running");
        if (body.length === 1) return body[0] as { id: string };
      }
    }
  });

  it("keeps what a reader saw of a run that was cancelled", async () => {
    const { api } = await start([{ text: ["one ", "two "], ends: "hang" }]);
    const seen = await framesUntil(
      (signal) => api.stream("writer", { signal }),
      ({ data }) => data.includes("two "),
    );
    const runId = String(dataOf(seen[0]).runId);

    await api.json("POST", `/api/runs/${runId}/cancel`);
    await allFrames(await api.events(runId));
    const recorded = await api.recorded(runId);

    for (const frame of seen.slice(1)) {
      expect(recorded[Number(frame.id)]).toMatchObject({ text: dataOf(frame).text });
    }
    expect(recorded.at(-1)?.type).toBe("RunCanceled");
  });

  it("pages through runs by the Link header, each run once, also while new ones come", async () => {
    const { api } = await start(Array.from({ length: 14 }, () => "Hello!"));
    const ids: string[] = [];
    for (let run = 0; run < 12; run++) ids.unshift(String((await api.run("writer")).runId));

    const seen: string[] = [];
    let page = await api.json("GET", "/api/runs?take=5&agentName=writer");
    for (;;) {
      seen.push(...page.body.map(({ id }: { id: string }) => id));
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
      if (next === undefined) break;
      await api.run("writer");
      page = await api.json("GET", new URL(next, api.url).href);
    }

    expect(seen).toEqual(ids);
  });

  it("lists runs by what is asked for", async () => {
    const { api } = await start([{ throws: new Error("no") }, "Hello!"]);
    const failed = await api.run("writer");
    const completed = await api.run("other");

    const idsFor = async (query: string) =>
      (await api.json("GET", `/api/runs?${query}`)).body.map(({ id }: { id: string }) => id);

    expect(await idsFor("")).toEqual([completed.runId, failed.runId]);
    expect(await idsFor("status=failed")).toEqual([failed.runId]);
    expect(await idsFor("errorType=provider_error")).toEqual([failed.runId]);
    expect(await idsFor("agentName=other")).toEqual([completed.runId]);
    expect(await idsFor("skip=1")).toEqual([failed.runId]);
    expect(await idsFor("take=0")).toEqual([completed.runId]);
    expect(await idsFor("startedAfter=2999-01-01T00:00:00Z")).toEqual([]);
    expect(await idsFor(`rootRunId=${UNKNOWN_RUN}`)).toEqual([]);
  });

  it("counts the calls of tools", async () => {
    const { api } = await start([
      {
        toolCalls: [
          { name: "echo", input: { text: "a" } },
          { name: "echo", input: {} },
        ],
      },
      "done",
    ]);
    await api.run("writer");

    const { body } = await api.json("GET", "/api/tools/usage");

    expect(body).toMatchObject([
      { toolName: "echo", totalCalls: 2, failedCalls: 1, errorRate: 0.5 },
    ]);
  });

  it("refuses what it cannot do, in the shape of a problem", async () => {
    const { api } = await start([]);
    const run = "/api/agents/writer/run";

    const answers = [
      await api.json("POST", run, {}),
      await api.json("POST", run, { message: "Hi", massage: "typo" }),
      await api.json("POST", run, { message: 5 }),
      await api.json("POST", run, { message: "Hi", parameters: { undeclared: "x" } }),
      await api.json("POST", run, { message: "Hi", lane: "slow" }),
      await api.json("GET", `/api/runs/${UNKNOWN_RUN}`),
      await api.json("GET", `/api/runs/${UNKNOWN_RUN}/events`),
      await api.json("GET", "/api/runs/not-an-id"),
      await api.json("POST", `/api/runs/${UNKNOWN_RUN}/cancel`),
      await api.json("GET", "/api/runs?take=many"),
      await api.json("GET", "/api/runs?cursor=bogus"),
      await api.json("GET", "/api/nowhere"),
      await api.json("DELETE", "/api/runs"),
    ];

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [400, "request_invalid"],
      [400, "request_invalid"],
      [400, "request_invalid"],
      [400, "request_invalid"],
      [501, "feature_unavailable"],
      [404, "run_not_found"],
      [404, "run_not_found"],
      [404, "run_not_found"],
      [404, "run_not_found"],
      [400, "request_invalid"],
      [400, "cursor_invalid"],
      [404, "route_not_found"],
      [405, "method_not_allowed"],
    ]);
    for (const { status, headers, body } of answers) {
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(body).toMatchObject({
        status,
        title: expect.any(String),
        detail: expect.any(String),
        type: expect.stringMatching(/^\/tracon\/docs#/),
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    }
    expect((await api.json("GET", "/api/runs")).body).toEqual([]);
  });

  async function start(script: Parameters<typeof startScriptedHost>[0]): Promise<ScriptedHost> {
    const host = await startScriptedHost(script, {
      storage: await store.newUrl(),
      agents: [
        { name: "writer", model, toolNames: ["echo"] },
        { name: "other", model },
      ],
      tools: {
        echo: tool({
          inputSchema: z.object({ text: z.string() }),
          execute: ({ text }) => text,
        }),
      },
    });
    open.push(host);
    return host;
  }
});
