/** A source of an application, with everything it gives read and checked. */

import {
  type AgentDefinition,
  agentDefinitionRequestSchema,
  contentHash,
  type Finding,
  finding,
  findingsOf,
  modelBindingSchema,
  TraconError,
} from "@tracon/core";
import type { AgentSource, SourcedAgent } from "../agent-source.ts";
import type { BrokenAgent, CatalogEntry, CatalogSource } from "../catalog-entry.ts";
import { nameOf } from "../catalog-entry.ts";
import type { SdkAgent } from "../sdk-agent.ts";

/** Reads what a source gives; a fault of its own becomes `agent_source_failed`. */
export function customSource(source: AgentSource): CatalogSource {
  const { name: sourceName, priority } = source;
  const readAs = (value: unknown, name: string): CatalogEntry | undefined =>
    value === undefined || value === null ? undefined : named(readEntry(value, sourceName), name);
  return {
    name: sourceName,
    priority,
    isCustom: true,
    list: (tenantId) =>
      ask(sourceName, async () => {
        const entries = (await source.list(tenantId)).map((it) => readEntry(it, sourceName));
        // What has no name cannot be asked for either.
        return entries.filter((entry) => nameOf(entry) !== "");
      }),
    find: (tenantId, name) =>
      ask(sourceName, async () => readAs(await source.find(tenantId, name), name)),
    ...(source.findVersion === undefined
      ? {}
      : {
          findVersion: (tenantId: string, name: string, version: number) =>
            ask(sourceName, async () =>
              versioned(readAs(await source.findVersion?.(tenantId, name, version), name), version),
            ),
        }),
  };
}

async function ask<Answer>(sourceName: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const message = `agent source '${sourceName}' did not answer`;
    throw new TraconError("agent_source_failed", message, { cause: error });
  }
}

function readEntry(value: unknown, sourceName: string): CatalogEntry {
  if (value !== null && typeof value === "object" && "agent" in value) {
    return readOwn(value as SourcedAgent, sourceName);
  }
  const read = agentDefinitionRequestSchema.safeParse(value, { reportInput: true });
  if (!read.success) return broken(value, sourceName, findingsOf(read.error));
  const { version, updatedAt } = value as Partial<AgentDefinition>;
  const isCounted = Number.isSafeInteger(version) && (version ?? 0) > 0;
  if (version !== undefined && !isCounted) {
    return broken(value, sourceName, [finding("invalid_value", "version", "is a number from 1")]);
  }
  const definition: AgentDefinition = {
    ...read.data,
    origin: "Custom",
    version: version ?? 1,
    ...(typeof updatedAt === "string" ? { updatedAt } : {}),
  };
  return { definition, contentHash: contentHash(read.data), sourceName };
}

function readOwn(value: SourcedAgent, sourceName: string): CatalogEntry {
  const { agent, displayName, description, model } = value;
  const findings: Finding[] = [];
  if (typeof agent !== "function" && !isSdkAgent(agent)) {
    findings.push(finding("invalid_value", "agent", "must be an agent of the AI SDK (agent-v1)"));
  }
  const read = model === undefined ? undefined : modelBindingSchema.safeParse(model, REPORTED);
  if (read?.success === false) findings.push(...findingsOf(read.error, ["model"]));
  if (findings.length > 0) return broken(value, sourceName, findings);
  return {
    name: nameIn(value),
    origin: "Custom",
    sourceName,
    own: {
      create: typeof agent === "function" ? agent : () => agent,
      model: read?.data,
      displayName,
      description,
    },
  };
}

const REPORTED = { reportInput: true } as const;

/** Whether a value is an agent of the AI SDK, as far as it can be seen. */
export function isSdkAgent(value: unknown): value is SdkAgent {
  if (value === null || typeof value !== "object") return false;
  const { version, stream } = value as Partial<Record<string, unknown>>;
  return version === "agent-v1" && typeof stream === "function";
}

const broken = (value: unknown, sourceName: string, findings: readonly Finding[]): BrokenAgent => ({
  name: nameIn(value),
  origin: "Custom",
  sourceName,
  findings,
});

function nameIn(value: unknown): string {
  if (value === null || typeof value !== "object" || !("name" in value)) return "";
  return typeof value.name === "string" ? value.name.normalize("NFC") : "";
}

/** An entry that was asked for by a name has that name, or is not what was asked for. */
function named(entry: CatalogEntry, name: string): CatalogEntry {
  const given = nameOf(entry);
  if (given === name) return entry;
  if (given === "" && entry.definition === undefined) return { ...entry, name };
  const message = `source '${entry.sourceName}' gave agent '${given}' for '${name}'`;
  const findings = [finding("agent_name_mismatch", "name", message)];
  return { name, origin: "Custom", sourceName: entry.sourceName, findings };
}

/** So has an entry that was asked for by its version. */
function versioned(entry: CatalogEntry | undefined, version: number): CatalogEntry | undefined {
  const given = entry?.definition?.version;
  if (entry?.definition === undefined || given === version) return entry;
  const { sourceName, definition } = entry;
  const message = `source '${sourceName}' gave version ${given} for ${version}`;
  const findings = [finding("invalid_value", "version", message)];
  return { name: definition.name, origin: "Custom", sourceName, findings };
}

/** What is wrong with the sources themselves; paths begin at `agentSources[0]`. */
export function agentSourceFindings(sources: readonly AgentSource[]): Finding[] {
  return sources.flatMap(({ name, priority }, index) => {
    const path = `agentSources[${index}]`;
    const findings: Finding[] = [];
    if (typeof name !== "string" || name === "" || name === "code" || name === "database") {
      const message = "a source has a name of its own, other than code and database";
      findings.push(finding("invalid_value", `${path}.name`, message));
    } else if (sources.findIndex((it) => it.name === name) !== index) {
      findings.push(finding("duplicate_name", `${path}.name`, `there are two sources '${name}'`));
    }
    if (!Number.isInteger(priority) || priority < 1 || priority > 99) {
      const message = "must be from 1 to 99: code is 0 and the database 100";
      findings.push(finding("invalid_value", `${path}.priority`, message));
    }
    return findings;
  });
}
