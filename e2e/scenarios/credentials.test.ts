/** A credential is named in the configuration, and is nowhere else. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFakeOpenAi, startTestHost } from "@tracon/testing";
import { createTracon } from "tracon";
import { expect, it, onTestFinished } from "vitest";
import { tracon } from "../kit/tracon-api.ts";
import { covers } from "../requirements/covers.ts";

const KEY = "sk-canary-of-the-credentials";
const MODEL = { provider: "openai", model: "m" };

it(
  "has no place in a definition, and does not reach the database with a run that uses it",
  covers("definition.no-credentials"),
  async () => {
    const { api, folder, provider } = await start();
    const saved = await api.json("POST", "/api/agents", { name: "keyed", model: MODEL });
    const refused = await Promise.all(
      [
        { name: "one", model: MODEL, apiKey: KEY },
        { name: "one", model: { ...MODEL, apiKey: KEY } },
        { name: "one", model: { ...MODEL, providerSettings: { apiKey: KEY } } },
      ].map((definition) => api.json("POST", "/api/agents", definition)),
    );

    const { status } = await api.run("keyed");

    expect([saved.status, status]).toEqual([201, "Completed"]);
    expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(refused.map((it) => it.status)).toEqual([400, 400, 400]);
    expect(JSON.stringify(refused.map(({ body }) => body))).not.toContain(KEY);
    const files = readdirSync(folder);
    expect(files).toContain("tracon.db");
    expect(files.filter((name) => readFileSync(join(folder, name)).includes(KEY))).toEqual([]);
  },
);

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "tracon-credentials-"));
  const provider = await startFakeOpenAi({ apiKey: KEY, turns: [{ text: "Done." }] });
  const host = await startTestHost(() =>
    createTracon(
      {
        storage: `sqlite:${join(folder, "tracon.db")}`,
        providers: { openai: { kind: "openai", baseURL: provider.url, apiKey: { env: "KEY" } } },
      },
      { env: { KEY } },
    ),
  );
  onTestFinished(async () => {
    await host.close();
    await provider.close();
    rmSync(folder, { recursive: true });
  });
  return { api: tracon(host.url), folder, provider };
}
