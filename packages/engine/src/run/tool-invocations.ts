import type { RunEvent, StoredEvent, ToolInvocation } from "@tracon/core";

/** The tool calls of a run as a fold over its events: finished ones and those still open. */
export class ToolInvocations {
  readonly #calls = new Map<string, ToolInvocation>();

  /** Takes the next events of the run. */
  add(events: readonly StoredEvent[]): void {
    for (const { json } of events) {
      // Deltas make up most of a journal; the few events of tools are told apart before parsing.
      if (!json.includes('"type":"Tool')) continue;
      const event = JSON.parse(json) as RunEvent;
      const { type } = event;
      if (type !== "ToolInvoking" && type !== "ToolInvoked" && type !== "ToolFailed") continue;
      const { iteration, step, position } = event.payload;
      const key = `${iteration}/${step}/${position}`;
      // What an earlier call of the run had answered is no call of its own.
      if (type !== "ToolInvoking" && event.payload.fromLedger === true) this.#calls.delete(key);
      else this.#calls.set(key, { ...this.#calls.get(key), ...invocationOf(event) });
    }
  }

  /** The calls in the order in which they began. */
  all(): readonly ToolInvocation[] {
    return [...this.#calls.values()];
  }
}

type ToolEvent = Extract<RunEvent, { type: "ToolInvoking" | "ToolInvoked" | "ToolFailed" }>;

function invocationOf(event: ToolEvent): ToolInvocation {
  const { iteration, step, position, callId, toolName } = event.payload;
  const base = { runId: event.runId, iteration, step, position, toolCallId: callId, toolName };
  switch (event.type) {
    case "ToolInvoking": {
      const { arguments: value } = event.payload;
      const given = value === undefined ? {} : { arguments: value };
      return { ...base, ...given, createdAt: event.timestamp, succeeded: false };
    }
    case "ToolInvoked": {
      const { result, durationMs } = event.payload;
      const returned = result === undefined ? {} : { result };
      return { ...base, ...returned, durationMs, succeeded: true } as ToolInvocation;
    }
    case "ToolFailed": {
      const { error, durationMs } = event.payload;
      return { ...base, error, durationMs, succeeded: false } as ToolInvocation;
    }
  }
}
