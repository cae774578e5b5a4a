/** Trees of runs over HTTP: reading a tree, its lists, its totals and its trace; on every store. */

import { createTraconClient } from "@tracon/client";
import { storeMatrix } from "@tracon/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";

const model = { provider: "test", model: "m" };
const UNKNOWN_RUN = "01993c1e-7d2b-7a54-9c0e-5d1f0a6b7c8d";
const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix())("on $engine", (store) => {
  it("reads the whole tree from any of its runs, and each run with what the tree used", async () => {
    const { client, runId } = await ranTree();

    const [root, helper, deep] = await client.runs.tree(runId);

    expect([root, helper, deep]).toMatchObject([
      { id: runId, agentName: "router", depth: 0, childRunCount: 1 },
      { agentName: "helper", depth: 1, childRunCount: 1, parentRunId: runId, rootRunId: runId },
      { agentName: "deep", depth: 2, childRunCount: 0, parentRunId: helper?.id, rootRunId: runId },
    ]);
    for (const member of [root, helper, deep]) {
      expect(await client.runs.tree(idOf(member))).toEqual([root, helper, deep]);
      expect(await client.runs.get(idOf(member))).toMatchObject({
        usage: member?.usage,
        treeUsage: { inputTokens: 15, outputTokens: 5 },
        treeCost: { costs: [], runsWithUnknownPricing: 3 },
      });
    }
  });

  it("lists roots only, and children, trees and runs of every depth when they are asked for", async () => {
    const { client, runId } = await ranTree();
    const [, helper, deep] = await client.runs.tree(runId);
    const listed = async (query: object) =>
      (await client.runs.list(query)).items.map(({ id }) => id);

    expect(await listed({})).toEqual([runId]);
    expect(await listed({ includeChildren: true })).toEqual([idOf(deep), idOf(helper), runId]);
    expect(await listed({ parentRunId: runId })).toEqual([idOf(helper)]);
    expect(await listed({ rootRunId: runId })).toEqual([idOf(deep), idOf(helper)]);
    expect(await listed({ rootRunId: runId, agentName: "deep" })).toEqual([idOf(deep)]);
    expect(await listed({ agentName: "deep" })).toEqual([]);
  });

  it("has the trace of a tree at its root, and says so at the others", async () => {
    const { client, runId } = await ranTree();
    const [, helper] = await client.runs.tree(runId);

    const { spans } = await client.runs.trace(runId);
    const refused = client.runs.trace(idOf(helper));

    expect(spans.map(({ name }) => name).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => "chat m"),
      "execute_tool deep",
      "execute_tool helper",
      ...Array.from({ length: 3 }, () => "tracon.run"),
    ]);
    await expect(refused).rejects.toMatchObject({
      status: 404,
      code: "run_trace_not_found",
      problem: { rootRunId: runId },
    });
  });

  it("answers for the tree of a run that is not there as for any run that is not", async () => {
    const { api } = await start([]);

    const tree = await api.json("GET", `/api/runs/${UNKNOWN_RUN}/tree`);
    const run = await api.json("GET", `/api/runs/${UNKNOWN_RUN}`);

    expect(tree).toMatchObject({ status: 404, body: { code: "run_not_found" } });
    expect({ ...tree.body, traceId: "" }).toEqual({ ...run.body, traceId: "" });
  });

  async function ranTree() {
    const usage = { inputTokens: 3, outputTokens: 1 };
    const ask = (name: string) => ({ toolCalls: [{ name, input: { query: "Go on." } }], usage });
    const said = (text: string) => ({ text, usage });
    const script = [ask("helper"), ask("deep"), said("41"), said("42"), said("Done.")];
    const { api, host } = await start(script);
    const client = createTraconClient({ baseUrl: host.url });
    const { runId } = await client.run("router", { message: "Hi" });
    return { api, client, runId };
  }

  async function start(script: Parameters<typeof startScriptedHost>[0]) {
    const subAgents = { callMode: "Tool" as const };
    const host = await startScriptedHost(script, {
      storage: await store.newUrl(),
      agents: [
        { name: "router", model, callableAgents: [{ name: "helper" }], subAgents },
        { name: "helper", model, callableAgents: [{ name: "deep" }], subAgents },
        { name: "deep", model },
      ],
    });
    open.push(host);
    return host;
  }
});

const idOf = (record: { readonly id: string } | undefined): string => record?.id ?? "";
