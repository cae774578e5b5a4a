import { expect, it } from "vitest";
import { EventQueue } from "./event-queue.ts";
import type { PublishedEvent } from "./published-event.ts";

it("gives what arrived together in one batch, and what comes later in the next", async () => {
  const queue = new EventQueue();
  queue.push([event("a"), event("b")]);

  await queue.ready();
  const first = queue.take();
  queue.push([event("c")]);

  expect(textsOf(first.events)).toEqual(["a", "b"]);
  expect(textsOf(queue.take().events)).toEqual(["c"]);
});

it("wakes a reader that waits", async () => {
  const queue = new EventQueue();

  const ready = queue.ready();
  queue.push([event("a")]);
  await ready;

  expect(textsOf(queue.take().events)).toEqual(["a"]);
});

it("wakes a reader that waits when it is closed, and takes nothing more", async () => {
  const queue = new EventQueue();

  const ready = queue.ready();
  queue.close();
  await ready;
  queue.push([event("late")]);

  expect(queue.take()).toEqual({ events: [], overflowed: false });
});

it("drops everything after its bound until it is read, and says so", () => {
  const queue = new EventQueue();
  const large = "x".repeat(600_000);

  queue.push([event(large), event(large), event("small")]);
  queue.push([event("later")]);
  const taken = queue.take();
  queue.push([event("after")]);

  expect(taken.events).toHaveLength(1);
  expect(taken.overflowed).toBe(true);
  expect(queue.take()).toMatchObject({ events: [{}], overflowed: false });
});

it("counts events that are not recorded, and empty ones", () => {
  const queue = new EventQueue();

  for (let count = 0; count < 100; count++) {
    queue.push(Array.from({ length: 1_000 }, () => event("")));
  }

  expect(queue.take().overflowed).toBe(true);
});

const event = (text: string): PublishedEvent => ({
  recorded: undefined,
  event: { type: "ReasoningDelta", text, payload: { iteration: 1, step: 0 } },
  timestamp: "",
});

const textsOf = (events: readonly PublishedEvent[]) => events.map((it) => it.event.text);
