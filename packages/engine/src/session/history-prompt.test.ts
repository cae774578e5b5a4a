import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { type ChatContent, type ChatMessage, chatMessageSchema } from "@tracon/core";
import { historyProblems } from "@tracon/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { closingOf, INTERRUPTED_TEXT } from "./call-results.ts";
import { chatMessagesOf } from "./chat-messages.ts";
import { promptOfHistory } from "./history-prompt.ts";

it("gives a model back what it and the tools said, with everything a provider wants to see again", () => {
  const providerOptions = { p: { signature: "abc" } };
  const prompt: LanguageModelV4Prompt = [
    {
      role: "user",
      content: [
        { type: "text", text: "Hi" },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
        {
          type: "file",
          mediaType: "image",
          filename: "a.png",
          data: { type: "reference", reference: { p: "file-1" } },
        },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", providerOptions },
        { type: "text", text: "Let me see." },
        { type: "tool-call", toolCallId: "h", toolName: "web", input: {}, providerExecuted: true },
        {
          type: "tool-result",
          toolCallId: "h",
          toolName: "web",
          output: { type: "json", value: [1] },
        },
        { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
        { type: "custom", kind: "p.thing", providerOptions },
        { type: "tool-call", toolCallId: "1", toolName: "look", input: { a: 1 }, providerOptions },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "1",
          toolName: "look",
          output: { type: "text", value: "found" },
        },
      ],
    },
  ];

  const { prompt: again, callIds } = promptOfHistory(stored(prompt));

  expect(again).toEqual(prompt);
  expect([...callIds]).toEqual(["h", "1"]);
});

it.each<Extract<LanguageModelV4Prompt[number], { role: "tool" }>["content"][number]>(
  (
    [
      { type: "text", value: "" },
      { type: "json", value: "a JSON text" },
      { type: "json", value: { a: [null, 1.5] } },
      { type: "json", value: null },
      { type: "error-text", value: "Error: no" },
      { type: "error-json", value: { code: 1 } },
      { type: "execution-denied", reason: "not yours" },
      { type: "execution-denied" },
      {
        type: "content",
        value: [
          { type: "text", text: "see" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: "aGk=" } },
        ],
      },
    ] as const
  ).map((output) => ({
    type: "tool-result",
    toolCallId: "1",
    toolName: "t",
    output: output as never,
  })),
)("keeps a tool's result as it was: $output", (result) => {
  const prompt: LanguageModelV4Prompt = [
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "1", toolName: "t", input: {} }],
    },
    { role: "tool", content: [result] },
  ];

  expect(promptOfHistory(stored(prompt)).prompt).toEqual(prompt);
});

it("keeps bytes and addresses of files", () => {
  const url = new URL("https://a.test/b.png");
  const file = (data: unknown) =>
    ({ type: "file" as const, mediaType: "image/png", data }) as never;
  const prompt: LanguageModelV4Prompt = [
    { role: "user", content: [file({ type: "data", data: new Uint8Array([104, 105]) })] },
    { role: "user", content: [file({ type: "url", url })] },
  ];

  expect(promptOfHistory(stored(prompt)).prompt).toEqual([
    { role: "user", content: [file({ type: "data", data: "aGk=" })] },
    { role: "user", content: [file({ type: "url", url, originalUrl: url.href })] },
  ]);
});

it("puts the results of a batch behind it, in the order of its calls and in one message", () => {
  const history = [
    assistant(call("a"), call("b"), call("c")),
    tool(result("c", "3")),
    tool(result("a", "1")),
    user("meanwhile"),
    tool(result("b", "2")),
  ];

  expect(texts(history)).toEqual(["a b c", "1 2 3", "meanwhile"]);
});

it("answers the first open call of an id that repeats, and makes the ids differ", () => {
  const history = [
    assistant(call("1")),
    tool(result("1", "first")),
    assistant(call("1"), call("1")),
    tool(result("1", "second"), result("1", "third")),
  ];

  const { prompt, callIds } = promptOfHistory(history);

  expect([...callIds]).toEqual(["1", "1_1", "1_2"]);
  expect(texts(history)).toEqual(["1", "first", "1_1 1_2", "second third"]);
  expect(historyProblems(prompt)).toEqual([]);
});

it("says of a call without a result that it was interrupted, and forgets results of no call", () => {
  const history = [tool(result("x", "of nothing")), assistant(call("1"), call("2")), user("so?")];

  expect(texts(history)).toEqual(["1 2", `${INTERRUPTED_TEXT} ${INTERRUPTED_TEXT}`, "so?"]);
});

it("closes what is open, except what somebody is still to answer", () => {
  const history = [
    assistant(call("1"), call("2"), call("3")),
    tool(result("2", "done")),
    assistant({ ...call("4"), informationalOnly: true }),
  ];

  const closed = closingOf(history, new Set(["3"]));

  expect(closed).toEqual([
    {
      role: "tool",
      contents: [
        {
          $type: "functionResult",
          callId: "1",
          name: "t",
          result: INTERRUPTED_TEXT,
          resultType: "error-text",
        },
      ],
    },
  ]);
  expect(closingOf([...history, ...closed], new Set(["3"]))).toEqual([]);
});

it("stores neither instructions nor answers to approvals", () => {
  const prompt: LanguageModelV4Prompt = [
    { role: "system", content: "Be kind." },
    {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId: "a", approved: true }],
    },
  ];

  expect(chatMessagesOf(prompt)).toEqual([]);
});

it("makes of any history a conversation that no provider refuses", () => {
  const ids = fc.constantFrom("1", "2", "3", "");
  const content = fc.oneof(
    ids.map((id): ChatContent => call(id)),
    ids.map((id): ChatContent => result(id, "r")),
    fc.constant<ChatContent>({ $type: "text", text: "t" }),
  );
  const message = fc.record({
    role: fc.constantFrom<ChatMessage["role"]>("system", "user", "assistant", "tool"),
    contents: fc.array(content, { maxLength: 4 }),
  });

  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (history) => {
      expect(historyProblems(promptOfHistory(history).prompt)).toEqual([]);
      expect(closingOf([...history, ...closingOf(history)])).toEqual([]);
    }),
  );
});

/** Written and read as a store does it. */
const stored = (prompt: LanguageModelV4Prompt): readonly ChatMessage[] =>
  chatMessagesOf(prompt).map((it) => chatMessageSchema.parse(JSON.parse(JSON.stringify(it))));

const user = (text: string): ChatMessage => ({ role: "user", contents: [{ $type: "text", text }] });
const assistant = (...contents: ChatContent[]): ChatMessage => ({ role: "assistant", contents });
const tool = (...contents: ChatContent[]): ChatMessage => ({ role: "tool", contents });
const call = (callId: string) =>
  ({ $type: "functionCall", callId, name: "t", arguments: {} }) as const;
const result = (callId: string, value: string) =>
  ({ $type: "functionResult", callId, name: "t", result: value }) as const;

/** Of each message of the prompt its texts, call ids or results. */
const texts = (history: readonly ChatMessage[]): readonly string[] =>
  promptOfHistory(history).prompt.map(({ content }) =>
    typeof content === "string"
      ? content
      : content
          .map((part) => {
            if (part.type === "tool-call") return part.toolCallId;
            if (part.type === "tool-result" && "value" in part.output) return part.output.value;
            return "text" in part ? part.text : part.type;
          })
          .join(" "),
  );
