/** Text that breaks other products: halves of surrogate pairs, U+0000, names a model made up. */

import { storeMatrix } from "@tracon/testing";
import { jsonSchema, tool } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";

const model = { provider: "test", model: "m" };
const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix().filter(({ engine }) => engine !== "memory"))(
  "on $engine",
  ({ newUrl }) => {
    it("joins a pair of surrogates that the model sent in two parts, and keeps a half that is alone", async () => {
      const { api, run } = await start([
        { text: ["ab\ud83d", "\ude00 cd"] },
        { text: ["\ude00 alone"] },
        { text: ["cut \ud83d"] },
      ]);

      const outputs = [await run(), await run(), await run()];

      expect(outputs.map(({ status, output }) => [status, output])).toEqual([
        ["Completed", "ab\u{1F600} cd"],
        ["Completed", "\ude00 alone"],
        ["Completed", "cut \ud83d"],
      ]);
      for (const { runId, output } of outputs) {
        const events = await api.recorded(String(runId));
        const deltas = events.filter(({ type }) => type === "MessageDelta");
        expect(deltas.map(({ text }) => text).join("")).toBe(output);
      }
    });

    it("cuts a recorded payload beside an emoji and never inside it", async () => {
      const padding = "x".repeat(8_191);
      const { api, run } = await start(
        [{ toolCalls: [{ name: "echo", input: { text: "" } }] }, "Done."],
        `${padding}\u{1F600} and more`,
      );

      const { runId } = await run();
      const [call] = (await api.json("GET", `/api/runs/${runId}/tools`)).body;

      expect(call.result.isWellFormed()).toBe(true);
      expect(call.result.slice(0, 8_191)).toBe(padding);
    });

    it("survives U+0000 in everything a model and its tools can say", async () => {
      const input = { "key\u0000": "value\u0000" };
      const { api, run } = await start(
        [
          {
            text: "a\u0000",
            toolCalls: [
              { name: "echo", input },
              { name: "no\u0000pe", input: {} },
            ],
          },
          "b\u0000c",
        ],
        "result\u0000",
      );

      const { runId, status, output } = await run();
      const { body: tools } = await api.json("GET", `/api/runs/${runId}/tools`);

      expect([status, output]).toEqual(["Completed", "b\u0000c"]);
      expect(JSON.parse(tools[0].arguments)).toEqual(input);
      expect(tools).toMatchObject([
        { toolName: "echo", result: "result\u0000", succeeded: true },
        { toolName: "no\u0000pe", succeeded: false },
      ]);
    });

    it("takes U+0000 as content and refuses it in names", async () => {
      const { api } = await start([]);
      const definition = { name: "kept", model, metadata: { "k\u0000": "v\u0000" } };

      const kept = await api.json("POST", "/api/agents", {
        ...definition,
        description: "d\u0000",
        instructions: "i\u0000",
      });
      const refused = await api.json("POST", "/api/agents", { ...definition, name: "a\u0000b" });
      const asked = [
        await api.json("GET", "/api/agents/a%00b"),
        await api.json("POST", "/api/agents/a%00b/run", { message: "Hi." }),
        await api.json("POST", "/api/agents/a%00b/estimate", { message: "Hi." }),
      ];

      expect(kept).toMatchObject({
        status: 201,
        body: { description: "d\u0000", instructions: "i\u0000", metadata: definition.metadata },
      });
      expect(refused).toMatchObject({ status: 400, body: { findings: [{ path: "name" }] } });
      expect(asked.map(({ status }) => status)).toEqual([404, 404, 404]);
    });

    it("answers a tool the model made up with an error, under a name that can be sent back", async () => {
      const names = ["count now! ç", "x".repeat(300), "", "a\nb"];
      const { api, run, calls } = await start([
        { toolCalls: names.map((name) => ({ name })) },
        "Done.",
      ]);

      const { runId, status } = await run();
      const { body: tools } = await api.json("GET", `/api/runs/${runId}/tools`);

      expect(status).toBe("Completed");
      expect(tools.map(({ toolName }: { toolName: string }) => toolName)).toEqual(names);
      const sent = calls[1]?.prompt.flatMap(({ content }) =>
        typeof content === "string"
          ? []
          : content.flatMap((it) => ("toolName" in it ? it.toolName : [])),
      );
      expect(sent).toHaveLength(2 * names.length);
      expect(sent?.filter((name) => !/^[\w-]{1,64}$/.test(name))).toEqual([]);
    });

    async function start(script: Parameters<typeof startScriptedHost>[0], result = "ok") {
      const host = await startScriptedHost(script, {
        storage: await newUrl(),
        agents: [{ name: "talker", model, toolNames: ["echo"] }],
        tools: {
          echo: tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => result }),
        },
      });
      open.push(host);
      return { ...host, run: () => host.api.run("talker") };
    }
  },
);
