/** Wires the layers; the only file of the engine that sees all of it. */

import {
  type AgentDefinitionContent,
  type Clock,
  type DatedPrice,
  type ExtensionDescriptor,
  type Finding,
  finding,
  type IdSource,
  type JudgeBinding,
  type Log,
  type ModelDescriptor,
  type ModelProvider,
  type Stores,
  TraconError,
} from "@tracon/core";
import type { AttachmentLimits } from "./attachment/attachments.ts";
import { createAttachments } from "./attachment/stored-attachments.ts";
import { type AgentGraphSettings, treeSettings } from "./budget/tree-settings.ts";
import { createAgentCatalog } from "./catalog/agent-catalog.ts";
import type { AgentSource } from "./catalog/agent-source.ts";
import type { AgentFactory } from "./catalog/sdk-agent.ts";
import { codeEntries, codeSource } from "./catalog/sources/code.ts";
import { agentSourceFindings, customSource } from "./catalog/sources/custom.ts";
import { databaseSource } from "./catalog/sources/database.ts";
import type { AgentExtension, AgentExtensions } from "./compile/agent-extension.ts";
import { codeAgentFindings, factoryNameFindings } from "./compile/code-agents.ts";
import type { CompileContext } from "./compile/compile-agent.ts";
import { CompiledAgents } from "./compile/compiled-agents.ts";
import { LiveAgents } from "./compile/live-agents.ts";
import { describeLoopCriteria } from "./compile/loop.ts";
import { createLoopHost } from "./compile/loop-host.ts";
import { OwnAgents } from "./compile/own-agents.ts";
import { createRingHosts, type RingOptions, type RingSystem } from "./compile/ring-hosts.ts";
import { createAgents } from "./definitions/saved-agents.ts";
import type { Engine } from "./engine.ts";
import type { LoopEvaluatorRegistration } from "./loop/loop-evaluator.ts";
import { loopEvaluatorFindings } from "./loop/loop-evaluators.ts";
import { ApprovalMailbox } from "./mailbox/approval-mailbox.ts";
import { ApprovalScan } from "./mailbox/approval-scan.ts";
import { createPriceTable, priceFindings } from "./model/price-table.ts";
import { createProviderRegistry } from "./model/provider-registry.ts";
import type { Sleep } from "./model/ring.ts";
import type { ApprovalOptions } from "./run/approval-options.ts";
import { childWaits } from "./run/child-waits.ts";
import { DeltaTimer } from "./run/delta-coalescer.ts";
import { EngineRuns } from "./run/engine-runs.ts";
import { createStatistics } from "./run/engine-statistics.ts";
import { DEFAULT_PREFLIGHT, type PreflightSettings } from "./run/estimate-prompt.ts";
import { createTimestamps } from "./run/event-json.ts";
import { type EventSink, EventSinks } from "./run/event-sinks.ts";
import { JournalWriter } from "./run/journal-writer.ts";
import { RunOpener } from "./run/open-run.ts";
import { RunPreparation } from "./run/prepare-run.ts";
import type { RecorderHost } from "./run/recorder-host.ts";
import type { RecordingOptions } from "./run/recording-options.ts";
import type { DescribeProblem } from "./run/run-frames.ts";
import { createIdSource } from "./run/run-ids.ts";
import { systemClock } from "./run/system-clock.ts";
import { systemRandom, systemSleep } from "./run/system-wait.ts";
import { createSessions } from "./session/stored-sessions.ts";
import type { Metrics } from "./telemetry/metrics.ts";
import {
  createTelemetry,
  type ObservabilityOptions,
  type ObservabilityProviders,
} from "./telemetry/telemetry.ts";
import type { ToolRegistry } from "./tools/tool-registry.ts";

