/**
 * What a provider would refuse in a conversation. A script that answers whatever it is sent would hide
 * a call without a result until a real provider sees it.
 */

import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Everything wrong with a prompt, each in one sentence; empty when there is nothing. */
export function historyProblems(prompt: LanguageModelV4Prompt): readonly string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  for (const [index, message] of prompt.entries()) {
    const at = `message ${index} (${message.role})`;
    if (message.content.length === 0) problems.push(`${at} is empty`);
    if (message.role === "tool") {
      const before = prompt[index - 1];
      const ids = before?.role === "assistant" ? ownCalls(before).map((it) => it.toolCallId) : [];
      if (ids.length === 0) problems.push(`${at} answers no call`);
    }
    if (message.role !== "assistant") continue;
    for (const call of ownCalls(message)) problems.push(...callProblems(call, used, at));
    problems.push(...resultProblems(message, prompt[index + 1], at));
  }
  return problems;
}

const ownCalls = (message: Assistant) =>
  message.content.filter((part) => part.type === "tool-call" && part.providerExecuted !== true) as {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
  }[];

function callProblems(
  { toolCallId, toolName, input }: ReturnType<typeof ownCalls>[number],
  used: Set<string>,
  at: string,
): readonly string[] {
  const problems: string[] = [];
  if (toolCallId === "") problems.push(`${at} has a call without an id`);
  if (used.has(toolCallId)) problems.push(`${at} has call id '${toolCallId}' again`);
  if (!TOOL_NAME.test(toolName)) problems.push(`${at} calls '${toolName}', which is no tool name`);
  if (input === null || typeof input !== "object" || Array.isArray(input)) {
    problems.push(`${at} has a call whose arguments are no object`);
  }
  used.add(toolCallId);
  return problems;
}

function resultProblems(
  message: Assistant,
  next: LanguageModelV4Message | undefined,
  at: string,
): readonly string[] {
  const wanted = ownCalls(message).map(({ toolCallId }) => toolCallId);
  if (wanted.length === 0) return [];
  const parts = next?.role === "tool" ? next.content : [];
  const given = parts.map((part) => (part.type === "tool-result" ? part.toolCallId : ""));
  if (given.join() === wanted.join()) return [];
  return [`${at} calls ${wanted.join(", ")}, but has results of ${given.join(", ") || "none"}`];
}
