/** Rings around the model as callers of the HTTP API see them; on every store. */

import { storeMatrix } from "@tracon/testing";
import { memoryResponseCache, type TraconConfig } from "tracon";
import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";
import { allFrames, dataOf } from "../kit/sse.ts";

const model = { provider: "test", model: "m" };
const schema = { type: "object", properties: { a: { type: "number" } } };
const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix().filter(({ engine }) => engine !== "memory"))("on $engine", (store) => {
  it("answers blocked content with an error of its own and keeps it out of every record", async () => {
    const { api } = await start(["The launch code is 0000."], {
      contentGuards: {
        codes: {
          inspect: ({ text }) =>
            text.includes("launch code")
              ? { decision: "Block", rule: "launch_code" }
              : { decision: "Allow" },
        },
      },
    });

    const asked = await api.run("writer", { message: "Tell me the launch code." });
    const frames = await allFrames(await api.stream("writer", { message: "Tell me." }));

    const answered = String(dataOf(frames[0]).runId);
    const { body: input } = await api.json("GET", `/api/runs/${asked.runId}/input`);
    const recorded = [await api.recorded(String(asked.runId)), await api.recorded(answered)];
    expect(asked).toMatchObject({ status: "Failed", error: { type: "content_blocked" } });
    expect(frames.at(-1)?.event).toBe("error");
    expect(dataOf(frames.at(-1))).toMatchObject({ code: "content_blocked", status: 422 });
    expect(input.messages).toEqual([
      { role: "user", contents: [{ $type: "text", text: "[content_blocked]" }] },
    ]);
    expect(JSON.stringify([asked, frames, recorded])).not.toContain("launch code");
  });

  it("answers from the cache without usage, and gives the parsed answer", async () => {
    const turn = { text: '{"a":1}', usage: { inputTokens: 3, outputTokens: 4 } };
    const { api, calls } = await start([turn], { responseCache: memoryResponseCache() });

    const first = await api.run("json");
    const second = await api.run("json");

    expect(first).toMatchObject({ outputJson: { a: 1 }, usage: { totalTokens: 7 } });
    expect(second).toMatchObject({ status: "Completed", outputJson: { a: 1 } });
    expect(second).not.toHaveProperty("usage");
    expect(calls).toHaveLength(1);
  });

  it("repairs an answer that is not JSON and says so in the journal", async () => {
    const { api } = await start(["Sure!", '{"a":1}'], {
      responseCache: memoryResponseCache(),
      structuredResponse: { enabled: true, maxRepairAttempts: 1 },
    });

    const result = await api.run("json");

    const events = await api.recorded(String(result.runId));
    expect(result).toMatchObject({ status: "Completed", outputJson: { a: 1 } });
    expect(events.map(({ type }) => type)).toContain("StructuredResponseRepairAttempted");
  });

  async function start(
    script: Parameters<typeof startScriptedHost>[0],
    config: TraconConfig,
  ): Promise<ScriptedHost> {
    const json = {
      ...model,
      responseFormat: { kind: "JsonSchema" as const, schema },
      responseCache: { enabled: true },
    };
    const agents = [{ name: "writer", model }];
    const host = await startScriptedHost(script, {
      storage: await store.newUrl(),
      agents:
        config.responseCache === undefined ? agents : [...agents, { name: "json", model: json }],
      ...config,
    });
    open.push(host);
    return host;
  }
});
