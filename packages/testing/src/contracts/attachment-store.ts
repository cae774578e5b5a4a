import assert from "node:assert/strict";
import type { AttachmentDescriptor } from "@tracon/core";
import type { ContractCase, ContractSubject } from "./contract.ts";
import { newTenant, runIds, STARTED_AT } from "./fixtures.ts";

/** Every byte there is, more than once: nothing is text to a store. */
const BYTES = Uint8Array.from({ length: 1_024 }, (_, index) => index % 256);
const MIB = 1_048_576;

/** What `AttachmentStore` promises. */
export const attachmentStoreContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...keepingCases(subject),
  ...listCases(subject),
  ...deletingCases(subject),
  ...(subject.reopened === undefined ? [] : reopeningCases(subject, subject.reopened)),
];

const keepingCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "gives back an attachment and its bytes as they were",
    async run() {
      const { attachments } = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      const added = descriptor(tenant, id, { sessionId: "s", fileName: "Ü \u0000 'x'.png" });

      await attachments.add(added, BYTES);

      assert.deepEqual(await attachments.get(tenant, id), added);
      assert.deepEqual(await attachments.content(tenant, id), BYTES);
    },
  },
  {
    name: "keeps an attachment of some megabytes",
    async run() {
      const { attachments } = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      const content = new Uint8Array(3 * MIB).fill(0xfe);

      await attachments.add(descriptor(tenant, id, { byteSize: content.length }), content);

      assert.deepEqual(bytesOf(await attachments.content(tenant, id)), bytesOf(content));
    },
  },
  {
    name: "refuses a second attachment of one id and keeps the first",
    async run() {
      const { attachments } = await subject.stores();
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      await attachments.add(descriptor(tenant, id), BYTES);

      await assert.rejects(attachments.add(descriptor(tenant, id), new Uint8Array([1])));

      assert.deepEqual(bytesOf(await attachments.content(tenant, id)), bytesOf(BYTES));
    },
  },
  {
    name: "shows an attachment to its tenant only",
    async run() {
      const { attachments } = await subject.stores();
      const [tenant, other] = [newTenant(), newTenant()];
      const [id = ""] = runIds(1);
      await attachments.add(descriptor(tenant, id), BYTES);

      assert.equal(await attachments.get(other, id), undefined);
      assert.equal(await attachments.content(other, id), undefined);
      assert.deepEqual(await attachments.find(other, [id]), []);
      assert.deepEqual(await attachments.list(other, {}, { skip: 0, take: 9 }), []);
      assert.equal(await attachments.delete(other, id), false);
      assert.notEqual(await attachments.get(tenant, id), undefined);
    },
  },
  {
    name: "finds those of many that are there",
    async run() {
      const { attachments } = await subject.stores();
      const tenant = newTenant();
      const [one = "", two = "", unknown = ""] = runIds(3);
      for (const id of [one, two]) await attachments.add(descriptor(tenant, id), BYTES);

      const found = await attachments.find(tenant, [two, unknown, one]);

      assert.deepEqual(found.map(({ id }) => id).sort(), [one, two]);
      assert.deepEqual(await attachments.find(tenant, []), []);
    },
  },
];

const listCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "lists attachments newest first, of one session when asked to",
    async run() {
      const { attachments } = await subject.stores();
      const tenant = newTenant();
      const ids = runIds(4);
      for (const [index, id] of ids.entries()) {
        const sessionId = index % 2 === 0 ? { sessionId: "even" } : {};
        await attachments.add(descriptor(tenant, id, sessionId), BYTES);
      }

      const all = await attachments.list(tenant, {}, { skip: 0, take: 9 });
      const even = await attachments.list(tenant, { sessionId: "even" }, { skip: 0, take: 9 });

      assert.deepEqual(all.map(idOf), ids.toReversed());
      assert.deepEqual(even.map(idOf), [ids[2], ids[0]]);
    },
  },
  {
    name: "pages a list by number and by the last one seen",
    async run() {
      const { attachments } = await subject.stores();
      const tenant = newTenant();
      const [oldest = "", middle = "", newest = ""] = runIds(3);
      for (const id of [oldest, middle, newest])
        await attachments.add(descriptor(tenant, id), BYTES);

      const skipped = await attachments.list(tenant, {}, { skip: 1, take: 1 });
      const behind = await attachments.list(tenant, {}, { skip: 0, take: 9, before: middle });

      assert.deepEqual(skipped.map(idOf), [middle]);
      assert.deepEqual(behind.map(idOf), [oldest]);
    },
  },
];

const deletingCases = (subject: ContractSubject): readonly ContractCase[] => [
  {
    name: "deletes an attachment with its bytes, once",
    async run() {
      const { attachments } = await subject.stores();
      const tenant = newTenant();
      const [id = "", kept = ""] = runIds(2);
      for (const each of [id, kept]) await attachments.add(descriptor(tenant, each), BYTES);

      assert.equal(await attachments.delete(tenant, id), true);
      assert.equal(await attachments.delete(tenant, id), false);

      assert.equal(await attachments.get(tenant, id), undefined);
      assert.equal(await attachments.content(tenant, id), undefined);
      assert.deepEqual(bytesOf(await attachments.content(tenant, kept)), bytesOf(BYTES));
    },
  },
  {
    name: "deletes what was uploaded for a session, and nothing else",
    async run() {
      const { attachments } = await subject.stores();
      const [tenant, other] = [newTenant(), newTenant()];
      const [one = "", two = "", loose = "", elsewhere = ""] = runIds(4);
      for (const id of [one, two]) {
        await attachments.add(descriptor(tenant, id, { sessionId: "s" }), BYTES);
      }
      await attachments.add(descriptor(tenant, loose), BYTES);
      await attachments.add(descriptor(tenant, elsewhere, { sessionId: "t" }), BYTES);
      await attachments.add(descriptor(other, one, { sessionId: "s" }), BYTES);

      assert.equal(await attachments.deleteOfSession(tenant, "s"), 2);
      assert.equal(await attachments.deleteOfSession(tenant, "s"), 0);

      const left = await attachments.list(tenant, {}, { skip: 0, take: 9 });
      assert.deepEqual(left.map(idOf).sort(), [loose, elsewhere].sort());
      assert.equal(await attachments.content(tenant, one), undefined);
      assert.notEqual(await attachments.content(other, one), undefined);
    },
  },
];

const reopeningCases = (
  subject: ContractSubject,
  reopened: NonNullable<ContractSubject["reopened"]>,
): readonly ContractCase[] => [
  {
    name: "keeps an attachment when the stores are opened anew",
    async run() {
      const tenant = newTenant();
      const [id = ""] = runIds(1);
      const added = descriptor(tenant, id);
      await (await subject.stores()).attachments.add(added, BYTES);

      const { attachments } = await reopened();

      assert.deepEqual(await attachments.get(tenant, id), added);
      assert.deepEqual(bytesOf(await attachments.content(tenant, id)), bytesOf(BYTES));
    },
  },
];

const descriptor = (
  tenantId: string,
  id: string,
  over: Partial<AttachmentDescriptor> = {},
): AttachmentDescriptor => ({
  id,
  tenantId,
  fileName: "order.pdf",
  mediaType: "application/pdf",
  byteSize: BYTES.length,
  sha256: "A".repeat(64),
  createdAt: STARTED_AT,
  ...over,
});

const idOf = ({ id }: AttachmentDescriptor): string => id;

/** Short in the message of a failure. */
const bytesOf = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? "none" : Buffer.from(bytes).toString("base64");