/** What an engine works with. Everything it reaches is passed in; it reads no configuration. */
export type EngineOptions = RingOptions &
  ObservabilityProviders & {
    /** Opened by the caller, who closes them after the engine. */
    readonly stores: Stores;
    readonly providers: readonly ModelProvider[];
    /** Models the configuration lists: metadata and prices. Default none. */
    readonly models?: readonly ModelDescriptor[];
    /** Dated prices of models that have none in `models`. Default none. */
    readonly prices?: readonly DatedPrice[];
    /** Whether prompts are measured before a run. Default off, with a fifth of the window reserved. */
    readonly preflight?: PreflightSettings;
    readonly tools: ToolRegistry;
    /** Agents defined in code. Default none. */
    readonly agents?: readonly AgentDefinitionContent[];
    /** Agents that code builds for each run, by name. Default none. */
    readonly agentFactories?: Readonly<Record<string, AgentFactory>>;
    /** Where further agents come from. Default nowhere. */
    readonly agentSources?: readonly AgentSource[];
    /** Agent extensions by name. Default none. */
    readonly extensions?: Readonly<Record<string, AgentExtension>>;
    /** Stop criteria in code, by the kind a definition names. Factories get the engine. Default none. */
    readonly loopEvaluators?: Readonly<Record<string, LoopEvaluatorRegistration<Engine>>>;
    /** The model that `aiJudge` criteria ask. Default none. */
    readonly judge?: JudgeBinding | undefined;
    /** Makes the last frame of a failed run's stream. */
    readonly describeProblem: DescribeProblem;
    readonly log: Log;
    /** What is told of runs to OpenTelemetry. */
    readonly observability?: ObservabilityOptions;
    /** What may be uploaded, where it differs from the defaults of `AttachmentLimits`. */
    readonly attachments?: Partial<AttachmentLimits>;
    /** Get every event that is on disk. Default none. */
    readonly eventSinks?: readonly EventSink[];
    /** The machine's clock by default. */
    readonly clock?: Clock;
    /** Ids of runs; UUIDv7 by default. */
    readonly ids?: IdSource;
    /** What is recorded of runs, where it differs from the defaults of `RecordingOptions`. */
    readonly recording?: Partial<RecordingOptions>;
    /** How long decisions about tool calls may take, and how often that is looked after. */
    readonly approvals?: Partial<ApprovalOptions> | undefined;
    /** Limits of a run and everything below it. */
    readonly agentGraph?: Partial<AgentGraphSettings> | undefined;
    /** Between 0 and 1; spreads repeated calls. Default the system's. */
    readonly random?: () => number;
    /** Waits between repeated calls. Default real time. */
    readonly sleep?: Sleep;
  };

const DEFAULT_RECORDING: RecordingOptions = {
  recordMessageDeltas: true,
  recordReasoningDeltas: false,
  recordToolPayloads: true,
  recordRunInput: true,
  maxPayloadLength: 8_192,
};
const DEFAULT_APPROVALS: ApprovalOptions = {
  defaultExpirationMs: 24 * 60 * 60 * 1_000,
  expirationEnabled: true,
  scanIntervalMs: 60_000,
  maxPerScan: 100,
};
/** How long runs may go on when the process stops. */
const DEFAULT_GRACE_MS = 30_000;

/** Creates an engine. Throws `configuration_invalid` when an agent defined in code does not compile. */
export function createEngine(options: EngineOptions): Engine {
  const { stores, log, tools } = options;
  const clock = options.clock ?? systemClock;
  const telemetry = createTelemetry(options.observability ?? {}, options);
  const metrics = telemetry?.metrics;
  const ids = options.ids ?? createIdSource(clock);
  const { approvals } = stores;
  const context = compileContext(options, clock, {
    telemetry,
    readAttachment: (tenantId, id) => stores.attachments.content(tenantId, id),
    rulesFor: (...key) => approvals.rulesFor(...key),
    services: () => engine,
  });
  const extensions = describeExtensions(context.extensions);
  refuseBrokenAgents(options);

  const catalog = catalogOf(options, metrics);
  const compiled = new CompiledAgents({ catalog, definitions: stores.definitions, context, log });
  const writer = new JournalWriter(stores.journal, log);
  const recorderHost = recorderHostOf(options, { writer, clock, metrics });
  const sinks = sinksOf(options, metrics);
  const approvalOptions = { ...DEFAULT_APPROVALS, ...options.approvals };
  const priceOf = createPriceTable(options.models ?? [], options.prices ?? []);
  const preparation = new RunPreparation({
    ...stores,
    compiled,
    live: new LiveAgents(catalog, context),
    own: new OwnAgents(context),
    preflight: options.preflight ?? DEFAULT_PREFLIGHT,
    contextWindowOf: (provider, model) =>
      context.providers.listed(provider, model)?.contextWindowTokens,
    timestamp: recorderHost.timestamp,
  });
  const opener = new RunOpener({
    ...stores,
    preparation,
    approvalExpirationMs: approvalOptions.defaultExpirationMs,
    recorderHost,
    sinks,
    telemetry,
    describeProblem: options.describeProblem,
    priceOf,
    tree: treeSettings(options.agentGraph),
    childWaits: childWaits(options.agentGraph ?? {}),
    sleep: options.sleep ?? systemSleep,
    ids,
    clock,
    log,
  });
  const { timestamp } = recorderHost;
  const runs = new EngineRuns({ ...stores, preparation, opener, timestamp });
  const mailbox = createMailbox(options, { runs, recorderHost, ids, clock });
  const scan = new ApprovalScan(mailbox.scan, approvalOptions.scanIntervalMs);
  const engine: Engine = {
    agents: createAgents({ catalog, compiled, context, definitions: stores.definitions, clock }),
    runs,
    sessions: createSessions({ ...stores, ids, clock }),
    attachments: createAttachments({ ...stores, limits: options.attachments, ids, clock }),
    approvals: mailbox,
    statistics: createStatistics({ ...stores, priceOf, clock }),
    tools: () => tools.descriptors,
    models: () => context.providers.descriptors,
    extensions: () => extensions,
    loopCriteria: () => describeLoopCriteria(context.loop),
    storage: stores.engine,
    async close({ graceMs = DEFAULT_GRACE_MS } = {}) {
      await scan.close();
      await runs.drain(graceMs);
      await writer.idle();
      await sinks.idle();
      compiled.close();
    },
  };
  return engine;
}

