import type { RecordedEvent } from "@tracon/engine";
import { expect, it } from "vitest";
import { recordedEventBytes, recordedEventFrames } from "./frame.ts";

it("encodes events once for all that follow a run", () => {
  const events = [event(0), event(1), event(2)];

  const first = recordedEventBytes(events);

  expect(recordedEventBytes([...events])).toBe(first);
});

it("takes no batch for another that begins with the same event", () => {
  const events = [event(0), event(1), event(2)];

  const texts = [1, 3, 2, 3].map((count) => textOf(events.slice(0, count)));

  expect(texts).toEqual([1, 3, 2, 3].map((count) => recordedEventFrames(events.slice(0, count))));
});

const textOf = (events: readonly RecordedEvent[]): string =>
  new TextDecoder().decode(recordedEventBytes(events));

const event = (sequence: number): RecordedEvent => ({
  sequence,
  type: "MessageDelta",
  json: `{"sequence":${sequence},"text":"für dich"}`,
});
