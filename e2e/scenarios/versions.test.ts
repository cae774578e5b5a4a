/** Saves on a base version, runs of a version, and changes that every process notices. */

import { storeMatrix } from "@tracon/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ScriptedHost, startScriptedHost } from "../kit/scripted-host.ts";
import { covers } from "../requirements/covers.ts";

const AGENT = "/api/agents/helper";
const SAVERS = 100;
/** A change is used everywhere within a second; a busy test machine gets more. */
const NOTICED = { timeout: 5_000, interval: 20 };

const open: ScriptedHost[] = [];
afterEach(async () => {
  for (const { host } of open.splice(0)) await host.close();
});

describe.each(storeMatrix().filter(({ engine }) => engine !== "memory"))(
  "on $engine",
  ({ newUrl }) => {
    it("saves on the version its caller read, and refuses an older one", async () => {
      const { api, save } = await start(await newUrl());
      const created = await api.json("POST", "/api/agents", definition("1"));
      const etag = created.headers.get("etag") ?? "";

      const saved = await save("2", etag);
      const stale = await save("3", etag);
      const own = await save("3", saved.headers.get("etag") ?? "");
      const same = await save("3", "*");
      const malformed = await save("4", "W/3");

      expect(saved).toMatchObject({ status: 200, body: { version: 2 } });
      expect(saved.headers.get("tracon-unchanged")).toBeNull();
      expect(stale).toMatchObject({
        status: 412,
        body: { code: "version_conflict", currentVersion: 2 },
      });
      expect(own).toMatchObject({ status: 200, body: { version: 3 } });
      expect(same.headers.get("tracon-unchanged")).toBe("true");
      expect(malformed.status).toBe(400);
      expect((await api.json("GET", AGENT)).headers.get("etag")).toBe('"4"');
      expect((await api.json("GET", `${AGENT}/versions/2`)).headers.get("etag")).toBe('"2"');
    });

    it("creates nothing under a name that a condition wants to exist", async () => {
      const { api, save } = await start(await newUrl());

      const answers = [await save("1", "*"), await save("1", '"1"')];

      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [412, "version_conflict"],
        [412, "version_conflict"],
      ]);
      expect((await api.json("GET", AGENT)).status).toBe(404);
    });

    it("lets one of a hundred savers replace a version", async () => {
      const { api, save } = await start(await newUrl());
      await api.json("POST", "/api/agents", definition("base"));

      const saves = await Promise.all(
        Array.from({ length: SAVERS }, (_, index) => save(`${index}`, '"1"')),
      );

      expect(saves.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array(SAVERS - 1).fill(412),
      ]);
      expect((await api.json("GET", `${AGENT}/versions`)).body).toHaveLength(2);
    });

    it("runs the version asked for, records it, and knows no other", async () => {
      const { api, texts } = await start(await newUrl());
      await api.json("POST", "/api/agents", definition("One."));
      await api.json("PUT", AGENT, definition("Two."));

      const first = await api.run("helper", { query: "?version=1" });
      const current = await api.run("helper");
      const unknown = await api.json("POST", `${AGENT}/run?version=3`, { message: "Hi." });
      const coded = await api.json("POST", "/api/agents/coded/run?version=1", { message: "Hi." });
      const invalid = await api.json("POST", `${AGENT}/run?version=x`, { message: "Hi." });
      const { body: record } = await api.json("GET", `/api/runs/${first.runId}`);

      expect(texts()).toEqual(["One.", "Two."]);
      expect([first.agentVersion, current.agentVersion, record.agentVersion]).toEqual([1, 2, 1]);
      expect([unknown, coded].map(({ status, body }) => [status, body.code])).toEqual([
        [404, "agent_version_not_found"],
        [404, "agent_version_not_found"],
      ]);
      expect(invalid.status).toBe(400);
    });

    it("gives a deleted agent's name no old text and no old version", {
      ...covers("version.deleted-versions-stay-gone"),
    }, async () => {
      const url = await newUrl();
      const [first, second] = [await start(url), await start(url)];
      await first.api.json("POST", "/api/agents", definition("Old."));
      await second.api.run("helper");
      await second.api.run("helper", { query: "?version=1" });

      await first.api.json("DELETE", AGENT);
      await vi.waitUntil(async () => (await runStatus(second)) === 404, NOTICED);
      await first.api.json("POST", "/api/agents", definition("New."));
      await vi.waitUntil(async () => (await runStatus(second)) === 200, NOTICED);
      const pinned = await second.api.json("POST", `${AGENT}/run?version=1`, { message: "Hi." });

      expect(second.texts()).toEqual(expect.arrayContaining(["Old.", "New."]));
      expect(second.texts().at(-1)).toBe("New.");
      expect(pinned).toMatchObject({ status: 404, body: { code: "agent_version_not_found" } });
    });

    it("puts a changed block in front of its users' text in every process", {
      ...covers(
        "shared-instructions.prepended",
        "shared-instructions.any-definition-is-a-block",
        "shared-instructions.block-is-versioned",
      ),
    }, async () => {
      const url = await newUrl();
      const [first, second] = [await start(url), await start(url)];
      await first.api.json("PUT", "/api/agents/house", {
        ...definition("Old rule."),
        name: "house",
      });
      await first.api.json("PUT", AGENT, {
        ...definition("Help."),
        sharedInstructionsName: "house",
      });
      await first.api.run("helper");
      await second.api.run("helper");

      await first.api.json("PUT", "/api/agents/house", {
        ...definition("New rule."),
        name: "house",
      });
      await first.api.run("helper");
      await vi.waitUntil(async () => {
        await second.api.run("helper");
        return second.texts().at(-1) === "New rule.\n\nHelp.";
      }, NOTICED);

      expect(first.texts()).toEqual(["Old rule.\n\nHelp.", "New rule.\n\nHelp."]);
      expect(second.texts()[0]).toBe("Old rule.\n\nHelp.");
    });

    it("refuses a block that is not there, or has a block itself, with its path", {
      ...covers(
        "shared-instructions.unknown-block-refused",
        "shared-instructions.second-hop-refused-at-compile",
      ),
    }, async () => {
      const { api } = await start(await newUrl());
      const using = (name: string, sharedInstructionsName: string) => ({
        ...definition("x"),
        name,
        sharedInstructionsName,
      });
      await api.json("POST", "/api/agents", { ...definition("x"), name: "a" });
      await api.json("POST", "/api/agents", using("b", "a"));

      const answers = [
        await api.json("POST", "/api/agents", using("c", "b")),
        await api.json("POST", "/api/agents", using("c", "nobody")),
        await api.json("POST", "/api/agents", using("c", "c")),
      ];

      for (const { status, body } of answers) {
        expect(status).toBe(400);
        expect(body.findings).toMatchObject([
          { code: "shared_instructions_invalid", path: "sharedInstructionsName" },
        ]);
      }
    });
  },
);

const definition = (instructions: string) => ({
  name: "helper",
  instructions,
  model: { provider: "test", model: "m" },
});

const runStatus = async ({ api }: ScriptedHost): Promise<number> =>
  (await api.json("POST", `${AGENT}/run`, { message: "Hi." })).status;

async function start(storage: string) {
  const host = await startScriptedHost(Array(2_000).fill("Done."), {
    storage,
    agents: [{ ...definition("Coded."), name: "coded" }],
  });
  open.push(host);
  const { url } = host.api;
  return {
    ...host,
    texts: () => host.calls.map(({ prompt }) => prompt[0]?.content),
    async save(instructions: string, ifMatch: string) {
      const response = await fetch(url + AGENT, {
        method: "PUT",
        headers: { "content-type": "application/json", "if-match": ifMatch },
        body: JSON.stringify(definition(instructions)),
      });
      const { status, headers } = response;
      // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
      return { status, headers, body: (await response.json()) as any };
    },
  };
}
