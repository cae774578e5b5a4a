import type { ChatContent, ChatMessage } from "@tracon/core";
import { expect, it } from "vitest";
import { conversationOf } from "./conversation.ts";

it("stands a result with the call it answers, and lets a branch reach up to it", () => {
  const entries = conversationOf([
    message("user", text("Where is it?")),
    message("assistant", text("I look."), call("c1"), call("c2")),
    message("tool", result("c1", { status: "sent" })),
    message("tool", result("c2", "none")),
    message("assistant", text("It was sent.")),
  ]);

  expect(entries.map(({ sequence, endSequence }) => [sequence, endSequence])).toEqual([
    [0, 0],
    [1, 3],
    [4, 4],
  ]);
  expect(entries[1]?.calls).toMatchObject([
    { outcome: "answered", result: '{"status":"sent"}' },
    { outcome: "answered", result: "none" },
  ]);
});

it("tells calls with the same id apart by which is open", () => {
  const entries = conversationOf([
    message("assistant", call("same")),
    message("tool", result("same", "first")),
    message("assistant", call("same")),
    message("tool", result("same", "second")),
  ]);

  expect(entries.flatMap(({ calls }) => calls.map((it) => it.result))).toEqual(["first", "second"]);
});

it.each([
  ["execution-denied", "denied"],
  ["error-text", "failed"],
  ["error-json", "failed"],
  ["json", "answered"],
] as const)("says of a result of type %s that the call was %s", (resultType, outcome) => {
  const [entry] = conversationOf([
    message("assistant", call("c")),
    message("tool", { $type: "functionResult", callId: "c", result: "r", resultType }),
  ]);

  expect(entry?.calls[0]?.outcome).toBe(outcome);
});

it("leaves a call without a result open, unless the provider ran it", () => {
  const [entry] = conversationOf([
    message("assistant", call("c"), {
      $type: "functionCall",
      callId: "p",
      name: "web_search",
      arguments: {},
      informationalOnly: true,
    }),
  ]);

  expect(entry?.calls.map(({ outcome }) => outcome)).toEqual(["open", "byProvider"]);
});

it("shows a result that answers nothing as it is", () => {
  const [entry] = conversationOf([message("tool", result("nobody", "lost"))]);

  expect(entry?.text).toContain('"callId": "nobody"');
});

it("draws only pictures whose bytes are in the message and that cannot run anything", () => {
  const [entry] = conversationOf([
    message(
      "user",
      file("data:image/png;base64,AAAA", "image/png"),
      file("https://elsewhere.example/pixel.png", "image/png"),
      file("data:image/svg+xml,<svg onload='x()'/>", "image/svg+xml"),
    ),
  ]);

  expect(entry?.files.map(({ picture }) => picture)).toEqual([
    "data:image/png;base64,AAAA",
    undefined,
    undefined,
  ]);
});

it("keeps a document apart from what was said with it", () => {
  const [entry] = conversationOf([
    message("user", { $type: "document", name: "returns.md", text: "30 days." }, text("May I?")),
  ]);

  expect(entry).toMatchObject({
    text: "May I?",
    files: [{ name: "returns.md", text: "30 days." }],
  });
});

const message = (role: ChatMessage["role"], ...contents: ChatContent[]): ChatMessage => ({
  role,
  contents,
});
const text = (value: string): ChatContent => ({ $type: "text", text: value });
const call = (callId: string): ChatContent => ({
  $type: "functionCall",
  callId,
  name: "look_up",
  arguments: { id: 1 },
});
const result = (callId: string, value: unknown): ChatContent => ({
  $type: "functionResult",
  callId,
  result: value,
});
const file = (uri: string, mediaType: string): ChatContent => ({ $type: "data", uri, mediaType });
