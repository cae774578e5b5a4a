import type { RunEvent, RunEventDraft } from "@tracon/core";
import type { RecordedEvent } from "./recorded-event.ts";

/** An event on its way to followers. Unrecorded events have no sequence and no JSON text. */
export type PublishedEvent = {
  readonly recorded: RecordedEvent | undefined;
  readonly event: RunEventDraft;
  readonly timestamp: string;
};

/** An event read back from the journal, as it was published. */
export function publishedOf(recorded: RecordedEvent): PublishedEvent {
  const event = JSON.parse(recorded.json) as RunEvent;
  return { recorded, event, timestamp: event.timestamp };
}

/** The event as it is shown when it could not be recorded. */
export const unrecorded = ({ event, timestamp }: PublishedEvent): PublishedEvent => ({
  recorded: undefined,
  event,
  timestamp,
});
