import type { RunEventType, StoredEvent } from "@tracon/core";

/** An event as committed, with its JSON text: serialized once, shared by store and subscribers. */
export type RecordedEvent = {
  readonly sequence: number;
  readonly type: RunEventType;
  readonly json: string;
};

const TYPE_MEMBER = '"type":"';

/**
 * An event of the store as followers get it. The first member of that name is the event's own: the
 * run's id and the sequence before it hold no quotes inside.
 */
export function recordedOf({ sequence, json }: StoredEvent): RecordedEvent {
  const start = json.indexOf(TYPE_MEMBER) + TYPE_MEMBER.length;
  const type = json.slice(start, json.indexOf('"', start)) as RunEventType;
  return { sequence, type, json };
}
