/** The result of a tool call, as it is stored and as a model reads it. */

import type { JSONValue, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { ChatContent } from "@tracon/core";
import { fileContent, filePart } from "./file-data.ts";

type StoredResult = Pick<
  Extract<ChatContent, { $type: "functionResult" }>,
  "result" | "resultType"
>;
type ContentItem = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number];

export function storedResult(output: LanguageModelV4ToolResultOutput): StoredResult {
  switch (output.type) {
    case "text":
      return { result: output.value };
    case "json":
      return typeof output.value === "string"
        ? { result: output.value, resultType: "json" }
        : { result: output.value };
    case "execution-denied":
      return { result: output.reason ?? null, resultType: output.type };
    case "content":
      return { result: output.value.map(storedItem), resultType: output.type };
    default:
      return { result: output.value, resultType: output.type };
  }
}

export function toolOutput({ result, resultType }: StoredResult): LanguageModelV4ToolResultOutput {
  switch (resultType ?? (typeof result === "string" ? "text" : "json")) {
    case "text":
      return { type: "text", value: String(result) };
    case "error-text":
      return { type: "error-text", value: String(result) };
    case "error-json":
      return { type: "error-json", value: jsonValue(result) };
    case "execution-denied":
      return {
        type: "execution-denied",
        ...(typeof result === "string" ? { reason: result } : {}),
      };
    case "content":
      return { type: "content", value: Array.isArray(result) ? result.map(contentItem) : [] };
    default:
      return { type: "json", value: jsonValue(result) };
  }
}

/** Whatever was stored came from JSON. */
const jsonValue = (value: unknown): JSONValue => (value ?? null) as JSONValue;

function storedItem(item: ContentItem): unknown {
  if (item.type !== "file") return item;
  const { providerOptions } = item;
  return { ...fileContent(item), ...(providerOptions === undefined ? {} : { providerOptions }) };
}

function contentItem(stored: unknown): ContentItem {
  const item = stored as Extract<ChatContent, { $type: "data" | "hostedFile" }>;
  if (item.$type !== "data" && item.$type !== "hostedFile") return stored as ContentItem;
  const { providerOptions } = item;
  return {
    ...filePart(item),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  } as ContentItem;
}
