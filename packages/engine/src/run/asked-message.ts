/** What a caller asked, as one message of a conversation: documents, files and then the words. */

import {
  ATTACHMENT_PROVIDER,
  type AttachmentDescriptor,
  type AttachmentStore,
  type ChatContent,
  type ChatMessage,
  type RunEventDraft,
} from "@tracon/core";
import { findAttachments } from "../attachment/find-attachments.ts";
import type { ContentGuards, GuardedRun, Inspection } from "../model/content-guards.ts";
import type { ReadRunRequest } from "./start-run.ts";

/**
 * What a request asks; `undefined` when it only goes on with what an earlier run left open. Throws
 * `request_invalid` when it names attachments that the run may not use.
 */
export async function findAsked(
  store: AttachmentStore,
  tenantId: string,
  request: Pick<ReadRunRequest, "message" | "documents" | "attachmentIds" | "sessionId">,
): Promise<ChatMessage | undefined> {
  const { attachmentIds: ids, sessionId } = request;
  return askedMessage(request, await findAttachments(store, { tenantId, sessionId, ids }));
}

function askedMessage(
  { message, documents }: Pick<ReadRunRequest, "message" | "documents">,
  attachments: readonly AttachmentDescriptor[],
): ChatMessage | undefined {
  const contents: ChatContent[] = [
    ...documents.map(({ name, content }) => ({ $type: "document" as const, name, text: content })),
    ...attachments.map(({ id, mediaType, fileName }) => ({
      $type: "hostedFile" as const,
      reference: { [ATTACHMENT_PROVIDER]: id },
      mediaType,
      name: fileName,
    })),
  ];
  if (message !== undefined) contents.push({ $type: "text", text: message });
  return contents.length === 0 ? undefined : { role: "user", contents };
}

/** The words of a message, without its documents and files. */
export const wordsOf = ({ contents }: ChatMessage): string =>
  contents.flatMap((content) => (content.$type === "text" ? [content.text] : [])).join("");

/** One event for each document: its name and size, never what it says. */
export const documentEvents = ({ contents }: ChatMessage): readonly RunEventDraft[] =>
  contents.flatMap((content): RunEventDraft[] =>
    content.$type === "document"
      ? [
          {
            type: "DocumentAttached",
            payload: { name: content.name, sizeBytes: Buffer.byteLength(content.text) },
          },
        ]
      : [],
  );

export type InspectedMessage = Pick<Inspection, "events" | "blockedBy"> & {
  /** As it may go on. */
  readonly message: ChatMessage;
};

/** Has guards look at words and documents. Whatever is blocked blocks the whole message. */
export async function inspectMessage(
  message: ChatMessage,
  guards: ContentGuards,
  run: GuardedRun,
): Promise<InspectedMessage> {
  const contents: ChatContent[] = [];
  const events: RunEventDraft[] = [];
  for (const content of message.contents) {
    if (content.$type !== "text" && content.$type !== "document") {
      contents.push(content);
      continue;
    }
    const source = content.$type === "text" ? "UserMessage" : "Document";
    const inspection = await guards.inspect(content.text, source, run);
    events.push(...inspection.events);
    const { blockedBy } = inspection;
    if (blockedBy !== undefined) return { message, events, blockedBy };
    contents.push({ ...content, text: inspection.text });
  }
  return { message: { ...message, contents }, events };
}
