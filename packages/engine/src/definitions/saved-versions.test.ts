/** Saves that depend on a version, saves at once, and what a save says of itself. */

import type { AgentDefinitionRequest, Stores } from "@tracon/core";
import { openStores } from "@tracon/store";
import { manualClock, scriptedModel, startTestEngine } from "@tracon/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { covers } from "../../../../e2e/requirements/covers.ts";

const T = "default";
const SAVERS = 100;

describe("a save based on a version", () => {
  it("goes through on the current one, also right after a save of its own", async () => {
    const { agents } = await engine();
    const { definition } = await agents.save(T, "one", written("1"));

    const second = await agents.save(T, "one", written("2"), { basedOn: definition.version });
    const third = await agents.save(T, "one", written("3"), {
      basedOn: second.definition.version,
    });

    expect(third.definition.version).toBe(3);
  });

  it("is refused on an older one, and says which is current", async () => {
    const { agents } = await engine();
    await agents.save(T, "one", written("1"));
    await agents.save(T, "one", written("2"));

    const stale = agents.save(T, "one", written("3"), { basedOn: 1 });

    await expect(stale).rejects.toMatchObject({
      code: "version_conflict",
      details: { extensions: { currentVersion: 2 } },
    });
    expect(await agents.versions(T, "one")).toHaveLength(2);
  });

  it.each([1, "any"] as const)("is refused when there is none, based on %s", async (basedOn) => {
    const { agents } = await engine();
    const never = agents.save(T, "never", { ...written("1"), name: "never" }, { basedOn });
    await agents.save(T, "one", written("1"));
    await agents.delete(T, "one");

    const deleted = agents.save(T, "one", written("2"), { basedOn });

    await expect(never).rejects.toMatchObject({ code: "version_conflict" });
    await expect(deleted).rejects.toMatchObject({ code: "version_conflict" });
  });

  it("goes through on any version when it only must not create", async () => {
    const { agents } = await engine();
    await agents.save(T, "one", written("1"));

    expect(await agents.save(T, "one", written("2"), { basedOn: "any" })).toMatchObject({
      created: false,
      definition: { version: 2 },
    });
  });
});

describe("a hundred saves at once", () => {
  it("replace one version once", async () => {
    const { agents } = await engine();
    await agents.save(T, "one", written("base"));

    const saves = await atOnce((index) =>
      agents.save(T, "one", written(`${index}`), { basedOn: 1 }).then(
        ({ definition }) => definition.version,
        ({ code }) => code,
      ),
    );

    const expected = [2, ...Array(SAVERS - 1).fill("version_conflict")];
    expect([...saves].sort()).toEqual([...expected].sort());
    expect(await agents.versions(T, "one")).toHaveLength(2);
  });

  it("are all kept without a version to base on, and one of them creates", async () => {
    const { agents } = await engine();

    const saves = await atOnce((index) => agents.save(T, "one", written(`${index}`)));

    const versions = await agents.versions(T, "one");
    expect(versions.map(({ version }) => version).reverse()).toEqual(numbersTo(SAVERS));
    expect(new Set(versions.map(({ instructions }) => instructions)).size).toBe(SAVERS);
    expect(saves.filter(({ created }) => created)).toHaveLength(1);
    expect(saves.filter(({ unchanged }) => unchanged)).toEqual([]);
  });

  it("say that they changed nothing when they write what the one before them wrote", async () => {
    const { agents } = await engine();

    const saves = await atOnce((index) => agents.save(T, "one", written(`${index % 2}`)));

    const versions = await agents.versions(T, "one");
    const textOf = (version: number) => versions.find((it) => it.version === version)?.instructions;
    for (const { definition, unchanged } of saves) {
      expect(unchanged).toBe(definition.instructions === textOf(definition.version - 1));
    }
  });
});

it("creates again after a delete, and then changes what was created", async () => {
  const { agents } = await engine();
  await agents.save(T, "one", written("1"));
  await agents.delete(T, "one");

  const created = await agents.save(T, "one", written("1"));
  const saved = await agents.save(T, "one", written("1"));

  expect(created).toMatchObject({ created: true, unchanged: false, definition: { version: 2 } });
  expect(saved).toMatchObject({ created: false, unchanged: true, definition: { version: 3 } });
});

it("says when a rollback changes nothing", async () => {
  const { agents } = await engine();
  await agents.save(T, "one", written("1"));
  await agents.save(T, "one", written("2"));

  expect(await agents.rollback(T, "one", 2)).toMatchObject({ unchanged: true });
  expect(await agents.rollback(T, "one", 1)).toMatchObject({ unchanged: false });
});

