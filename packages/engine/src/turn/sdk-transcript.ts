/** What an agent that code built said in one step, for the history of its session. */

import type {
  JSONValue,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { historyName } from "../model/answer-content.ts";
import { NO_RESULT_TEXT } from "../tools/chain/body.ts";

/** Its reasoning is left out: the SDK does not tell what of it a provider wants to see again. */
export class SdkTranscript {
  #calls: LanguageModelV4ToolCallPart[] = [];
  #results = new Map<string, LanguageModelV4ToolResultOutput>();

  call(toolCallId: string, toolName: string, input: unknown): void {
    const given = isObject(input) ? input : {};
    this.#calls.push({
      type: "tool-call",
      toolCallId,
      toolName: historyName(toolName),
      input: given,
    });
  }

  result(toolCallId: string, value: unknown): void {
    this.#results.set(toolCallId, outputOf(value));
  }

  failure(toolCallId: string, error: string): void {
    this.#results.set(toolCallId, { type: "error-text", value: error });
  }

  /** The messages of the step, which ends with `text`. */
  takeStep(text: string): LanguageModelV4Prompt {
    const calls = this.#calls;
    const results = calls.flatMap(({ toolCallId, toolName }): LanguageModelV4ToolResultPart[] => {
      const output = this.#results.get(toolCallId);
      return output === undefined ? [] : [{ type: "tool-result", toolCallId, toolName, output }];
    });
    this.#calls = [];
    this.#results = new Map();
    const said = [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls];
    return [
      ...(said.length === 0 ? [] : [{ role: "assistant" as const, content: said }]),
      ...(results.length === 0 ? [] : [{ role: "tool" as const, content: results }]),
    ];
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function outputOf(value: unknown): LanguageModelV4ToolResultOutput {
  if (value === undefined || value === null) return { type: "text", value: NO_RESULT_TEXT };
  if (typeof value === "string") return { type: "text", value };
  return { type: "json", value: (JSON.parse(JSON.stringify(value) ?? "null") ?? "") as JSONValue };
}
