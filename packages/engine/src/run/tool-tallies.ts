/** The tool calls of a run by tool and hour, for the statistics. */

import type { RunEventDraft, RunEventPayload, ToolCallTally } from "@tracon/core";

type Outcome = RunEventPayload<"ToolInvoked"> | RunEventPayload<"ToolFailed">;

/** Date and hour of an ISO 8601 time. */
const HOUR_LENGTH = "2026-01-01T00".length;

export class ToolTallies {
  /** When the calls began that have no outcome yet. */
  readonly #open = new Map<string, string>();
  readonly #tallies = new Map<string, ToolCallTally>();

  add(event: RunEventDraft, timestamp: string): void {
    if (event.type === "ToolInvoking") this.#open.set(placeOf(event.payload), timestamp);
    else if (event.type === "ToolInvoked") this.#settle(event.payload, timestamp, 0);
    else if (event.type === "ToolFailed") this.#settle(event.payload, timestamp, 1);
  }

  all(): readonly ToolCallTally[] {
    return [...this.#tallies.values()];
  }

  #settle(outcome: Outcome, timestamp: string, failures: number): void {
    const place = placeOf(outcome);
    const beganAt = this.#open.get(place) ?? timestamp;
    this.#open.delete(place);
    // Nothing was run: the call it repeats has been counted.
    if (outcome.fromLedger === true) return;
    const { toolName, durationMs } = outcome;
    const key = `${beganAt.slice(0, HOUR_LENGTH)} ${toolName}`;
    const known = this.#tallies.get(key);
    this.#tallies.set(key, {
      toolName,
      calls: (known?.calls ?? 0) + 1,
      failedCalls: (known?.failedCalls ?? 0) + failures,
      durationMs: (known?.durationMs ?? 0) + durationMs,
      lastCalledAt:
        known !== undefined && known.lastCalledAt > beganAt ? known.lastCalledAt : beganAt,
    });
  }
}

const placeOf = ({
  iteration,
  step,
  position,
}: Outcome | RunEventPayload<"ToolInvoking">): string => `${iteration}/${step}/${position}`;
