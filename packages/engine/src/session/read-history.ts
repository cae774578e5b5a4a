import {
  type ChatMessage,
  chatMessageSchema,
  type SessionStore,
  type StoredSessionItem,
  TraconError,
} from "@tracon/core";

/**
 * Most messages of a session. A run reads them all, and no model reads as many; some hundred turns
 * with tools come to a tenth of it.
 */
export const MAX_SESSION_MESSAGES = 10_000;

/** The first `itemCount` messages of a session; `undefined` when one of them cannot be read. */
export async function readHistory(
  sessions: SessionStore,
  key: { readonly tenantId: string; readonly sessionId: string },
  itemCount: number,
): Promise<readonly ChatMessage[] | undefined> {
  const range = { after: -1, take: itemCount };
  const items = await sessions.history(key.tenantId, key.sessionId, range);
  const messages: ChatMessage[] = [];
  for (const item of items) {
    const message = messageOf(item);
    if (message === undefined) return undefined;
    messages.push(message);
  }
  return messages;
}

export const unreadableHistory = (sessionId: string): TraconError =>
  new TraconError(
    "session_unreadable",
    `the history of session '${sessionId}' is in a format this version cannot read`,
  );

function messageOf({ json }: StoredSessionItem): ChatMessage | undefined {
  try {
    return chatMessageSchema.safeParse(JSON.parse(json)).data;
  } catch {
    // Not even JSON: the same to whoever wants to read it.
    return undefined;
  }
}
