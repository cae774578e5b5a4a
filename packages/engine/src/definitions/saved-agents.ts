/** Saving, versions and validation of stored definitions: the engine's `Agents`. */

import {
  type AgentDefinition,
  type AgentDefinitionContent,
  type AgentDetail,
  type AppendCondition,
  type Clock,
  contentHash,
  type DeleteCondition,
  type Finding,
  finding,
  type Stores,
  TraconError,
  type ValidationReport,
} from "@tracon/core";
import { type AgentCatalog, describeAgent } from "../catalog/agent-catalog.ts";
import { originOf } from "../catalog/catalog-entry.ts";
import { rememberingLookup } from "../catalog/remembering-lookup.ts";
import { cycleFindings } from "../compile/call-cycles.ts";
import { readCallGraph } from "../compile/call-graph.ts";
import { type CompileContext, compileAgent } from "../compile/compile-agent.ts";
import type { CompiledAgents } from "../compile/compiled-agents.ts";
import { findDependencies } from "../compile/dependencies.ts";
import type { Agents, SavedAgent } from "./agents.ts";
import { readDefinition } from "./read-definition.ts";

export type AgentsOptions = {
  readonly catalog: AgentCatalog;
  readonly compiled: CompiledAgents;
  readonly context: CompileContext;
  readonly definitions: Stores["definitions"];
  readonly clock: Clock;
};

/** Names are compared after Unicode normalization, however a caller spells them. */
const canonical = (name: string): string => name.normalize("NFC");

export function createAgents(options: AgentsOptions): Agents {
  const { catalog } = options;
  return {
    list: async (tenantId) => (await catalog.list(tenantId)).map(describeAgent),
    get: (tenantId, name) => readAgent(options, tenantId, canonical(name)),
    create: (tenantId, definition) => save(options, tenantId, definition, { condition: "absent" }),
    save(tenantId, name, definition, { basedOn } = {}) {
      const condition = conditionOf(basedOn);
      return save(options, tenantId, definition, { condition, name: canonical(name) });
    },
    delete(tenantId, name, { basedOn } = {}) {
      const condition = typeof basedOn === "number" ? { version: basedOn } : "present";
      return remove(options, tenantId, { name: canonical(name), condition });
    },
    validate: (tenantId, definition) => validate(options, tenantId, definition),
    versions: (tenantId, name) => readVersions(options, tenantId, canonical(name)),
    version: (tenantId, name, version) => readVersion(options, tenantId, canonical(name), version),
    rollback(tenantId, name, version, { basedOn } = {}) {
      const condition = basedOn === undefined ? "present" : conditionOf(basedOn);
      return rollBack(options, tenantId, { name: canonical(name), version, condition });
    },
  };
}

function conditionOf(basedOn: number | "any" | undefined): AppendCondition {
  if (basedOn === undefined) return "any";
  return basedOn === "any" ? "present" : { version: basedOn };
}

async function readAgent(
  { catalog }: AgentsOptions,
  tenantId: string,
  name: string,
): Promise<AgentDetail> {
  const entry = await catalog.find(tenantId, name);
  if (entry === undefined) throw notFound(name);
  const origin = originOf(entry);
  return {
    descriptor: describeAgent(entry),
    // An agent of code has none that is stored, whether it is data or not.
    definition: origin === "Code" ? null : (entry.definition ?? null),
    isEditable: origin === "Database",
  };
}

async function readVersions(
  { definitions }: AgentsOptions,
  tenantId: string,
  name: string,
): Promise<readonly AgentDefinition[]> {
  const versions = await definitions.versions(tenantId, name);
  if (versions.length === 0) throw notFound(name);
  return versions.map(({ definition }) => definition);
}

type Rollback = {
  readonly name: string;
  readonly version: number;
  readonly condition: AppendCondition;
};

async function rollBack(
  options: AgentsOptions,
  tenantId: string,
  { name, version, condition }: Rollback,
): Promise<SavedAgent> {
  await refuseReadOnly(options, tenantId, name);
  const old = await readVersion(options, tenantId, name, version);
  return save(options, tenantId, old, { condition, name });
}

const notFound = (name: string) =>
  new TraconError("agent_not_found", `there is no agent '${name}'`);

const stale = (name: string, currentVersion: number) =>
  new TraconError("version_conflict", `agent '${name}' is at version ${currentVersion} now`, {
    extensions: { currentVersion },
  });

async function readVersion(
  { definitions }: AgentsOptions,
  tenantId: string,
  name: string,
  version: number,
): Promise<AgentDefinition> {
  const stored = await definitions.getVersion(tenantId, name, version);
  if (stored !== undefined) return stored.definition;
  throw new TraconError("agent_version_not_found", `agent '${name}' has no version ${version}`);
}

