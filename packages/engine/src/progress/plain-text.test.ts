import { expect, it } from "vitest";
import {
  MAX_PLAIN_LENGTH,
  plainArgument,
  plainObjection,
  plainResult,
  plainWords,
} from "./plain-text.ts";

it.each([
  ["moments", "saved at 2026-03-09T10:01:07.123Z", "saved at 2026-03-10T11:00:00+02:00"],
  ["dates of mail", "Tue, 01 Dec 2026 10:00:00 GMT", "Wed, 02 Dec 2026 07:30:12 GMT"],
  ["epochs", "1781690400123456789", "1781690401123456912"],
  ["the clock of a log", "[10:35:22] nothing", "[10:35:52] nothing"],
  ["how long it took", "40 passed in 2.31s", "40 passed in 2.4s"],
  [
    "durations by their names",
    '{"durationMs":12,"idle_for":"3s"}',
    '{"durationMs":9,"idle_for":"8s"}',
  ],
  [
    "UUIDs",
    "made 0b0f3f0e-7a3c-4d8e-9a51-0d6c5f1f2a3b",
    "made 7c9e6679-7425-40de-944b-e07fc1f90ae7",
  ],
  ["ids of a delivery", '{"ok":true,"message_id":"om_8f2a"}', '{"ok":true,"message_id":"om_91bc"}'],
  ["processes and addresses", "pid 4100 <job at 0x7f3a21>", "pid 4117 <job at 0x7f9b40>"],
  ["temporary paths", "wrote /tmp/tmpab12/out.txt", "wrote /tmp/tmpcd34/out.txt"],
])("takes %s for the same", (_, left, right) => {
  expect(plainResult(left)).toBe(plainResult(right));
});

it.each([
  ["counts", "1 of 5 done", "2 of 5 done"],
  ["hashes", "HEAD is now at 1a2b3c4", "HEAD is now at 5d6e7f8"],
  ["days", "the next free day is 2026-03-01", "the next free day is 2026-03-02"],
  ["how far a film is", "30s of 300s encoded", "60s of 300s encoded"],
  ["versions and ports", "v1.2.3 on :8080", "v1.2.4 on :8080"],
])("takes other %s for something new", (_, left, right) => {
  expect(plainResult(left)).not.toBe(plainResult(right));
});

it("compares a text beyond its limit as it is", () => {
  const long = (moment: string) => `${moment} ${"x".repeat(MAX_PLAIN_LENGTH)}`;

  expect(plainResult(long("2026-03-09T10:01:07Z"))).not.toBe(
    plainResult(long("2026-03-09T10:01:08Z")),
  );
});

it("reads phrases of arguments without case, blanks and closing marks, and long texts as they are", () => {
  const content = "  Def F():\n".repeat(40);

  expect(plainArgument({ query: "  Free  rooms? ", path: "Src/", page: 2, filter: null })).toEqual({
    query: "free rooms",
    path: "src",
    page: 2,
  });
  expect(plainArgument({ content, requestId: "r1", attempt: 3 })).toEqual({ content });
});

it("reads the words of drafts in order and of objections in any", () => {
  expect(plainWords("It is in `src/a.ts`.")).toBe(plainWords("it is in src a ts"));
  expect(plainWords("a then b")).not.toBe(plainWords("b then a"));
  expect(plainObjection("Please add sources, still.")).toBe(plainObjection("Sources: add!"));
  expect(plainObjection("Add 2 sources")).not.toBe(plainObjection("Add 3 sources"));
});
