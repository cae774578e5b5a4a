import { memoryLog } from "@tracon/testing";
import { expect, it } from "vitest";
import { MAX_SESSION_STATE_BYTES, refuseLargeState, savedState } from "./session-state.ts";

const before = { kept: "before" };
const session = { sessionId: "s", state: before };

it("saves a state that changed, and nothing when it is what the session has", () => {
  const log = memoryLog();
  const changed = { kept: "after" };

  expect(savedState(changed, session, log)).toBe(changed);
  expect(savedState(before, session, log)).toBeUndefined();
  expect(log.entries).toEqual([]);
});

it("takes a state of exactly the largest size and refuses one byte more, counted in UTF-8", () => {
  const fitting = ofBytes(MAX_SESSION_STATE_BYTES);
  const large = ofBytes(MAX_SESSION_STATE_BYTES + 1);

  expect(() => refuseLargeState(fitting, before)).not.toThrow();
  expect(() => refuseLargeState(large, before)).toThrow(
    expect.objectContaining({
      code: "session_state_too_large",
      message: expect.stringContaining(`${MAX_SESSION_STATE_BYTES + 1} bytes`),
    }),
  );
});

it("refuses no state that a session has already", () => {
  const large = ofBytes(MAX_SESSION_STATE_BYTES + 1);

  expect(() => refuseLargeState(large, large)).not.toThrow();
});

it("leaves what a session has, and says so, when a turn is saved whose state is too large", () => {
  const log = memoryLog();

  const saved = savedState(ofBytes(MAX_SESSION_STATE_BYTES + 1), session, log);

  expect(saved).toBeUndefined();
  expect(log.entries).toMatchObject([{ level: "warn", fields: { sessionId: "s" } }]);
});

/** A state whose JSON text has exactly so many bytes, in characters of two bytes and at most one of one. */
function ofBytes(bytes: number) {
  const room = bytes - '{"kept":""}'.length;
  return { kept: "é".repeat(Math.floor(room / 2)) + "e".repeat(room % 2) };
}
