import { expect, it } from "vitest";
import { passesTime, saysItWaits } from "./waiting.ts";

it.each([
  '{"status":"in_progress"}',
  '{"job":{"state":"QUEUED"}}',
  '{"phase":"ContainerCreating"}',
  '{"done":false}',
  '{"isReady":false,"message":"soon"}',
  '{"retryAfterSeconds":5}',
  '{"message":"The export is not ready yet"}',
  "Status: running",
  "state=pending",
  "still creating... [10s elapsed]",
  "Task 2 is still running.",
  "503 Service Unavailable",
  "Rate limit reached, try again in 20 seconds",
])("reads a wait in %j", (answer) => {
  expect(saysItWaits(answer)).toBe(true);
});

it.each([
  "",
  "[]",
  "(no new output)",
  '{"status":"succeeded"}',
  '{"status":"missing"}',
  '{"state":"failing"}',
  '{"todos":[{"status":"in_progress"}]}',
  '[{"status":"running"}]',
  "3 tests still failing",
  "Only one task can be in_progress at a time.",
  "is not a valid tool, try another one",
  "Please fix the error and try again.",
  `The server is running on port 80. ${"More of the manual. ".repeat(30)}`,
])("reads no wait in %j", (answer) => {
  expect(saysItWaits(answer)).toBe(false);
});

it("knows a call that lets time pass by its name or its command", () => {
  const calls: readonly (readonly [string, string])[] = [
    ["sleep", "{}"],
    ["wait_for_tasks", "{}"],
    ["tasksWait", "{}"],
    ["bash", '{"command":"sleep 30"}'],
    ["waiter_list", "{}"],
    ["bash", '{"command":"cat sleep.txt"}'],
  ];

  expect(calls.map(([name, input]) => passesTime(name, input))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
