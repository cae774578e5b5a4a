import { manualClock } from "@tracon/testing";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DeltaCoalescer, type DeltaKind, DeltaTimer } from "./delta-coalescer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("passes the first delta on at once", () => {
  const { deltas, emitted } = coalescer();

  deltas.add("MessageDelta", 0, "He");

  expect(emitted).toEqual([["MessageDelta", 0, "He"]]);
});

it("joins what comes within the window and passes it on when the window is over", () => {
  const { deltas, emitted, pass } = coalescer();

  for (const delta of ["1", "2", "3"]) deltas.add("MessageDelta", 0, delta);
  pass(19);
  const before = emitted.length;
  pass(1);

  expect(before).toBe(1);
  expect(textsOf(emitted)).toEqual(["1", "23"]);
});

it("passes on at once what comes after the window", () => {
  const { deltas, emitted, clock } = coalescer();

  deltas.add("MessageDelta", 0, "1");
  clock.advance(20);
  deltas.add("MessageDelta", 0, "2");

  expect(textsOf(emitted)).toEqual(["1", "2"]);
});

it("does not wait for the window once the text is long", () => {
  const { deltas, emitted } = coalescer();

  deltas.add("MessageDelta", 0, "1");
  deltas.add("MessageDelta", 0, "x".repeat(1_000));
  deltas.add("MessageDelta", 0, "x".repeat(1_048));

  expect(textsOf(emitted).map((text) => text.length)).toEqual([1, 2_048]);
});

it("keeps kinds and steps apart, in their order", () => {
  const { deltas, emitted } = coalescer();

  deltas.add("MessageDelta", 0, "a");
  deltas.add("MessageDelta", 0, "b");
  deltas.add("ReasoningDelta", 0, "c");
  deltas.add("ReasoningDelta", 1, "d");
  deltas.flush();

  expect(emitted).toEqual([
    ["MessageDelta", 0, "a"],
    ["MessageDelta", 0, "b"],
    ["ReasoningDelta", 0, "c"],
    ["ReasoningDelta", 1, "d"],
  ]);
});

it("holds half a pair of surrogates until its other half comes, also when the window ends between", () => {
  const { deltas, emitted, pass } = coalescer();

  deltas.add("MessageDelta", 0, "ab\uD83D");
  pass(20);
  deltas.add("MessageDelta", 0, "\uDE00 cd");
  deltas.add("MessageDelta", 0, "e\uD83D");
  pass(20);
  pass(20);

  expect(textsOf(emitted)).toEqual(["ab", "\uD83D\uDE00 cd", "e"]);
});

it("passes on half a pair that stays alone before anything else happens", () => {
  const { deltas, emitted } = coalescer();

  deltas.add("MessageDelta", 0, "a\uD83D");
  deltas.flush();

  expect(textsOf(emitted)).toEqual(["a", "\uD83D"]);
});

it("keeps no timer for an answer that holds nothing back", () => {
  const { deltas } = coalescer();

  deltas.add("MessageDelta", 0, "a");

  expect(vi.getTimerCount()).toBe(0);
});

it("serves all answers of a process with one timer", () => {
  const timer = new DeltaTimer();
  const answers = [coalescer(timer), coalescer(timer), coalescer(timer)];

  for (const { deltas } of answers) {
    deltas.add("MessageDelta", 0, "1");
    deltas.add("MessageDelta", 0, "2");
  }
  const timers = vi.getTimerCount();
  vi.advanceTimersByTime(20);

  expect(timers).toBe(1);
  expect(answers.map(({ emitted }) => textsOf(emitted))).toEqual(Array(3).fill(["1", "2"]));
});

it("loses, repeats and splits nothing, however an answer is cut and timed", () => {
  const pieces = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.nat(30), fc.boolean()), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(pieces, fc.nat(), (answer, seed) => {
      const { deltas, emitted, pass } = coalescer();
      const text = answer.map(([piece]) => piece).join("");
      const cuts = cutAnywhere(text, seed);

      for (const [index, delta] of cuts.entries()) {
        deltas.add("MessageDelta", 0, delta);
        pass(answer[index % Math.max(answer.length, 1)]?.[1] ?? 0);
      }
      const early = textsOf(emitted);
      deltas.flush();

      expect(textsOf(emitted).join("")).toBe(text);
      expect(early.filter((it) => !it.isWellFormed())).toEqual([]);
      expect(emitted.filter(([, , it]) => it === "")).toEqual([]);
    }),
  );
});

/** Cuts between any two UTF-16 units, inside pairs too. */
function cutAnywhere(text: string, seed: number): string[] {
  const parts: string[] = [];
  for (let at = 0, step = (seed % 3) + 1; at < text.length; at += step, step = (step % 4) + 1) {
    parts.push(text.slice(at, at + step));
  }
  return parts;
}

type Emitted = [DeltaKind, number, string];

const textsOf = (emitted: readonly Emitted[]): string[] => emitted.map(([, , text]) => text);

function coalescer(timer = new DeltaTimer()) {
  const clock = manualClock();
  const emitted: Emitted[] = [];
  const deltas = new DeltaCoalescer(timer, clock.monotonicMs, (kind, step, text) =>
    emitted.push([kind, step, text]),
  );
  /** Lets time pass for the clock and for timers. */
  const pass = (ms: number): void => {
    clock.advance(ms);
    vi.advanceTimersByTime(ms);
  };
  return { deltas, emitted, clock, pass };
}
