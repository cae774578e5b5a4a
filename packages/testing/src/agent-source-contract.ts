import assert from "node:assert/strict";
import { agentDefinitionRequestSchema, canonicalJson } from "@tracon/core";
import type { AgentSource, SourcedAgent, SourcedDefinition } from "@tracon/engine";
import type { ContractCase } from "./contracts/contract.ts";
import { newTenant } from "./contracts/fixtures.ts";

/** The source that a contract is held against. */
export type AgentSourceSubject = {
  /** The source under test, with at least one agent for `tenantId`. It may be the same each time. */
  source(): Promise<AgentSource> | AgentSource;
  /** Default `default`. */
  readonly tenantId?: string;
  /** A tenant that has other agents, or none; left out by a source that has the same for all. */
  readonly otherTenantId?: string;
};

type Given = SourcedDefinition | SourcedAgent;

/** No agent of any source has this name. */
const NOBODY = "nobody-has-this-name";
const NO_VERSION = 2_147_483_647;

/** What `AgentSource` promises. */
export const agentSourceContract = (subject: AgentSourceSubject): readonly ContractCase[] => [
  ...listCases(subject),
  ...findCases(subject),
  ...versionCases(subject),
  ...(subject.otherTenantId === undefined ? [] : [tenantCase(subject, subject.otherTenantId)]),
];

const tenantOf = ({ tenantId = "default" }: AgentSourceSubject): string => tenantId;

const listCases = (subject: AgentSourceSubject): readonly ContractCase[] => [
  {
    name: "has a name of its own and a priority between code and database",
    async run() {
      const { name, priority } = await subject.source();

      assert.ok(name !== "" && name !== "code" && name !== "database", `its name is '${name}'`);
      assert.ok(Number.isInteger(priority) && priority >= 1 && priority <= 99, `${priority}`);
    },
  },
  {
    name: "lists agents that can be read, each name once",
    async run() {
      const source = await subject.source();

      const agents = await source.list(tenantOf(subject));

      assert.ok(agents.length > 0, "the tenant has no agent to test with");
      for (const agent of agents) assertReadable(agent);
      assert.equal(new Set(agents.map(({ name }) => name)).size, agents.length);
    },
  },
  {
    name: "lists the same when it is asked again, and when it is asked at the same time",
    async run() {
      const source = await subject.source();
      const tenantId = tenantOf(subject);
      const first = textsOf(await source.list(tenantId));

      const others = await Promise.all([source.list(tenantId), source.list(tenantId)]);

      for (const list of others) assert.deepEqual(textsOf(list), first);
    },
  },
];

const findCases = (subject: AgentSourceSubject): readonly ContractCase[] => [
  {
    name: "finds every agent it lists, as it lists it",
    async run() {
      const source = await subject.source();
      const tenantId = tenantOf(subject);

      for (const agent of await source.list(tenantId)) {
        const found = await source.find(tenantId, agent.name);
        assert.ok(found !== undefined, `'${agent.name}' is listed and not found`);
        assert.equal(textOf(found), textOf(agent));
      }
    },
  },
  {
    name: "finds nothing under a name it does not list",
    async run() {
      const source = await subject.source();

      assert.equal(await source.find(tenantOf(subject), NOBODY), undefined);
    },
  },
  {
    name: "has nothing for a tenant nobody knows that it does not list for it",
    async run() {
      const source = await subject.source();
      const stranger = newTenant();
      const listed = new Set((await source.list(stranger)).map(({ name }) => name));

      for (const { name } of await source.list(tenantOf(subject))) {
        const found = await source.find(stranger, name);
        assert.equal(found !== undefined, listed.has(name), `'${name}' of another tenant`);
      }
    },
  },
];

const versionCases = (subject: AgentSourceSubject): readonly ContractCase[] => [
  {
    name: "finds the current version by its number, and none that does not exist",
    async run() {
      const source = await subject.source();
      const tenantId = tenantOf(subject);
      if (source.findVersion === undefined) return;

      for (const agent of await source.list(tenantId)) {
        const version = ("version" in agent ? agent.version : undefined) ?? 1;
        const found = await source.findVersion(tenantId, agent.name, version);
        assert.ok(found !== undefined, `'${agent.name}' has no version ${version}`);
        assert.equal(textOf(found), textOf(agent));
        assert.equal(await source.findVersion(tenantId, agent.name, NO_VERSION), undefined);
      }
      assert.equal(await source.findVersion(tenantId, NOBODY, 1), undefined);
    },
  },
];

const tenantCase = (subject: AgentSourceSubject, other: string): ContractCase => ({
  name: "keeps the agents of one tenant from another",
  async run() {
    const source = await subject.source();
    const own = await source.list(tenantOf(subject));
    const foreign = new Set((await source.list(other)).map(textOf));

    const hidden = own.filter((agent) => !foreign.has(textOf(agent)));

    assert.ok(hidden.length > 0, "both tenants have the same agents");
    for (const agent of hidden) {
      const found = await source.find(other, agent.name);
      assert.ok(found === undefined || textOf(found) !== textOf(agent), agent.name);
    }
  },
});

function assertReadable(agent: Given): void {
  if ("agent" in agent) {
    const { agent: own } = agent;
    assert.ok(typeof own === "function" || own.version === "agent-v1", `'${agent.name}'`);
    return;
  }
  const read = agentDefinitionRequestSchema.safeParse(agent);
  assert.ok(read.success, `'${agent.name}' is no definition: ${read.error?.message}`);
}

const textsOf = (agents: readonly Given[]): readonly string[] => agents.map(textOf).sort();

/** What an agent is, for comparing. Agents that code builds are compared by what they are called. */
function textOf(agent: Given): string {
  if (!("agent" in agent)) return canonicalJson(agent);
  const { agent: _, ...described } = agent;
  return canonicalJson(described);
}
