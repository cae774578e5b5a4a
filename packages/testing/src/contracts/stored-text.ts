import assert from "node:assert/strict";
import type { JournalEntry, StatisticsStore } from "@tracon/core";
import type { ContractCase, ContractSubject } from "./contract.ts";
import {
  definition,
  eventJson,
  events,
  newTenant,
  runIds,
  runRecord,
  STARTED_AT,
  save,
  tally,
  toolCalls,
} from "./fixtures.ts";

/** Text that databases and encodings are known to lose, refuse or change. */
const texts: Readonly<Record<string, string>> = {
  "nothing at all": "",
  "white space": " \t\r\n ",
  "an emoji of several code points": "\u{1F469}\u200D\u{1F52C}\uFE0F",
  "right-to-left and combining marks": "\u202Eשלום e\u0301\u0323",
  "the character U+0000": "a\u0000b",
  "half a surrogate pair": "cut \uD83D",
  "the other half": "\uDE00 off",
  "two halves in the wrong order": "\uDE00\uD83D",
  "the replacement character and a byte order mark": "\uFEFF\uFFFD",
  "control characters": "\u0001\u0010\u001B\u007F\u0085\u2028",
  "what looks like an escape": "\u00100000 \\u0000 \\ ' \" $1 ? {}",
  "SQL and patterns": "'; drop table runs; -- % _ *",
  "five kilobytes": "0123456789abcde\n".repeat(320),
  "a third of a megabyte with wide characters": 'ö\u{1F600}"\\'.repeat(50_000),
};

/** That no store loses, refuses or changes a text, wherever it stands. */
export const storedTextContract = (subject: ContractSubject): readonly ContractCase[] => [
  ...Object.entries(texts).flatMap(([what, text]) => [
    recordingCase(subject, what, text),
    definitionCase(subject, what, text),
  ]),
  {
    name: "keeps names apart that differ only in what cannot be stored as it is",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const names = ["a\u0000", "a\u00100000", "a", "a\uD83D", "a\uD83E", "a\uFFFD"];

      for (const name of names) await save(stores, tenant, definition(name));

      const listed = await stores.definitions.list(tenant);
      assert.deepEqual(listed.map((it) => it.definition.name).sort(), names.toSorted());
      for (const name of names) {
        assert.equal((await stores.definitions.get(tenant, name))?.definition.name, name);
      }
    },
  },
  {
    name: "keeps members of user data whatever they are called",
    async run() {
      const stores = await subject.stores();
      const tenant = newTenant();
      const metadata = JSON.parse('{"__proto__":{"a":1},"constructor":null,"":[],"\\u0000":"x"}');

      await save(stores, tenant, definition("support", { metadata }));

      const stored = await stores.definitions.get(tenant, "support");
      assert.equal(JSON.stringify(stored?.definition.metadata), JSON.stringify(metadata));
      assert.equal("a" in {}, false);
    },
  },
];

const recordingCase = (subject: ContractSubject, what: string, text: string): ContractCase => ({
  name: `keeps ${what} in every text of a run`,
  async run() {
    const { journal, runs, statistics } = await subject.stores();
    const tenant = newTenant();
    const [id = ""] = runIds(1);
    const record = runRecord(id, {
      agentName: short(text),
      userId: short(text),
      sessionId: short(text),
      labels: { [short(text)]: text },
      error: { type: short(text), message: text, fingerprint: text },
      status: "Failed",
    });
    const messages = [{ role: "user" as const, contents: [{ $type: "text" as const, text }] }];
    const input = { messages, parameters: { [text]: text } };
    const entry: JournalEntry = {
      tenantId: tenant,
      runId: id,
      opened: { record, input },
      events: events(0, text, "after"),
      tally: tally(record, { toolCalls: [toolCalls({ toolName: short(text) })] }),
    };

    await journal.commit([entry]);

    const stored = { ...record, tenantId: tenant, eventCount: 2 };
    assert.deepEqual(await runs.get(tenant, id), stored);
    const { startedAt: createdAt } = record;
    assert.deepEqual(await runs.input(tenant, id), { runId: id, createdAt, ...input });
    assert.deepEqual(await runs.events(tenant, id, { after: -1, take: 9 }), [
      { sequence: 0, json: eventJson(text) },
      { sequence: 1, json: eventJson("after") },
    ]);
    const filter = { agentName: short(text), userId: short(text), errorType: short(text) };
    assert.deepEqual(await runs.list(tenant, filter, { skip: 0, take: 9 }), [stored]);
    const [usage] = await runs.toolUsage(tenant, { maxTools: 9 });
    assert.equal(usage?.toolName, short(text));
    await assertCounted(statistics, tenant, text);
  },
});

async function assertCounted(
  statistics: StatisticsStore,
  tenant: string,
  text: string,
): Promise<void> {
  const counted = await statistics.statistics(tenant, {}, { maxRows: 9 });
  assert.equal(counted.byAgent[0]?.agentName, short(text));
  assert.deepEqual(
    counted.byLabel.map(({ key, value }) => [key, value]),
    [[short(text), text]],
  );
  const [cluster] = counted.byErrorClass[0]?.topClusters ?? [];
  assert.deepEqual([cluster?.fingerprint, cluster?.sampleMessage], [text, text]);
  const label = { key: short(text), value: text };
  const labeled = await statistics.statistics(tenant, { label }, { maxRows: 9 });
  assert.equal(labeled.totalRuns, 1);
}

const definitionCase = (subject: ContractSubject, what: string, text: string): ContractCase => ({
  name: `keeps ${what} in a tenant, a name and the content of a definition`,
  async run() {
    const stores = await subject.stores();
    const tenant = newTenant() + short(text);
    const content = definition(`name ${short(text)}`, { instructions: text });

    await save(stores, tenant, content);

    const stored = await stores.definitions.get(tenant, content.name);
    assert.deepEqual(stored?.definition, {
      ...content,
      origin: "Database",
      version: 1,
      tenantId: tenant,
      updatedAt: STARTED_AT,
    });
  },
});

/** Names and ids are indexed, and have limits of their own in the API. */
const short = (text: string): string => text.slice(0, 64);
