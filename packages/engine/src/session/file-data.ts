/** Files in messages: an address in what is stored, bytes or an address for a provider. */

import type {
  LanguageModelV4FilePart,
  LanguageModelV4ReasoningFilePart,
  SharedV4FileData,
} from "@ai-sdk/provider";
import type { ChatContent } from "@tracon/core";

type FilePart = LanguageModelV4FilePart | LanguageModelV4ReasoningFilePart;
type FileContent = Extract<ChatContent, { $type: "data" | "hostedFile" }>;

/** Bytes in an address: `data:image/png;base64,iVBORw0…`. */
const DATA_URI = /^data:([^,]*);base64,/;

export function fileContent(part: FilePart): FileContent {
  const { data, mediaType } = part;
  const name = part.type === "file" && part.filename !== undefined ? { name: part.filename } : {};
  if (data.type === "reference") {
    return { $type: "hostedFile", reference: { ...data.reference }, mediaType, ...name };
  }
  const reasoning = part.type === "reasoning-file" ? { isReasoning: true as const } : {};
  return { $type: "data", uri: uriOf(data, mediaType), mediaType, ...name, ...reasoning };
}

export function filePart(content: FileContent): FilePart {
  const { mediaType, name } = content;
  const filename = name === undefined ? {} : { filename: name };
  if (content.$type === "hostedFile") {
    const data = { type: "reference" as const, reference: content.reference };
    return { type: "file", data, mediaType, ...filename };
  }
  const data = dataOf(content.uri);
  if (content.isReasoning === true) return { type: "reasoning-file", data, mediaType };
  return { type: "file", data, mediaType, ...filename };
}

function uriOf(data: Exclude<SharedV4FileData, { type: "reference" }>, mediaType: string): string {
  if (data.type === "url") return data.originalUrl ?? data.url.href;
  return `data:${mediaType};base64,${base64Of(data)}`;
}

function base64Of(data: Extract<SharedV4FileData, { type: "data" | "text" }>): string {
  if (data.type === "text") return Buffer.from(data.text).toString("base64");
  return typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64");
}

function dataOf(uri: string): Extract<SharedV4FileData, { type: "data" | "url" }> {
  const match = DATA_URI.exec(uri);
  return match === null
    ? { type: "url", url: new URL(uri), originalUrl: uri }
    : { type: "data", data: uri.slice(match[0].length) };
}
