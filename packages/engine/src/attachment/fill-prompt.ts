/**
 * Bytes in place of the names of attachments, in a copy that goes to one model and nowhere else: a
 * history keeps the names.
 */

import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { ATTACHMENT_PROVIDER } from "@tracon/core";
import { documentText } from "./document-text.ts";

/** Reads what an attachment holds; `undefined` when it is gone. */
export type ReadAttachment = (tenantId: string, id: string) => Promise<Uint8Array | undefined>;

/** Looks at text that an attachment holds, before a model reads it. `part` is the one that names it. */
export type PassText = (text: string, part: object) => Promise<string>;

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];
type FilePart = Extract<UserPart, { type: "file" }>;

export type FillOptions = {
  readonly read: (id: string) => Promise<Uint8Array | undefined>;
  readonly passText: PassText;
};

/** The same prompt when it names no attachment. */
export async function fillPrompt(
  prompt: LanguageModelV4Prompt,
  options: FillOptions,
): Promise<LanguageModelV4Prompt> {
  if (!prompt.some(namesAttachment)) return prompt;
  const filled: LanguageModelV4Message[] = [];
  for (const message of prompt) {
    if (message.role !== "user" || !namesAttachment(message)) {
      filled.push(message);
      continue;
    }
    const content: UserPart[] = [];
    for (const part of message.content) {
      const id = attachmentIdOf(part);
      content.push(id === undefined ? part : await fillPart(part as FilePart, id, options));
    }
    filled.push({ ...message, content });
  }
  return filled;
}

const namesAttachment = (message: LanguageModelV4Message): boolean =>
  message.role === "user" && message.content.some((part) => attachmentIdOf(part) !== undefined);

function attachmentIdOf(part: UserPart): string | undefined {
  if (part.type !== "file" || part.data.type !== "reference") return undefined;
  return part.data.reference[ATTACHMENT_PROVIDER];
}

/** Text goes as text: not every provider takes it as a file, and every model reads it. */
async function fillPart(
  part: FilePart,
  id: string,
  { read, passText }: FillOptions,
): Promise<UserPart> {
  const content = await read(id);
  const name = part.filename ?? "file";
  if (content === undefined) {
    return { type: "text", text: `[The attachment ${JSON.stringify(name)} was deleted.]` };
  }
  if (part.mediaType !== "text/plain") return { ...part, data: { type: "data", data: content } };
  const text = await passText(new TextDecoder().decode(content), part);
  return { type: "text", text: documentText(name, text) };
}
