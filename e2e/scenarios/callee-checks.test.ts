/** Definitions that call other agents, over HTTP: what is checked when they are saved and when they run. */

import { storeMatrix } from "@tracon/testing";
import { tool } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";
import { covers } from "../requirements/covers.ts";

const model = { provider: "test", model: "m" };
const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix().filter(({ engine }) => engine !== "memory"))(
  "on $engine",
  ({ newUrl }) => {
    it("takes callees as objects and as names, and answers objects", {
      ...covers("pin.wire-form", "pin.name-is-unpinned-reference"),
    }, async () => {
      const { api } = await start();
      await api.json("POST", "/api/agents", { name: "researcher", model });

      const saved = await api.json("POST", "/api/agents", {
        ...writer,
        callableAgents: [{ name: "researcher", version: 1 }, "coded", { name: "coded-too" }],
      });
      const { body: list } = await api.json("GET", "/api/agents");
      const { body: openApi } = await api.json("GET", "/openapi.json");

      expect(saved).toMatchObject({
        status: 201,
        body: {
          callableAgents: [
            { name: "researcher", version: 1 },
            { name: "coded" },
            { name: "coded-too" },
          ],
        },
      });
      expect(saved.body.callableAgents[1]).toEqual({ name: "coded" });
      expect(list.find((it: { name: string }) => it.name === "writer")).toMatchObject({
        callableAgentNames: ["researcher", "coded", "coded-too"],
      });
      expect(openApi.components.schemas.AgentDefinition.properties.callableAgents).toMatchObject({
        type: "array",
        items: {
          properties: { name: { type: "string" }, version: { type: "integer" } },
          required: ["name"],
        },
      });
    });

    it("refuses every pin that leads nowhere, with its path and nothing written", {
      ...covers(
        "pin.save-400",
        "pin.validate-reports-each",
        "pin.code-agent-refused",
        "pin.old-field-refused",
        "callable-agent.self-call-rejected",
      ),
    }, async () => {
      const { api } = await start();
      await api.json("POST", "/api/agents", { name: "researcher", model });
      const broken = {
        ...writer,
        callableAgents: [
          { name: "researcher", version: 3 },
          { name: "coded", version: 1 },
          { name: "writer" },
          { name: "researcher", version: 0 },
        ],
      };

      const saved = await api.json("POST", "/api/agents", broken);
      const { status, body: report } = await api.json("POST", "/api/agents/validate", broken);
      const old = await api.json("POST", "/api/agents", {
        ...writer,
        callableAgentNames: ["researcher"],
      });
      const symbols = await api.json("POST", "/api/agents", { ...writer, callableAgents: ["--"] });

      const expected = [
        ["callable_agent_version_not_found", "callableAgents[0].version"],
        ["callable_agent_version_invalid", "callableAgents[1].version"],
        ["cycle", "callableAgents[2].name"],
        ["callable_agent_version_invalid", "callableAgents[3].version"],
        ["callable_agent_duplicate", "callableAgents[3].name"],
      ];
      expect(saved).toMatchObject({ status: 400, body: { code: "definition_invalid" } });
      expect(codesOf(saved.body.findings)).toEqual(expected);
      expect([status, report.valid, codesOf(report.messages)]).toEqual([200, false, expected]);
      expect([old.status, codesOf(old.body.findings)]).toEqual([
        400,
        [["unknown_member", "callableAgentNames"]],
      ]);
      expect(old.body.findings[0].message).toContain("callableAgents");
      expect([symbols.status, codesOf(symbols.body.findings)]).toEqual([
        400,
        [["invalid_value", "callableAgents[0].name"]],
      ]);
      expect((await api.json("GET", "/api/agents/writer")).status).toBe(404);
    });

    it("refuses a cycle, by name and through a pinned version", {
      ...covers("callable-agent.indirect-cycle-rejected", "pin.pinned-cycle-refused"),
    }, async () => {
      const { api } = await start();
      const save = (name: string, callableAgents: readonly unknown[]) =>
        api.json("PUT", `/api/agents/${name}`, { name, model, callableAgents });
      await save("a", []);
      await save("b", ["a"]);

      const byName = await save("a", ["b"]);
      await save("b", []);
      const byPin = await save("a", [{ name: "b", version: 1 }]);
      const free = await save("a", ["b"]);

      expect(byName).toMatchObject({
        status: 400,
        body: { findings: [{ code: "cycle", path: "callableAgents[0].name" }] },
      });
      expect(byName.body.findings[0].message).toContain("a → b → a");
      expect(byPin.status).toBe(400);
      expect(byPin.body.findings[0].message).toContain("a → b@1 → a");
      expect(free.status).toBe(200);
    });

    it("refuses tools of agents whose names are taken, naming both", {
      ...covers(
        "call-mode.name-conflict-save-400",
        "call-mode.name-conflict-path",
        "call-mode.name-conflict-with-tool",
        "call-mode.name-conflict-with-other-agent",
      ),
    }, async () => {
      const { api } = await start();
      for (const name of ["support-agent", "support agent", "get-order"]) {
        await api.json("POST", "/api/agents", { name, model });
      }
      const router = {
        name: "router",
        model,
        toolNames: ["get_order"],
        callableAgents: ["support-agent", "support agent", "get-order"],
      };

      const refused = await api.json("POST", "/api/agents", {
        ...router,
        subAgents: { callMode: "tool" },
      });
      const background = await api.json("POST", "/api/agents", router);

      expect(refused.status).toBe(400);
      expect(codesOf(refused.body.findings)).toEqual([
        ["sub_agent_tool_name_conflict", "callableAgents[1].name"],
        ["sub_agent_tool_name_conflict", "callableAgents[2].name"],
      ]);
      expect(refused.body.findings[0].message).toMatch(/'support agent'.*'support-agent'/);
      expect(refused.body.findings[1].message).toMatch(/'get-order'.*tool 'get_order'/);
      expect(background.status).toBe(201);
    });

    it("runs no caller whose pinned callee is gone, also when another has its name", {
      ...covers(
        "pin.compile-repeats-check",
        "pin.deleted-callee-fails",
        "pin.missing-version-message",
      ),
    }, async () => {
      const { api, calls } = await start();
      for (const instructions of ["One.", "Two.", "Three."]) {
        await api.json("PUT", "/api/agents/researcher", {
          name: "researcher",
          model,
          instructions,
        });
      }
      await api.json("POST", "/api/agents", {
        ...writer,
        callableAgents: [{ name: "researcher", version: 3 }],
      });
      const refusal =
        "Agent 'writer' pins callable agent 'researcher' to version 3, but the agent has no version 3";
      const run = () => api.json("POST", "/api/agents/writer/run", { message: "Hi." });

      const before = await api.run("writer");
      await api.json("DELETE", "/api/agents/researcher");
      const deleted = await run();
      const recreated = await api.json("POST", "/api/agents", { name: "researcher", model });
      const still = await run();

      expect(before.status).toBe("Completed");
      expect(recreated.body.version).toBe(4);
      for (const { status, body } of [deleted, still]) {
        expect([status, body.code, body.detail]).toEqual([422, "compilation_failed", refusal]);
        expect(body.findings.map(({ message }: { message: string }) => message)).toContain(refusal);
      }
      expect(calls).toHaveLength(1);
    });

    it("carries pins and call mode through versions, diffs and rollbacks", {
      ...covers("call-mode.part-of-definition"),
    }, async () => {
      const { api } = await start();
      await api.json("POST", "/api/agents", { name: "researcher", model });
      const calling = {
        ...writer,
        callableAgents: [{ name: "researcher", version: 1 }],
        subAgents: { callMode: "Tool", childDeadline: "00:00:10", waitTimeout: "00:00:20" },
      };
      await api.json("POST", "/api/agents", calling);
      await api.json("PUT", "/api/agents/writer", writer);

      const { body: diff } = await api.json("GET", "/api/agents/writer/versions/1/diff/2");
      const restored = await api.json("POST", "/api/agents/writer/rollback", { version: 1 });

      expect(diff.left).toMatchObject(calling);
      expect(diff.right.callableAgents).toEqual([]);
      expect(restored).toMatchObject({ status: 200, body: { ...calling, version: 3 } });
    });

    async function start(): Promise<ScriptedHost> {
      const host = await startScriptedHost(["one"], {
        storage: await newUrl(),
        agents: [
          { name: "coded", model },
          { name: "coded-too", model, callableAgents: ["coded", "not stored yet"] },
        ],
        tools: { get_order: tool({ inputSchema: z.object({}), execute: () => "on its way" }) },
      });
      open.push(host);
      return host;
    }
  },
);

const writer = { name: "writer", model };

const codesOf = (findings: readonly { readonly code: string; readonly path: string }[]) =>
  findings.map(({ code, path }) => [code, path]);
