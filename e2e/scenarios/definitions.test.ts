/** Definitions over HTTP, from the first save to the life after a delete, on every store. */

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
    it("appends a version with every save and changes no earlier one", {
      ...covers(
        "version.save-appends",
        "version.history-never-rewritten",
        "version.list-newest-first",
        "version.store-owns-number",
      ),
    }, async () => {
      const { api } = await start();

      const created = await api.json("POST", "/api/agents", definition("first"));
      const saved = await api.json("PUT", "/api/agents/helper", {
        ...definition("second"),
        version: 9,
      });
      await api.json("PUT", "/api/agents/helper", definition("third"));
      const { body: versions } = await api.json("GET", "/api/agents/helper/versions");

      expect(created).toMatchObject({ status: 201, body: { version: 1, description: "first" } });
      expect(created.headers.get("location")).toBe("/tracon/api/agents/helper");
      expect(saved).toMatchObject({ status: 200, body: { version: 2, description: "second" } });
      expect(versions).toMatchObject([
        { version: 3, description: "third" },
        { version: 2, description: "second" },
        { version: 1, description: "first" },
      ]);
      expect(versions[2]).toEqual(created.body);
      expect((await api.json("GET", "/api/agents/helper/versions/1")).body).toEqual(created.body);
    });

    it("answers two versions word for word in the order asked for", {
      ...covers("version.diff-both-snapshots"),
    }, async () => {
      const { api } = await start();
      const { body: first } = await api.json("POST", "/api/agents", definition("first"));
      const { body: second } = await api.json("PUT", "/api/agents/helper", definition("second"));

      const forward = await api.json("GET", "/api/agents/helper/versions/1/diff/2");
      const backward = await api.json("GET", "/api/agents/helper/versions/2/diff/1");

      expect(forward.body).toEqual({ left: first, right: second });
      expect(backward.body).toEqual({ left: second, right: first });
    });

    it("brings an older version back as a new one", {
      ...covers("version.rollback-writes-new-version"),
    }, async () => {
      const { api } = await start();
      await api.json("POST", "/api/agents", definition("first"));
      await api.json("PUT", "/api/agents/helper", definition("second"));

      const restored = await api.json("POST", "/api/agents/helper/rollback", { version: 1 });
      const { body: current } = await api.json("GET", "/api/agents/helper");

      expect(restored).toMatchObject({ status: 200, body: { version: 3, description: "first" } });
      expect(current.definition).toEqual(restored.body);
      expect((await api.json("GET", "/api/agents/helper/versions/2")).body).toMatchObject({
        description: "second",
      });
    });

    it("never gives a name the same number twice, also after a delete", {
      ...covers(
        "version.never-reused",
        "version.delete-removes-all",
        "version.recreate-continues-numbering",
        "version.deleted-versions-stay-gone",
      ),
    }, async () => {
      const { api } = await start();
      await api.json("POST", "/api/agents", definition("first"));
      await api.json("PUT", "/api/agents/helper", definition("second"));

      const deleted = await api.json("DELETE", "/api/agents/helper");
      const gone = await api.json("GET", "/api/agents/helper");
      const recreated = await api.json("POST", "/api/agents", definition("again"));
      const old = await api.json("GET", "/api/agents/helper/versions/2");
      const { body: versions } = await api.json("GET", "/api/agents/helper/versions");

      expect(deleted).toMatchObject({ status: 204, body: undefined });
      expect(gone).toMatchObject({ status: 404, body: { code: "agent_not_found" } });
      expect(recreated).toMatchObject({ status: 201, body: { version: 3 } });
      expect(old).toMatchObject({ status: 404, body: { code: "agent_version_not_found" } });
      expect(versions.map(({ version }: { version: number }) => version)).toEqual([3]);
    });

    it("uses a saved definition in the next run while the process keeps running", {
      ...covers(
        "definition.edit-without-deployment",
        "definition.instructions-are-system-text",
        "source.resolves-by-name",
      ),
    }, async () => {
      const { api, calls } = await start();
      await api.json("POST", "/api/agents", { ...definition("first"), instructions: "Be brief." });
      const first = await api.run("helper");
      await api.json("PUT", "/api/agents/helper", {
        ...definition("second"),
        instructions: "Sing.",
      });
      const second = await api.run("helper");
      await api.json("PUT", "/api/agents/helper", definition("third"));
      await api.run("helper");

      expect([first.agentVersion, second.agentVersion]).toEqual([1, 2]);
      expect(calls.map(({ prompt }) => prompt[0])).toMatchObject([
        { role: "system", content: "Be brief." },
        { role: "system", content: "Sing." },
        { role: "user" },
      ]);
    });

    it("keeps a definition as plain data, member for member", {
      ...covers(
        "definition.is-data",
        "definition.metadata-free-form",
        "definition.description-optional",
        "definition.absent-collection-reads-empty",
        "definition.null-collection-reads-empty",
        "definition.updated-at-utc",
        "definition.origin-tells-source",
        "definition.single-tenant-default",
      ),
    }, async () => {
      const { api } = await start();
      const metadata = { nested: { list: [1, null, "ü"] }, "": true, empty: {} };

      const { body } = await api.json("POST", "/api/agents", {
        ...definition("with data"),
        toolNames: ["get_order_status"],
        skillNames: null,
        metadata,
      });
      const { body: read } = await api.json("GET", "/api/agents/helper/versions/1");

      expect(read).toEqual(body);
      expect(read).toMatchObject({
        metadata,
        toolNames: ["get_order_status"],
        skillNames: [],
        callableAgents: [],
        origin: "Database",
      });
      expect(new Date(read.updatedAt).toISOString()).toBe(read.updatedAt);
      expect(Date.now() - Date.parse(read.updatedAt)).toBeLessThan(60_000);
    });

    it("lists agents of code and database together, and code keeps its names", {
      ...covers(
        "source.merged-catalog",
        "source.code-wins",
        "source.code-name-refused-409",
        "source.code-agent-keeps-no-versions",
        "source.code-agent-detail",
        "definition.name-is-the-key",
      ),
    }, async () => {
      const { api } = await start();
      await api.json("POST", "/api/agents", definition("stored"));

      const { body: agents } = await api.json("GET", "/api/agents");
      const detail = await api.json("GET", "/api/agents/coded");
      const refused = [
        await api.json("PUT", "/api/agents/coded", { name: "coded", model }),
        await api.json("POST", "/api/agents", { name: "coded", model }),
        await api.json("DELETE", "/api/agents/coded"),
        await api.json("POST", "/api/agents/helper", definition("wrong method")),
        await api.json("POST", "/api/agents", definition("name is taken")),
      ];

      expect(agents).toMatchObject([
        { name: "coded", origin: "Code" },
        { name: "helper", origin: "Database" },
      ]);
      expect(detail).toMatchObject({ status: 200, body: { definition: null, isEditable: false } });
      expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 405, 409]);
      expect(await api.run("coded")).toMatchObject({ status: "Completed", agentVersion: 1 });
      expect((await api.json("GET", "/api/agents/coded/versions")).body).not.toMatchObject([
        { name: "coded" },
      ]);
    });

    it("refuses to save what could not run, with every finding at once", {
      ...covers(
        "compile.every-name-resolves",
        "compile.unknown-tool",
        "compile.unknown-provider",
        "compile.save-runs-the-check",
        "compile.no-run-time-surprise",
        "definition.tool-must-be-registered",
        "definition.tool-names-only",
        "definition.no-executable-code",
      ),
    }, async () => {
      const { api, calls } = await start();
      const broken = {
        ...definition("broken"),
        model: { provider: "absent", model: "m" },
        toolNames: ["get_order_status", "lost", "constructor"],
      };

      const refused = await api.json("POST", "/api/agents", broken);
      const withCode = await api.json("POST", "/api/agents", {
        ...definition("code"),
        toolNames: [{ name: "x", execute: "() => 1" }],
        tools: { x: "() => 1" },
      });

      expect(refused).toMatchObject({ status: 400, body: { code: "definition_invalid" } });
      expect(pathsOf(refused.body)).toEqual(["model.provider", "toolNames[1]", "toolNames[2]"]);
      expect(withCode).toMatchObject({ status: 400, body: { code: "definition_invalid" } });
      expect(pathsOf(withCode.body)).toEqual(["toolNames[0]", "tools"]);
      expect((await api.json("GET", "/api/agents")).body).toHaveLength(1);
      expect(calls).toEqual([]);
    });

    it("reports on a definition without saving it and without calling a model", {
      ...covers(
        "compile.validate-does-not-save",
        "compile.validate-calls-no-model",
        "compile.validate-invalid-is-200",
      ),
    }, async () => {
      const { api, calls } = await start();

      const good = await api.json("POST", "/api/agents/validate", definition("good"));
      const bad = await api.json("POST", "/api/agents/validate", {
        ...definition("bad"),
        toolNames: ["lost"],
      });

      expect(good).toMatchObject({ status: 200, body: { valid: true, messages: [] } });
      expect(bad).toMatchObject({
        status: 200,
        body: { valid: false, messages: [{ path: "toolNames[0]" }] },
      });
      expect((await api.json("GET", "/api/agents")).body).toHaveLength(1);
      expect(calls).toEqual([]);
    });

    it("refuses a definition without its name or its model, and members there are not", {
      ...covers("definition.name-required", "definition.model-required"),
    }, async () => {
      const { api } = await start();

      const answers = [
        await api.json("POST", "/api/agents", { model }),
        await api.json("POST", "/api/agents", { name: "helper" }),
        await api.json("POST", "/api/agents", { ...definition("x"), instrutions: "typo" }),
        await api.json("POST", "/api/agents", { ...definition("x"), callableAgentNames: ["y"] }),
        await api.json("PUT", "/api/agents/other", definition("not the name of the path")),
      ];

      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
      expect(answers.map(({ body }) => pathsOf(body))).toEqual([
        ["name"],
        ["model"],
        ["instrutions"],
        ["callableAgentNames"],
        ["name"],
      ]);
      expect(answers[3]?.body.findings[0].message).toContain("callableAgents");
    });

    it("answers every unknown name and version with the same 404", async () => {
      const { api } = await start();
      await api.json("POST", "/api/agents", definition("first"));

      const agents = [
        await api.json("GET", "/api/agents/nobody"),
        await api.json("DELETE", "/api/agents/nobody"),
        await api.json("GET", "/api/agents/nobody/versions"),
        await api.json("POST", "/api/agents/nobody/run", { message: "Hi" }),
      ];
      const versions = [
        await api.json("GET", "/api/agents/helper/versions/7"),
        await api.json("GET", "/api/agents/helper/versions/1/diff/7"),
        await api.json("POST", "/api/agents/helper/rollback", { version: 7 }),
        await api.json("POST", "/api/agents/nobody/rollback", { version: 1 }),
      ];

      for (const { status, body, headers } of agents) {
        expect([status, body.code]).toEqual([404, "agent_not_found"]);
        expect(headers.get("content-type")).toBe("application/problem+json");
      }
      for (const { status, body } of versions) {
        expect([status, body.code]).toEqual([404, "agent_version_not_found"]);
      }
    });

    it("saves from ten callers at once without losing one", async () => {
      const { api } = await start();

      const saves = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          api.json("PUT", "/api/agents/helper", definition(`save ${index}`)),
        ),
      );
      const { body: versions } = await api.json("GET", "/api/agents/helper/versions");

      expect(saves.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 10 }, (_, index) => index + 1),
      );
      expect(versions).toHaveLength(10);
      expect(new Set(versions.map((it: { description: string }) => it.description)).size).toBe(10);
    });

    async function start(): Promise<ScriptedHost> {
      const host = await startScriptedHost(["one", "two", "three"], {
        storage: await newUrl(),
        agents: [{ name: "coded", model }],
        tools: {
          get_order_status: tool({
            inputSchema: z.object({ orderId: z.string() }),
            execute: () => "on its way",
          }),
        },
      });
      open.push(host);
      return host;
    }
  },
);

const definition = (description: string) => ({ name: "helper", description, model });

const pathsOf = (problem: { readonly findings: readonly { readonly path: string }[] }): string[] =>
  problem.findings.map(({ path }) => path).sort();
