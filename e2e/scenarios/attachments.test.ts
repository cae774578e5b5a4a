/** Files and documents over HTTP, from the upload to what a model reads; on every store. */

import { createTraconClient, type TraconClient } from "@tracon/client";
import { type ScriptedStep, storeMatrix } from "@tracon/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";

const PNG = Uint8Array.from([0x89, ...Buffer.from("PNG\r\n"), 0x1a, 0x0a, 1, 2, 3]);
const MIB = 1_048_576;

const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix())("on $engine", (store) => {
  it("takes a file, shows it to the model in every turn, and gives it back", async () => {
    const { client, calls } = await start(["A cat.", "Black."]);

    const file = new Blob([PNG], { type: "text/html" });
    const options = { fileName: "../cat.html", sessionId: "s" };
    const { id, mediaType, fileName } = await client.attachments.upload(file, options);
    const ask = { message: "What is it?", attachmentIds: [id], sessionId: "s" };
    const first = await client.run("writer", ask);
    await client.run("writer", { message: "Its colour?", sessionId: "s" });
    const input = await client.runs.input(first.runId);

    const shown = calls.map(({ prompt }) => prompt[0]?.content[0]);
    expect({ mediaType, fileName }).toEqual({ mediaType: "image/png", fileName: "cat.html" });
    expect(shown).toMatchObject([{ data: { data: PNG } }, { data: { data: PNG } }]);
    expect(JSON.stringify(input)).toContain(id);
    expect(JSON.stringify(input)).not.toContain(Buffer.from(PNG).toString("base64"));
    const bytes = await (await client.attachments.content(id)).arrayBuffer();
    expect(new Uint8Array(bytes)).toEqual(PNG);
  });

  it("keeps a file of the largest size and refuses one byte more", async () => {
    const { client } = await start([]);
    const largest = new Uint8Array(20 * MIB).fill(0x41);
    largest.set(PNG);

    const { id, byteSize } = await client.attachments.upload(new Blob([largest]));
    const more = client.attachments.upload(new Blob([largest, "B"]));

    await expect(more).rejects.toMatchObject({
      status: 400,
      findings: [{ code: "attachment_too_large", path: "file" }],
    });
    expect(byteSize).toBe(20 * MIB);
    expect((await client.attachments.content(id)).size).toBe(20 * MIB);
  });

  it("refuses a run with a file that is not there, as a stream too, and records nothing", async () => {
    const { client, api } = await start([]);
    const attachmentIds = ["01993c1e-7d2b-7a54-9c0e-000000000000"];

    const stream = Array.fromAsync(client.stream("writer", { message: "Hi", attachmentIds }));

    await expect(stream).rejects.toMatchObject({
      status: 400,
      findings: [{ code: "attachment_unknown", path: "attachmentIds[0]" }],
    });
    expect((await api.json("GET", "/api/runs")).body).toEqual([]);
  });

  it("gives documents to the model apart from the message", async () => {
    const { client, api, calls } = await start(["Within 30 days."]);
    const documents = [{ name: "returns.md", content: "Returns: 30 days." }];

    const { runId } = await client.run("writer", { message: "How long?", documents });

    const events = await api.recorded(runId);
    expect(calls[0]?.prompt[0]?.content).toMatchObject([
      { text: expect.stringContaining("<document>\nReturns: 30 days.\n</document>") },
      { text: "How long?" },
    ]);
    expect(events[1]).toMatchObject({
      type: "DocumentAttached",
      payload: { name: "returns.md", sizeBytes: 17 },
    });
  });

  async function start(
    script: readonly ScriptedStep[],
  ): Promise<ScriptedHost & { readonly client: TraconClient }> {
    const host = await startScriptedHost(script, {
      storage: await store.newUrl(),
      agents: [{ name: "writer", model: { provider: "test", model: "m" } }],
    });
    open.push(host);
    return { ...host, client: createTraconClient({ baseUrl: host.api.url }) };
  }
});
