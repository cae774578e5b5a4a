import { expect, it } from "vitest";
import { ProgressWatch } from "./progress-watch.ts";

it("records what it finds once where nothing is asked for", () => {
  for (const settings of [undefined, { escalate: false, maxRepeats: 4 }]) {
    const watch = new ProgressWatch(settings, false);

    expect(actionsOf(watch, "aaaaaaa")).toEqual(["", "", "Recorded", "", "", "", ""]);
  }
});

it("goes from the note to the forced answer and the stop, one at each further repeat", () => {
  const watch = escalating(4);

  expect(actionsOf(watch, "aaaaa")).toEqual(["", "", "Note", "ForcedAnswer", "Stop"]);
});

it("stops at the repeats that are asked for, and records before the note", () => {
  const watch = escalating(7);

  expect(actionsOf(watch, "aaaaaaaa")).toEqual([
    ...["", "", "Recorded", "", ""],
    ...["Note", "ForcedAnswer", "Stop"],
  ]);
});

it("goes on from the rung of a circle that comes back after something else", () => {
  const watch = escalating(4);

  expect(actionsOf(watch, "aaa.bcd.aaa")).toEqual([
    "",
    "",
    "Note",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "ForcedAnswer",
  ]);
  expect(actionsOf(watch, "xaaa").at(-1)).toBe("Stop");
});

it("begins another circle with its own note", () => {
  const watch = escalating(4);

  expect(actionsOf(watch, "aaabbb")).toEqual(["", "", "Note", "", "", "Note"]);
});

it("does nothing but record about steps that wait", () => {
  const watch = escalating(4);

  const actions = Array.from({ length: 30 }, () => poll(watch)?.action);

  expect(actions.filter(Boolean)).toEqual(["Recorded"]);
});

it("forgets the rungs of circles found long ago", () => {
  const watch = escalating(4);
  const many = "bcdefghijklmnopq".replaceAll(/./g, "$&$&$&");

  actionsOf(watch, "aaa");
  actionsOf(watch, many);

  expect(actionsOf(watch, "aaa").at(-1)).toBe("Note");
});

const escalating = (maxRepeats: number) => new ProgressWatch({ escalate: true, maxRepeats }, false);

/** What is done after each of the calls; every letter is one with the same result. */
const actionsOf = (watch: ProgressWatch, calls: string): string[] =>
  [...calls].map((toolName) => {
    const outcome = { ok: true, result: "same" } as const;
    return watch.toolRound([{ toolName, arguments: "{}", outcome }])?.action ?? "";
  });

const poll = (watch: ProgressWatch) =>
  watch.toolRound([
    { toolName: "job", arguments: "{}", outcome: { ok: true, result: '{"state":"queued"}' } },
  ]);
