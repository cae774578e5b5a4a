/** What `DefinitionStore` promises of deletes. */

import assert from "node:assert/strict";
import type { ContractCase, ContractSubject } from "./contract.ts";
import { atOnce, definition, newTenant, remove, save, summary, versionOf } from "./fixtures.ts";

export const definitionDeleteCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "deletes a definition with every version, once",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await save(stores, tenant, definition("support"));
      await save(stores, tenant, definition("support"));

      assert.equal(await remove(stores, tenant, "support"), "deleted");

      assert.equal(await stores.definitions.get(tenant, "support"), undefined);
      assert.equal(await stores.definitions.getVersion(tenant, "support", 1), undefined);
      assert.deepEqual(await stores.definitions.versions(tenant, "support"), []);
      assert.deepEqual(await stores.definitions.list(tenant), []);
      assert.equal(await remove(stores, tenant, "support"), "missing");
      assert.equal(await remove(stores, tenant, "never"), "missing");
    },
  },
  {
    name: "deletes under a condition only while it holds",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await save(stores, tenant, definition("support"));
      await save(stores, tenant, definition("support"));
      const before = await stores.definitions.versions(tenant, "support");
      const counter = await stores.definitions.changeCounter();

      const refused = [
        await remove(stores, tenant, "support", { version: 1 }),
        await remove(stores, tenant, "support", { version: 3 }),
        await remove(stores, tenant, "support", { version: 2_147_483_648 }),
        await remove(stores, tenant, "never", { version: 1 }),
      ];

      assert.deepEqual(refused, ["stale 2", "stale 2", "stale 2", "missing"]);
      assert.deepEqual(await stores.definitions.versions(tenant, "support"), before);
      assert.equal(await stores.definitions.changeCounter(), counter);
      assert.equal(await remove(stores, tenant, "support", { version: 2 }), "deleted");
      assert.equal(await remove(stores, tenant, "support", { version: 2 }), "missing");
      assert.deepEqual(await stores.definitions.versions(tenant, "support"), []);
    },
  },
  {
    name: "goes on with the numbering after a delete",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await save(stores, tenant, definition("support"));
      await save(stores, tenant, definition("support"));
      await remove(stores, tenant, "support");

      const outcomes = [
        await save(stores, tenant, definition("support"), { condition: "present" }),
        await save(stores, tenant, definition("support"), { condition: { version: 2 } }),
        await save(stores, tenant, definition("support"), { condition: "absent" }),
      ];

      assert.deepEqual(outcomes.map(summary), ["missing", "missing", "saved 3"]);
      const versions = await stores.definitions.versions(tenant, "support");
      assert.deepEqual(versions.map(versionOf), [3]);
    },
  },
  {
    name: "raises the change counter with every save and delete",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const counters = [await stores.definitions.changeCounter()];

      await save(stores, tenant, definition("support"));
      counters.push(await stores.definitions.changeCounter());
      await save(stores, tenant, definition("support"));
      counters.push(await stores.definitions.changeCounter());
      await remove(stores, tenant, "support");
      counters.push(await stores.definitions.changeCounter());

      const rising = counters.every((counter, index) => counter > (counters[index - 1] ?? -1));
      assert.ok(rising, `expected a rising counter, got ${counters.join(", ")}`);
    },
  },
  {
    name: "lets a save or a delete of the same version succeed, never both",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await save(stores, tenant, definition("support"));
      const condition = { version: 1 };

      const outcomes = await atOnce(async (caller) =>
        caller % 2 === 0
          ? remove(stores, tenant, "support", condition)
          : summary(await save(stores, tenant, definition("support"), { condition })),
      );

      const done = outcomes.filter((it) => it === "deleted" || it.startsWith("saved"));
      const current = await stores.definitions.get(tenant, "support");
      assert.equal(done.length, 1);
      assert.equal(current?.definition.version, done[0] === "deleted" ? undefined : 2);
    },
  },
  {
    name: "lets one of many concurrent deletes succeed",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      await save(stores, tenant, definition("support"));

      const deleted = await atOnce(() => remove(stores, tenant, "support"));

      assert.equal(deleted.filter((it) => it === "deleted").length, 1);
    },
  },
];