it("rolls back on a version that is current, and on no older one", async () => {
  const { agents } = await engine();
  for (const text of ["1", "2", "3"]) await agents.save(T, "one", written(text));

  await expect(agents.rollback(T, "one", 1, { basedOn: 2 })).rejects.toMatchObject({
    code: "version_conflict",
    details: { extensions: { currentVersion: 3 } },
  });
  const back = await agents.rollback(T, "one", 1, { basedOn: 3 });

  expect(back.definition).toMatchObject({ version: 4, instructions: "1" });
});

it("saves what it only warns about, and says so apart", async () => {
  const { agents } = await engine();
  const definition = {
    ...written("{{typo}}"),
    parameters: [{ name: "customer", kind: "Text" as const }],
  };

  const { warnings } = await agents.save(T, "one", definition);
  const report = await agents.validate(T, definition);

  expect(warnings.map(({ code, severity }) => [code, severity])).toEqual([
    ["placeholder_undeclared", "Warning"],
    ["parameter_unused", "Warning"],
  ]);
  expect(report).toEqual({ valid: true, inconclusive: false, messages: warnings });
});

it(
  "keeps shared blocks as what they are: agents of one tenant, with versions",
  covers(
    "shared-instructions.any-definition-is-a-block",
    "shared-instructions.block-is-versioned",
    "shared-instructions.block-belongs-to-tenant",
  ),
  async () => {
    const { agents, engine: it } = await engine();
    await agents.save(T, "house", { ...written("Old rule."), name: "house" });
    await agents.save(T, "house", { ...written("New rule."), name: "house" });
    const user = { ...written("Help."), sharedInstructionsName: "house" };
    await agents.save(T, "one", user);

    await expect(agents.save("other", "one", user)).rejects.toMatchObject({
      details: { findings: [{ code: "shared_instructions_invalid" }] },
    });
    expect(await agents.versions(T, "house")).toHaveLength(2);
    expect(await it.runs.estimate(T, "one", { message: "x" })).toMatchObject({
      promptTokens: Math.ceil("New rule.\n\nHelp.".length / 4) + 1,
    });
  },
);

it("lets no agent refer to a block that becomes one with a block of its own", async () => {
  const { agents, engine: it } = await engine();
  await agents.save(T, "b", { ...written("B."), name: "b" });
  await agents.save(T, "one", { ...written("A."), sharedInstructionsName: "b" });
  await it.runs.estimate(T, "one", { message: "x" });

  await agents.save(T, "c", { ...written("C."), name: "c" });
  await agents.save(T, "b", { ...written("B."), name: "b", sharedInstructionsName: "c" });

  await expect(it.runs.estimate(T, "one", { message: "x" })).rejects.toMatchObject({
    code: "compilation_failed",
    details: { findings: [{ code: "shared_instructions_invalid" }] },
  });
  await agents.delete(T, "b");
  await expect(it.runs.estimate(T, "one", { message: "x" })).rejects.toMatchObject({
    code: "compilation_failed",
  });
  await agents.save(T, "b", { ...written("B."), name: "b" });
  expect(await it.runs.estimate(T, "one", { message: "x" })).toMatchObject({ promptTokens: 3 });
});

it("asks the store for nothing when a compiled agent or version runs again", async () => {
  const { agents, engine: it, queries } = await engine();
  await agents.save(T, "one", written("1"));
  await agents.save(T, "one", written("2"));
  const runs = async () => {
    await it.runs.estimate(T, "one", { message: "x" });
    await it.runs.estimate(T, "one", { message: "x" }, { agentVersion: 1 });
    await it.runs.estimate(T, "agent", { message: "x" });
  };
  await runs();
  const before = queries();

  for (let time = 0; time < 10; time++) await runs();

  expect(queries()).toBe(before);
});

const written = (instructions: string): AgentDefinitionRequest => ({
  name: "one",
  instructions,
  model: { provider: "test", model: "m" },
});

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

const atOnce = <Result>(work: (saver: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(numbersTo(SAVERS).map(work));

async function engine() {
  const stores: Stores = await openStores("memory:");
  onTestFinished(() => stores.close());
  let queries = 0;
  const { definitions } = stores;
  const counted = Object.fromEntries(
    Object.entries(definitions).map(([name, method]) => [
      name,
      (...given: unknown[]) => {
        // The counter is asked once a second, whatever runs.
        if (name !== "changeCounter") queries++;
        return (method as (...parameters: unknown[]) => unknown)(...given);
      },
    ]),
  ) as unknown as Stores["definitions"];
  const started = await startTestEngine({
    stores: { ...stores, definitions: counted },
    model: scriptedModel([]),
    clock: manualClock(),
  });
  onTestFinished(() => started.engine.close());
  return { engine: started.engine, agents: started.engine.agents, queries: () => queries };
}
