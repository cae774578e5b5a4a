/** What the rings of all agents share, made once for an engine. */

import type { Clock, ResponseCache } from "@tracon/core";
import type { ReadAttachment } from "../attachment/fill-prompt.ts";
import type { ContentGuard } from "../model/content-guard.ts";
import { createContentGuards } from "../model/content-guards.ts";
import { createProviderLimits } from "../model/provider-limits.ts";
import type { ModelHost, RetrySettings, Sleep } from "../model/ring.ts";
import { wrapModelCall } from "../model/rings/index.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { ToolHost } from "../tools/chain/tool-link.ts";
import { type CircuitBreakerSettings, createCircuitBreakers } from "../turn/circuit-breakers.ts";
import type { TurnHost } from "../turn/ring.ts";
import { wrapTurn } from "../turn/rings/index.ts";
import type { StructuredResponseValidator } from "../turn/structured-response-check.ts";
import type { RingHosts } from "./turn.ts";

/** How models are called, for all agents of an engine. Everything may be left out. */
export type RingOptions = {
  /** How a call that nobody answered is repeated. */
  readonly modelRetry?: Partial<RetrySettings> | undefined;
  /** How many calls of one provider may be in progress. Default any number. */
  readonly modelConcurrency?:
    | { readonly maxConcurrentCallsPerProvider?: number | undefined }
    | undefined;
  /** When a provider that keeps failing is no longer asked. */
  readonly circuitBreaker?: Partial<CircuitBreakerSettings> | undefined;
  /** Whether answers in JSON are checked, and how often a rejected one is asked for again. Default off. */
  readonly structuredResponse?: Partial<StructuredResponseSettings> | undefined;
  /** Refuses answers by throwing. Asked only when `structuredResponse` is enabled. */
  readonly structuredResponseValidator?: StructuredResponseValidator | undefined;
  /** Default none: agents that ask for one do not compile. */
  readonly responseCache?: ResponseCache | undefined;
  /** Inspect what models read and write, by name. Default none. */
  readonly contentGuards?: Readonly<Record<string, ContentGuard>> | undefined;
};

/** Whether answers that have to be JSON are checked. */
export type StructuredResponseSettings = {
  /** Default false. */
  readonly enabled: boolean;
  /** Further answers asked for in one run. Default 0. */
  readonly maxRepairAttempts: number;
};

/** Sources of time and chance, and to whom is told what happens. */
export type RingSystem = {
  readonly clock: Clock;
  readonly random: () => number;
  readonly sleep: Sleep;
  readonly readAttachment?: ReadAttachment | undefined;
  readonly telemetry?: Telemetry | undefined;
  /** Standing rules; none by default. */
  readonly rulesFor?: ToolHost["rulesFor"] | undefined;
};

const DEFAULT_RETRY: RetrySettings = { maxRetries: 2, baseDelayMs: 500, maxDelayMs: 30_000 };
const DEFAULT_BREAKER: CircuitBreakerSettings = {
  enabled: true,
  failureThreshold: 5,
  breakDurationMs: 30_000,
};

export function createRingHosts(
  options: RingOptions,
  { clock, random, sleep, readAttachment, telemetry, rulesFor = async () => [] }: RingSystem,
): RingHosts {
  const { structuredResponse: check, structuredResponseValidator: validator } = options;
  const breaker = { ...DEFAULT_BREAKER, ...options.circuitBreaker };
  const maxCalls = options.modelConcurrency?.maxConcurrentCallsPerProvider;
  const modelHost: ModelHost = {
    retry: { ...DEFAULT_RETRY, ...options.modelRetry },
    limits: maxCalls === undefined ? undefined : createProviderLimits(maxCalls),
    responseCache: options.responseCache,
    metrics: telemetry?.metrics,
    tracing: telemetry?.tracing,
    guards: createContentGuards(options.contentGuards ?? {}),
    readAttachment,
    random,
    sleep,
  };
  const turnHost: TurnHost = {
    breakers: breaker.enabled ? createCircuitBreakers(breaker, clock) : undefined,
    structuredResponse:
      check?.enabled === true
        ? { maxRepairAttempts: check.maxRepairAttempts ?? 0, validator }
        : undefined,
  };
  return {
    modelHost,
    turnHost,
    toolHost: { sleep, rulesFor },
    plainSend: wrapModelCall({ host: modelHost, middleware: [], cacheLifetimeMs: undefined }),
    plainTurn: wrapTurn({
      host: turnHost,
      middleware: [],
      harnessProviders: [],
      contextProviders: [],
      agentName: "",
      fallbacks: [],
      format: undefined,
    }),
  };
}
