/**
 * One circuit for each provider, in this process:
 *
 *     closed ── failureThreshold faults in a row ──▶ open ── breakDurationMs over ──▶ half-open
 *       ▲                                             ▲                                   │
 *       └──────────── the probe succeeds ─────────────┼─────────── one turn as probe ◀────┘
 *                                                     └──────────── the probe fails
 *
 * What a turn comes to counts only for the state it began in, so that a turn that was long under way
 * neither closes nor opens a circuit that has changed meanwhile.
 */

import { type Clock, TraconError } from "@tracon/core";

/** When a provider is no longer asked, and for how long. */
export type CircuitBreakerSettings = {
  /** Default true. */
  readonly enabled: boolean;
  /** Faults in a row that open the circuit. Default 5. */
  readonly failureThreshold: number;
  /** How long it stays open, in milliseconds. Default 30,000. */
  readonly breakDurationMs: number;
};

/** What a turn says of its provider: `neutral` for what is neither its merit nor its fault. */
export type ProviderOutcome = "answered" | "failed" | "neutral";

export type CircuitBreakers = {
  /** Lets a turn pass and returns how to report its outcome. Throws `provider_unavailable` when open. */
  enter(provider: string): (outcome: ProviderOutcome) => void;
};

type Circuit = {
  failures: number;
  /** `undefined` while closed. */
  openUntilMs: number | undefined;
  isProbing: boolean;
  /** Rises with every change between open and closed. */
  generation: number;
};

export function createCircuitBreakers(
  { failureThreshold, breakDurationMs }: Omit<CircuitBreakerSettings, "enabled">,
  clock: Clock,
): CircuitBreakers {
  const byProvider = new Map<string, Circuit>();

  function open(circuit: Circuit): void {
    circuit.openUntilMs = clock.monotonicMs() + breakDurationMs;
    circuit.failures = 0;
    circuit.generation++;
  }

  function settle(circuit: Circuit, outcome: ProviderOutcome): void {
    const wasProbe = circuit.isProbing;
    circuit.isProbing = false;
    if (outcome === "neutral") return;
    if (outcome === "answered") {
      circuit.failures = 0;
      if (circuit.openUntilMs !== undefined) circuit.generation++;
      circuit.openUntilMs = undefined;
      return;
    }
    circuit.failures++;
    if (wasProbe || circuit.failures >= failureThreshold) open(circuit);
  }

  return {
    enter(provider) {
      let circuit = byProvider.get(provider);
      if (circuit === undefined) {
        circuit = { failures: 0, openUntilMs: undefined, isProbing: false, generation: 0 };
        byProvider.set(provider, circuit);
      }
      const entered = circuit;
      if (entered.openUntilMs !== undefined) {
        const leftMs = entered.openUntilMs - clock.monotonicMs();
        if (leftMs > 0 || entered.isProbing) throw circuitOpen(provider, Math.max(leftMs, 0));
        entered.isProbing = true;
      }
      const { generation } = entered;
      return (outcome) => {
        if (generation === entered.generation) settle(entered, outcome);
      };
    },
  };
}

/** Least time named to a caller while the probe is under way, in seconds. */
const MIN_RETRY_AFTER_SECONDS = 1;

function circuitOpen(provider: string, leftMs: number): TraconError {
  const retryAfterSeconds = Math.max(Math.ceil(leftMs / 1_000), MIN_RETRY_AFTER_SECONDS);
  return new TraconError(
    "provider_unavailable",
    `the circuit of model provider '${provider}' is open after repeated faults; retry after ${retryAfterSeconds} s`,
    { extensions: { provider, retryAfterSeconds } },
  );
}