async function remove(
  options: AgentsOptions,
  tenantId: string,
  { name, condition }: { readonly name: string; readonly condition: DeleteCondition },
): Promise<void> {
  const { definitions, compiled, clock } = options;
  await refuseReadOnly(options, tenantId, name);
  const deletedAt = new Date(clock.now()).toISOString();
  const deleted = await definitions.delete({ tenantId, name, condition, deletedAt });
  compiled.forget(tenantId, name);
  if (deleted.outcome === "missing") throw notFound(name);
  if (deleted.outcome === "stale") throw stale(name, deleted.currentVersion);
}

/** A stored definition under a name that code or a source uses would never resolve. */
async function refuseReadOnly(
  { catalog }: AgentsOptions,
  tenantId: string,
  name: string,
): Promise<void> {
  const entry = await catalog.find(tenantId, name);
  if (entry === undefined || originOf(entry) === "Database") return;
  throw new TraconError(
    "agent_read_only",
    `agent '${name}' comes from source '${entry.sourceName}' and cannot be changed here`,
  );
}

/** What was read, if it could be, with everything that is wrong. */
type Checked = {
  readonly content: AgentDefinitionContent | undefined;
  readonly findings: readonly Finding[];
};

/** Reads and compiles what a user wrote. */
async function check(options: AgentsOptions, tenantId: string, request: unknown): Promise<Checked> {
  const read = readDefinition(request);
  if (read.content !== undefined) {
    const { content } = read;
    return { content, findings: await compileFindings(options, tenantId, content) };
  }
  const { findings, rest, isLeftOut } = read;
  if (rest === undefined) return { content: undefined, findings };
  // A part of a definition gives no reason to warn of what it seems to lack.
  const others = (await compileFindings(options, tenantId, rest)).filter(
    ({ path, severity }) => severity === "Error" && !isLeftOut(path),
  );
  return { content: undefined, findings: [...findings, ...others] };
}

async function compileFindings(
  { context, catalog }: AgentsOptions,
  tenantId: string,
  content: AgentDefinitionContent,
): Promise<readonly Finding[]> {
  const draft = { ...content, origin: "Database", version: 0 } as const;
  const lookup = rememberingLookup(catalog);
  const dependencies = await findDependencies(tenantId, draft, lookup);
  const graph = await readCallGraph(tenantId, draft, lookup);
  const { reviewers } = dependencies;
  const { findings } = compileAgent(
    draft,
    { definitionHash: "", dependencies, reviewers },
    context,
  );
  return [...findings, ...cycleFindings(draft, graph)];
}

async function validate(
  options: AgentsOptions,
  tenantId: string,
  request: unknown,
): Promise<ValidationReport> {
  if (request === null || typeof request !== "object" || Array.isArray(request)) {
    throw new TraconError("request_invalid", "a definition is a JSON object", {
      findings: [finding("body_unreadable", "", "send a JSON object")],
    });
  }
  const { findings } = await check(options, tenantId, request);
  return { valid: !hasErrors(findings), inconclusive: false, messages: [...findings] };
}

const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some(({ severity }) => severity === "Error");

type SaveTarget = {
  readonly condition: AppendCondition;
  /** The name the definition must have. */
  readonly name?: string;
};

async function save(
  options: AgentsOptions,
  tenantId: string,
  request: unknown,
  target: SaveTarget,
): Promise<SavedAgent> {
  const { content, findings } = await check(options, tenantId, request);
  const all = [...findings, ...mismatch(content, target.name)];
  if (content === undefined || hasErrors(all)) {
    throw new TraconError("definition_invalid", "the definition was not saved", { findings: all });
  }
  await refuseReadOnly(options, tenantId, content.name);
  return append(options, tenantId, { content, warnings: findings, condition: target.condition });
}

const mismatch = (content: AgentDefinitionContent | undefined, name: string | undefined) =>
  content === undefined || name === undefined || content.name === name
    ? []
    : [
        finding(
          "agent_name_mismatch",
          "name",
          `the definition is named '${content.name}' but '${name}' was to be saved; a name never changes`,
        ),
      ];

type CheckedSave = {
  readonly content: AgentDefinitionContent;
  readonly warnings: readonly Finding[];
  readonly condition: AppendCondition;
};

async function append(
  { definitions, compiled, clock }: AgentsOptions,
  tenantId: string,
  { content, warnings, condition }: CheckedSave,
): Promise<SavedAgent> {
  const hash = contentHash(content);
  const appended = await definitions.append({
    tenantId,
    content,
    contentHash: hash,
    condition,
    savedAt: new Date(clock.now()).toISOString(),
  });
  compiled.forget(tenantId, content.name);
  switch (appended.outcome) {
    case "saved": {
      // Only the version right before this one tells: what was current when the save began may
      // have been replaced by another save since.
      const { definition } = appended.stored;
      const { version } = definition;
      const before = await definitions.getVersion(tenantId, content.name, version - 1);
      return {
        definition,
        created: before === undefined,
        unchanged: before?.contentHash === hash,
        warnings,
      };
    }
    case "exists":
      throw new TraconError("agent_exists", `an agent '${content.name}' exists already`);
    case "missing":
      throw new TraconError("version_conflict", `there is no agent '${content.name}' any more`);
    case "stale":
      throw stale(content.name, appended.currentVersion);
  }
}
