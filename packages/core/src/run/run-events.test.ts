import { expect, it } from "vitest";
import { runEventFrames, runEventPayloads, terminalEventTypes } from "./run-events.ts";
import { isFinalStatus, runStatuses } from "./run-record.ts";

it("frames every type of event under a name of its own", () => {
  const names = Object.values(runEventFrames);

  expect(Object.keys(runEventFrames).sort()).toEqual(Object.keys(runEventPayloads).sort());
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)?$/.test(name))).toEqual([]);
});

it("ends a run with a type that says how", () => {
  expect([...terminalEventTypes].sort()).toEqual([
    "RunAwaitingInput",
    "RunCanceled",
    "RunCompleted",
    "RunFailed",
  ]);
});

it("lets no run leave a final status", () => {
  expect(runStatuses.filter((status) => !isFinalStatus(status))).toEqual(["Queued", "Running"]);
});
