import assert from "node:assert/strict";
import {
  type AgentDefinitionContent,
  type AppendOutcome,
  contentHash,
  type StoredDefinition,
} from "@tracon/core";
import type { ContractCase, ContractSubject } from "./contract.ts";
import { definitionDeleteCases } from "./definition-deletes.ts";
import {
  atOnce,
  definition,
  newTenant,
  numbersTo,
  remove,
  SAVERS,
  STARTED_AT,
  save,
  summary,
  versionOf,
} from "./fixtures.ts";

/** What `DefinitionStore` promises. */
export const definitionStoreContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...savingCases(subject),
  ...conditionCases(subject),
  ...definitionDeleteCases(subject),
  ...concurrencyCases(subject),
  ...isolationCases(subject),
  ...(subject.reopened === undefined ? [] : reopeningCases(subject, subject.reopened)),
];

const savingCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "returns a saved definition with the members the store owns",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const content = definition("support", { instructions: "Be brief.", metadata: { a: null } });

      const saved = storedOf(await save(stores, tenant, content));

      assert.deepEqual(saved, {
        definition: {
          ...content,
          origin: "Database",
          version: 1,
          tenantId: tenant,
          updatedAt: STARTED_AT,
        },
        contentHash: contentHash(content),
      });
      assert.deepEqual(await stores.definitions.get(tenant, "support"), saved);
      assert.deepEqual(await stores.definitions.getVersion(tenant, "support", 1), saved);
    },
  },
  {
    name: "appends a version with every save and keeps the earlier ones as they were",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const texts = ["one", "two", "three"];

      for (const instructions of texts) {
        await save(stores, tenant, definition("support", { instructions }));
      }

      const versions = await stores.definitions.versions(tenant, "support");
      assert.deepEqual(versions.map(versionOf), [3, 2, 1]);
      assert.deepEqual(versions.map(instructionsOf), ["three", "two", "one"]);
      assert.deepEqual(await stores.definitions.getVersion(tenant, "support", 2), versions[1]);
      assert.deepEqual(await stores.definitions.get(tenant, "support"), versions[0]);
    },
  },
  {
    name: "lists the current version of every definition, by name in the order of code points",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const names = ["b", "a", "B", "é", "a-b", "a b", "z", "\u{1F600}", "\uFF5E"];

      for (const name of names) await save(stores, tenant, definition(name));
      await save(stores, tenant, definition("b"));

      const listed = await stores.definitions.list(tenant);
      assert.deepEqual(listed.map(nameOf), [
        "B",
        "a",
        "a b",
        "a-b",
        "b",
        "z",
        "é",
        "\uFF5E",
        "\u{1F600}",
      ]);
      assert.equal(listed.find((it) => nameOf(it) === "b")?.definition.version, 2);
    },
  },
  {
    name: "compares names exactly",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const names = ["Support", "support", "support ", "e\u0301", "\u00e9"];

      for (const name of names) await save(stores, tenant, definition(name));

      assert.equal((await stores.definitions.list(tenant)).length, names.length);
      for (const name of names) {
        assert.equal((await stores.definitions.get(tenant, name))?.definition.name, name);
      }
    },
  },
  {
    name: "reads the agents of an older row, which has their names alone, as entries without a version",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const { callableAgents: _, ...members } = definition("router");
      const older = { ...members, callableAgentNames: ["billing", "support"] };
      await save(stores, tenant, older as unknown as AgentDefinitionContent);

      const current = await stores.definitions.get(tenant, "router");
      const listed = await stores.definitions.list(tenant);
      const versions = await stores.definitions.versions(tenant, "router");

      const callableAgents = [{ name: "billing" }, { name: "support" }];
      assert.deepEqual(current?.definition, {
        ...members,
        callableAgents,
        origin: "Database",
        version: 1,
        tenantId: tenant,
        updatedAt: STARTED_AT,
      });
      assert.deepEqual(listed, [current]);
      assert.deepEqual(versions, [current]);
      assert.deepEqual(await stores.definitions.getVersion(tenant, "router", 1), current);
    },
  },
  {
    name: "answers for a name and a version that were never there",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await save(stores, tenant, definition("other"));

      assert.equal(await stores.definitions.get(tenant, "support"), undefined);
      assert.equal(await stores.definitions.getVersion(tenant, "support", 1), undefined);
      for (const version of [2, 0, -1, 2_147_483_648, Number.MAX_SAFE_INTEGER]) {
        assert.equal(await stores.definitions.getVersion(tenant, "other", version), undefined);
      }
      assert.deepEqual(await stores.definitions.versions(tenant, "support"), []);
      assert.deepEqual(await stores.definitions.list(newTenant()), []);
    },
  },
];

const conditionCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "saves under a condition only while it holds",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const content = definition("support");

      const outcomes = [
        await save(stores, tenant, content, { condition: "present" }),
        await save(stores, tenant, content, { condition: { version: 1 } }),
        await save(stores, tenant, content, { condition: "absent" }),
        await save(stores, tenant, content, { condition: "absent" }),
        await save(stores, tenant, content, { condition: "present" }),
        await save(stores, tenant, content, { condition: { version: 1 } }),
        await save(stores, tenant, content, { condition: { version: 2_147_483_648 } }),
        await save(stores, tenant, content, { condition: { version: 2 } }),
        await save(stores, tenant, content, { condition: "any" }),
      ];

      assert.deepEqual(outcomes.map(summary), [
        "missing",
        "missing",
        "saved 1",
        "exists",
        "saved 2",
        "stale 2",
        "stale 2",
        "saved 3",
        "saved 4",
      ]);
    },
  },
  {
    name: "leaves nothing behind when a condition does not hold",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await save(stores, tenant, definition("support"));
      const before = await stores.definitions.versions(tenant, "support");

      await save(stores, tenant, definition("support"), { condition: "absent" });
      await save(stores, tenant, definition("support"), { condition: { version: 9 } });
      await save(stores, tenant, definition("other"), { condition: "present" });

      assert.deepEqual(await stores.definitions.versions(tenant, "support"), before);
      assert.deepEqual((await stores.definitions.list(tenant)).map(nameOf), ["support"]);
    },
  },
];

const concurrencyCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "gives concurrent saves of one name contiguous versions",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();

      const outcomes = await atOnce((saver) =>
        save(stores, tenant, definition("support", { instructions: `by ${saver}` })),
      );

      const saved = outcomes.map(storedOf);
      const versions = await stores.definitions.versions(tenant, "support");
      assert.deepEqual(versions.map(versionOf).reverse(), numbersTo(SAVERS));
      assert.deepEqual(saved.map(versionOf).sort(ascending), numbersTo(SAVERS));
      for (const stored of saved) {
        const { version } = stored.definition;
        const read = await stores.definitions.getVersion(tenant, "support", version);
        assert.deepEqual(read, stored);
      }
    },
  },
  {
    name: "lets one of many concurrent savers create a name",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();

      const outcomes = await atOnce(() =>
        save(stores, tenant, definition("support"), { condition: "absent" }),
      );

      const expected = ["saved 1", ...Array(SAVERS - 1).fill("exists")];
      assert.deepEqual(outcomes.map(summary).sort(), expected.sort());
    },
  },
  {
    name: "lets one of many concurrent savers replace a version",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await save(stores, tenant, definition("support"));

      const outcomes = await atOnce(() =>
        save(stores, tenant, definition("support"), { condition: { version: 1 } }),
      );

      const expected = ["saved 2", ...Array(SAVERS - 1).fill("stale 2")];
      assert.deepEqual(outcomes.map(summary).sort(), expected.sort());
    },
  },
];

const isolationCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "keeps the definitions of two tenants apart in both directions",
    async run() {
      const stores = await subject.stores();
      const tenants = [newTenant(), newTenant()] as const;
      for (const tenant of tenants) {
        await save(stores, tenant, definition("both", { instructions: tenant }));
        await save(stores, tenant, definition(`only-${tenant}`));
      }

      for (const [own, other] of [tenants, [...tenants].reverse()] as [string, string][]) {
        const { definitions } = stores;
        const listed = await definitions.list(own);
        assert.deepEqual(listed.map(nameOf).sort(), ["both", `only-${own}`]);
        assert.equal((await definitions.get(own, "both"))?.definition.instructions, own);
        assert.equal(await definitions.get(own, `only-${other}`), undefined);
        assert.equal(await definitions.getVersion(own, `only-${other}`, 1), undefined);
        assert.deepEqual(await definitions.versions(own, `only-${other}`), []);
        assert.equal(await remove(stores, own, `only-${other}`), "missing");
        assert.equal(await remove(stores, own, `only-${other}`, { version: 1 }), "missing");
        const claim = definition(`only-${other}`);
        const replaced = await save(stores, own, claim, { condition: "present" });
        assert.equal(replaced.outcome, "missing");
      }
      await remove(stores, tenants[0], "both");
      const kept = await stores.definitions.get(tenants[1], "both");
      assert.equal(kept?.definition.version, 1);
    },
  },
];

const reopeningCases = (
  subject: ContractSubject,
  reopened: NonNullable<ContractSubject["reopened"]>,
): readonly ContractCase[] => [
  {
    name: "keeps versions, numbering and the change counter when it is opened again",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await save(stores, tenant, definition("support", { instructions: "one" }));
      await save(stores, tenant, definition("support", { instructions: "two" }));
      await save(stores, tenant, definition("gone"));
      await remove(stores, tenant, "gone");
      const versions = await stores.definitions.versions(tenant, "support");
      const counter = await stores.definitions.changeCounter();

      const again = await reopened();

      assert.deepEqual(await again.definitions.versions(tenant, "support"), versions);
      assert.equal(await again.definitions.changeCounter(), counter);
      assert.equal(summary(await save(again, tenant, definition("gone"))), "saved 2");
    },
  },
];

function storedOf(outcome: AppendOutcome): StoredDefinition {
  assert.equal(outcome.outcome, "saved");
  return (outcome as Extract<AppendOutcome, { outcome: "saved" }>).stored;
}

const nameOf = ({ definition: { name } }: StoredDefinition): string => name;
const instructionsOf = ({ definition: { instructions } }: StoredDefinition) => instructions;
const ascending = (left: number, right: number): number => left - right;
