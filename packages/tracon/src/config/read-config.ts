/** Reads a configuration: everything wrong with it comes back as findings, all at once. */

import {
  type AgentDefinitionContent,
  type DatedPrice,
  datedPriceSchema,
  type Finding,
  finding,
  findingsOf,
  type ModelDescriptor,
  modelDescriptorSchema,
} from "@tracon/core";
import { type ReadCodeAgents, readCodeAgents } from "@tracon/engine";
import * as z from "zod";
import { agentGraphSchema } from "./agent-graph-settings.ts";
import { type AttachmentSettings, attachmentSettings } from "./attachment-settings.ts";
import { type CodeSettings, codeSettings } from "./code-settings.ts";
import type { TraconConfig } from "./config.ts";
import { type ModelSettings, milliseconds, modelSettings } from "./model-settings.ts";
import {
  type ObservabilitySettings,
  observabilitySettings,
  repeatedSinks,
} from "./observability-settings.ts";

/** Option blocks of later versions: refused by name, never ignored. */
const UNAVAILABLE = [
  "runReconciliation",
  "runContinuation",
  "utilityModel",
  "skills",
  "audit",
  "sessionOwnership",
  "jobs",
  "mcp",
  "workflows",
  "voice",
  "retention",
  "tenancy",
] as const;

const serverSchema = z.strictObject({
  port: z.int().min(0).max(65_535).default(7_717),
  host: z.string().min(1).max(255).default("127.0.0.1"),
  prefix: z.string().max(256).default("/tracon"),
  token: z
    .strictObject(
      { env: z.string().min(1).max(128) },
      { error: 'a secret is never written here; name an environment variable: { env: "NAME" }' },
    )
    .optional(),
});

const runRecordingSchema = z.strictObject({
  recordMessageDeltas: z.boolean().default(true),
  recordReasoningDeltas: z.boolean().default(false),
  recordToolPayloads: z.boolean().default(true),
  recordRunInput: z.boolean().default(true),
  maxPayloadLength: z.int().min(0).default(8_192),
});

const approvalsSchema = z
  .strictObject({
    defaultExpiration: milliseconds().prefault("24h"),
    expirationEnabled: z.boolean().default(true),
    scanInterval: milliseconds().prefault("1m"),
    maxPerScan: z.int().min(1).max(10_000).default(100),
  })
  .transform(({ defaultExpiration, scanInterval, ...rest }) => ({
    ...rest,
    defaultExpirationMs: defaultExpiration,
    scanIntervalMs: scanInterval,
  }));

/** More prices than any catalog has; each is looked at when its model answers. */
const MAX_PRICES = 10_000;

const preflightSchema = z.strictObject({
  enabled: z.boolean().default(false),
  reserveRatio: z.number().min(0).max(0.95).default(0.2),
});

const logSchema = z.custom<TraconConfig["log"] & object>(
  (value) =>
    value !== null &&
    typeof value === "object" &&
    ["info", "warn", "error"].every((name) => typeof Reflect.get(value, name) === "function"),
  "must have the functions info, warn and error",
);

const configSchema = z.strictObject({
  // Providers and tools are checked, entry by entry, by those who build them.
  providers: z
    .custom<NonNullable<TraconConfig["providers"]>>(isRecord, "must be an object")
    .default({}),
  models: z.array(modelDescriptorSchema).default([]),
  prices: z.array(datedPriceSchema).max(MAX_PRICES).default([]),
  preflight: preflightSchema.prefault({}),
  tools: z.custom<NonNullable<TraconConfig["tools"]>>(isRecord, "must be an object").default({}),
  // Read one by one, so that what is wrong with one does not keep the compiler from the rest.
  agents: z.array(z.unknown()).default([]),
  ...codeSettings,
  storage: z.string().min(1).max(2_048).default("sqlite:.tracon/tracon.db"),
  server: serverSchema.prefault({}),
  runRecording: runRecordingSchema.prefault({}),
  approvals: approvalsSchema.prefault({}),
  agentGraph: agentGraphSchema.prefault({}),
  log: logSchema.optional(),
  ...modelSettings,
  ...observabilitySettings,
  ...attachmentSettings,
});

/** A configuration with every default applied. */
export type ReadConfig = ModelSettings &
  CodeSettings &
  AttachmentSettings &
  ObservabilitySettings & {
    readonly providers: NonNullable<TraconConfig["providers"]>;
    readonly models: readonly ModelDescriptor[];
    readonly prices: readonly DatedPrice[];
    readonly preflight: z.output<typeof preflightSchema>;
    readonly tools: NonNullable<TraconConfig["tools"]>;
    readonly agents: readonly AgentDefinitionContent[];
    readonly storage: string;
    readonly server: z.output<typeof serverSchema>;
    readonly runRecording: z.output<typeof runRecordingSchema>;
    readonly approvals: z.output<typeof approvalsSchema>;
    readonly agentGraph: z.output<typeof agentGraphSchema>;
    readonly log: TraconConfig["log"] | undefined;
  };

/** The members that hold objects of others, whatever is wrong with the rest. */
type Parts = Pick<ReadConfig, "providers" | "tools">;

/** What could be read, or `undefined`, with everything that is wrong. */
export function readConfig(config: unknown): {
  /** Its agents may be parts of what was given: one that could not be read has findings. */
  readonly config: ReadConfig | undefined;
  readonly parts: Parts;
  readonly isOfGiven: ReadCodeAgents["isOfGiven"];
  readonly findings: readonly Finding[];
} {
  if (!isRecord(config)) {
    const problem = finding("invalid_value", "", "a configuration is an object");
    const parts = { providers: {}, tools: {} };
    return { config: undefined, parts, isOfGiven: () => true, findings: [problem] };
  }
  const parts = {
    providers: isRecord(config.providers) ? config.providers : {},
    tools: isRecord(config.tools) ? config.tools : {},
  } as Parts;
  const unavailable = UNAVAILABLE.filter((member) => config[member] !== undefined).map((member) =>
    finding("feature_unavailable", member, `'${member}' is not part of this version`),
  );
  const known = Object.entries(config).filter(
    ([member, value]) =>
      value !== undefined && !(UNAVAILABLE as readonly string[]).includes(member),
  );
  const read = configSchema.safeParse(Object.fromEntries(known), { reportInput: true });
  const code = readCodeAgents(Array.isArray(config.agents) ? config.agents : []);
  const findings = [...unavailable, ...code.findings];
  const { isOfGiven } = code;
  if (!read.success) {
    findings.push(...findingsOf(read.error));
    return { config: undefined, parts, isOfGiven, findings };
  }
  findings.push(...repeatedAgents(code.agents).filter(isOfGiven), ...repeatedSinks(read.data));
  const settings = { ...read.data, agents: code.agents, log: read.data.log };
  return { config: settings, parts, isOfGiven, findings };
}

function repeatedAgents(agents: readonly AgentDefinitionContent[]): Finding[] {
  return agents.flatMap(({ name }, index) =>
    agents.findIndex((other) => other.name === name) === index
      ? []
      : [finding("duplicate_name", `agents[${index}].name`, `agent '${name}' is defined twice`)],
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