const sinksOf = (
  { eventSinks = [], sleep = systemSleep, log }: EngineOptions,
  metrics: Metrics | undefined,
): EventSinks =>
  new EventSinks(eventSinks, { sleep, failed: () => metrics?.recording.failed("sink"), log });

type MailboxParts = {
  readonly runs: EngineRuns;
  readonly recorderHost: RecorderHost;
  readonly ids: IdSource;
  readonly clock: Clock;
};

const createMailbox = (
  { stores, log, approvals }: EngineOptions,
  { runs, recorderHost, ids, clock }: MailboxParts,
): ApprovalMailbox =>
  new ApprovalMailbox({
    store: stores.approvals,
    options: { ...DEFAULT_APPROVALS, ...approvals },
    recordToolPayloads: recorderHost.options.recordToolPayloads,
    continueRun: (...run) => runs.continueRun(...run),
    ids,
    clock,
    log,
  });

function catalogOf(options: EngineOptions, metrics: Metrics | undefined) {
  const { stores, log, agents = [], agentFactories = {}, agentSources = [] } = options;
  return createAgentCatalog(
    [
      codeSource(agents, agentFactories),
      ...agentSources.map(customSource),
      databaseSource(stores.definitions),
    ],
    {
      log,
      hasFactories: Object.keys(agentFactories).length > 0,
      ...(metrics === undefined ? {} : { metrics }),
    },
  );
}

function recorderHostOf(
  { recording }: EngineOptions,
  { clock, ...parts }: Pick<RecorderHost, "writer" | "metrics"> & { readonly clock: Clock },
): RecorderHost {
  return {
    ...parts,
    deltaTimer: new DeltaTimer(),
    timestamp: createTimestamps(clock),
    monotonicMs: () => clock.monotonicMs(),
    options: { ...DEFAULT_RECORDING, ...recording },
  };
}

/** What agents defined in code are checked against; no store is needed. */
export type CheckAgentsOptions = Pick<
  EngineOptions,
  | "providers"
  | "models"
  | "prices"
  | "tools"
  | "agents"
  | "agentFactories"
  | "agentSources"
  | "extensions"
  | "loopEvaluators"
  | "judge"
  | "responseCache"
  | "log"
>;

/** What is wrong with agents defined in code, with sources and with prices, all at once; paths begin at `agents[0]`. */
export function checkAgents(options: CheckAgentsOptions): readonly Finding[] {
  const context = compileContext(options, systemClock);
  const { agents = [], agentFactories = {}, agentSources = [] } = options;
  return [
    ...codeAgentFindings(agents, codeEntries(agents, agentFactories), context),
    ...factoryNameFindings(Object.keys(agentFactories), agents),
    ...agentSourceFindings(agentSources),
    ...loopEvaluatorFindings(options.loopEvaluators ?? {}),
    ...priceFindings(options.models ?? [], options.prices ?? []),
  ];
}

type ContextOptions = CheckAgentsOptions & RingOptions & Pick<EngineOptions, "random" | "sleep">;

type ContextHost = Pick<RingSystem, "telemetry" | "readAttachment" | "rulesFor"> & {
  /** What factories of criteria are given; none of them runs without. */
  readonly services?: () => Engine;
};

function compileContext(
  options: ContextOptions,
  clock: Clock,
  { services, ...host }: ContextHost = {},
): CompileContext {
  const { log } = options;
  const providers = createProviderRegistry(options.providers, options.models ?? []);
  const rings = createRingHosts(options, {
    clock,
    random: options.random ?? systemRandom,
    sleep: options.sleep ?? systemSleep,
    ...host,
  });
  return {
    providers,
    tools: options.tools,
    extensions: new Map(Object.entries(options.extensions ?? {})),
    loop: createLoopHost(options, { providers, log, services, ...rings }),
    log,
    ...rings,
  };
}

const describeExtensions = (extensions: AgentExtensions): readonly ExtensionDescriptor[] =>
  [...extensions]
    .map(([name, { description }]) => ({
      name,
      ...(description === undefined ? {} : { description }),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Of two agents of one name the first would never run. */
function repeatedNames(agents: readonly AgentDefinitionContent[]): readonly Finding[] {
  const seen = new Set<string>();
  return agents.flatMap(({ name }, index) => {
    const isNew = !seen.has(name);
    seen.add(name);
    const message = `agent '${name}' is defined twice`;
    return isNew ? [] : [finding("duplicate_name", `agents[${index}].name`, message)];
  });
}

function refuseBrokenAgents(options: CheckAgentsOptions): void {
  const findings = [...checkAgents(options), ...repeatedNames(options.agents ?? [])];
  if (findings.every(({ severity }) => severity !== "Error")) return;
  throw new TraconError("configuration_invalid", "agents defined in code do not compile", {
    findings,
  });
}
