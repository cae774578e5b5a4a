import type { RunEventType } from "@tracon/core";

/** An event as committed, with its JSON text: serialized once, shared by store and subscribers. */
export type RecordedEvent = {
  readonly sequence: number;
  readonly type: RunEventType;
  readonly json: string;
};
