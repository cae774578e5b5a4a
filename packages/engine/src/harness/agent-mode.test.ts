import { expect, it } from "vitest";
import { RunState } from "../scope/run-state.ts";
import { changeMode, readMode, showMode } from "./agent-mode.ts";

it("begins in the first mode, without a change to tell", () => {
  const state = new RunState();

  expect(readMode(state)).toBe("plan");
  expect(showMode(state)).toEqual({ current: "plan", before: undefined });
});

it("tells of no change that the model made itself", () => {
  const state = shown("plan");

  changeMode(state, "execute");

  expect(showMode(state)).toEqual({ current: "execute", before: undefined });
});

it("tells once of a change that somebody else made", () => {
  const state = shown("plan");
  changeFromOutside(state, "execute");

  const first = showMode(state);
  const second = showMode(state);

  expect(first).toEqual({ current: "execute", before: "plan" });
  expect(second).toEqual({ current: "execute", before: undefined });
});

it.each([
  { changes: ["execute", "plan"], before: undefined },
  { changes: ["plan"], before: undefined },
  { changes: ["execute", "plan", "execute"], before: "plan" },
])(
  "names the mode the model last saw after $changes, and nothing when it is that",
  ({ changes, before }) => {
    const state = shown("plan");

    for (const mode of changes) changeFromOutside(state, mode);

    expect(showMode(state)).toEqual({ current: changes.at(-1), before });
  },
);

it("tells of no change before the model was told of a mode", () => {
  const state = new RunState({ mode: { current: "execute" } });

  expect(showMode(state)).toEqual({ current: "execute", before: undefined });
});

it.each([
  ["null", null],
  ["a text", "execute"],
  ["a mode there is none of", { current: "Execute", seen: "elsewhere" }],
])("takes the first mode when the session has %s in its place", (_, mode) => {
  const state = new RunState({ mode });

  expect(readMode(state)).toBe("plan");
  expect(showMode(state)).toEqual({ current: "plan", before: undefined });
});

it("changes nothing in the state when the model knows its mode", () => {
  const state = shown("execute");
  const before = state.snapshot();

  showMode(state);

  expect(state.snapshot()).toBe(before);
});

/** The state of a conversation whose model was told of a mode. */
const shown = (mode: string) => new RunState({ mode: { current: mode, seen: mode } });

/** Somebody who is not the model knows only of the mode, not of who has seen it. */
function changeFromOutside(state: RunState, current: string): void {
  state.set("mode", { ...(state.get("mode") as object), current });
}
