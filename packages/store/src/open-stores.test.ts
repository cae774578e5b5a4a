import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentDefinitionRequestSchema, TraconError } from "@tracon/core";
import { storeMatrix } from "@tracon/testing";
import { afterAll, describe, expect, it } from "vitest";
import { migrateStores, migrationStatus, openStores } from "./open-stores.ts";

const OPENERS = 4;
const folder = mkdtempSync(join(tmpdir(), "tracon-open-stores-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shared = storeMatrix().filter(({ engine }) => engine !== "memory");

describe.each(shared)("opening stores on $engine", ({ engine, newUrl }) => {
  it("refuses stores that miss migrations when it may not migrate", async () => {
    const url = await newUrl();

    const refused = await errorOf(openStores(url, { migrate: false }));
    await migrateStores(url);
    const stores = await openStores(url, { migrate: false });

    expect(TraconError.is(refused, "schema_outdated")).toBe(true);
    expect(stores.engine).toBe(engine);
    await stores.close();
  });

  it("tells what a migration would do and has done", async () => {
    const url = await newUrl();

    const before = await migrationStatus(url);
    await migrateStores(url);
    const after = await migrationStatus(url);

    expect(before.applied).toEqual([]);
    expect(before.pending).not.toEqual([]);
    expect(after).toEqual({ applied: before.pending, pending: [] });
  });

  it("opens new stores several times at once, all on the same data", async () => {
    const url = await newUrl();

    const opened = await Promise.all(Array.from({ length: OPENERS }, () => openStores(url)));
    const savers = opened.map(({ definitions }) => definitions.append(savingOf("support")));
    const outcomes = await Promise.all(savers);

    const versions = outcomes.map((it) =>
      it.outcome === "saved" ? it.stored.definition.version : it.outcome,
    );
    expect(versions.sort()).toEqual([1, 2, 3, 4]);
    for (const { definitions } of opened) {
      expect(await definitions.changeCounter()).toBe(OPENERS);
      expect(await definitions.versions("tenant", "support")).toHaveLength(OPENERS);
    }
    await Promise.all(opened.map((stores) => stores.close()));
  });
});

it.each(storeMatrix())("answers nothing any more once closed on $engine", async ({ newUrl }) => {
  const stores = await openStores(await newUrl());

  await stores.close();
  await stores.close();

  const late = [
    stores.journal.commit([]),
    stores.runs.get("tenant", "run"),
    stores.runs.list("tenant", {}, { skip: 0, take: 1 }),
    stores.runs.toolUsage("tenant", { maxTools: 1 }),
    stores.definitions.append(savingOf("support")),
  ];
  for (const error of await Promise.all(late.map(errorOf))) {
    expect(TraconError.is(error, "store_unavailable")).toBe(true);
  }
});

it("looks at the migrations of a SQLite file that is not there without creating it", async () => {
  const path = join(folder, "absent", "tracon.db");

  const status = await migrationStatus(`sqlite:${path}`);

  expect(status.applied).toEqual([]);
  expect(existsSync(join(folder, "absent"))).toBe(false);
});

it("folds the log into the SQLite file when it is closed", async () => {
  const path = join(folder, "closed.db");
  const stores = await openStores(`sqlite:${path}`);

  await stores.close();

  expect(existsSync(path)).toBe(true);
  expect(existsSync(`${path}-wal`)).toBe(false);
});

it("reports a file that is no database", async () => {
  const path = join(folder, "letter.txt");
  writeFileSync(path, "Dear Sir or Madam, ".repeat(1_000));

  const error = await errorOf(openStores(`sqlite:${path}`));

  expect(TraconError.is(error, "store_unavailable")).toBe(true);
  expect(error).toHaveProperty("message", expect.stringContaining("not a database"));
});

it("reports a path that is a folder", async () => {
  const error = await errorOf(openStores(`sqlite:${folder}`));

  expect(TraconError.is(error, "store_unavailable")).toBe(true);
});

it("reports a PostgreSQL that does not answer, without its password", async () => {
  const error = await errorOf(openStores("postgres://user:secret@127.0.0.1:1/db"));

  expect(TraconError.is(error, "store_unavailable")).toBe(true);
  expect(error).toHaveProperty("cause");
  expect(`${error}${JSON.stringify(error)}`).not.toContain("secret");
});

const savingOf = (name: string) => ({
  tenantId: "tenant",
  content: agentDefinitionRequestSchema.parse({
    name,
    model: { provider: "scripted", model: "any" },
  }),
  contentHash: "hash",
  condition: "any" as const,
  savedAt: "2026-01-01T00:00:00.000Z",
});

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
