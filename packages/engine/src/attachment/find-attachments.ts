import {
  type AttachmentDescriptor,
  type AttachmentStore,
  type Finding,
  finding,
  TraconError,
} from "@tracon/core";

/** Files of one run: more are a mistake, and all of them are in memory during a model call. */
const MAX_ATTACHMENTS = 16;
/** Bytes of all files of one run. Providers refuse requests that are larger than about 50 MB. */
const MAX_TOTAL_BYTES = 67_108_864;

export type AttachmentRequest = {
  readonly tenantId: string;
  readonly sessionId: string | undefined;
  readonly ids: readonly string[];
};

/**
 * The attachments a run names, in its order, each once. Throws `request_invalid` with every id that is
 * unknown, another tenant's, or belongs to another session.
 */
export async function findAttachments(
  store: AttachmentStore,
  { tenantId, sessionId, ids }: AttachmentRequest,
): Promise<readonly AttachmentDescriptor[]> {
  if (ids.length === 0) return [];
  const named = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (named.length > MAX_ATTACHMENTS) throw refused([tooMany(named.length)]);
  const found = new Map((await store.find(tenantId, named)).map((it) => [it.id, it]));
  const findings = ids.flatMap((id, index): Finding[] => {
    const attachment = found.get(id.toLowerCase());
    if (attachment !== undefined && isOf(attachment, sessionId)) return [];
    // Somebody else's is not told apart from one that never was.
    const message = "there is no such attachment for this run; upload the file first";
    return [finding("attachment_unknown", `attachmentIds[${index}]`, message)];
  });
  const attachments = named.flatMap((id) => found.get(id) ?? []);
  const totalBytes = attachments.reduce((sum, { byteSize }) => sum + byteSize, 0);
  if (totalBytes > MAX_TOTAL_BYTES) findings.push(tooLarge(totalBytes));
  if (findings.length > 0) throw refused(findings);
  return attachments;
}

/** One that was uploaded for a session goes with it, so no other conversation may come to need it. */
const isOf = (attachment: AttachmentDescriptor, sessionId: string | undefined): boolean =>
  attachment.sessionId === undefined || attachment.sessionId === sessionId;

const tooMany = (count: number): Finding =>
  finding("limit_exceeded", "attachmentIds", `are ${count}; a run has at most ${MAX_ATTACHMENTS}`);

const tooLarge = (bytes: number): Finding =>
  finding(
    "limit_exceeded",
    "attachmentIds",
    `have ${bytes} bytes together; those of a run have at most ${MAX_TOTAL_BYTES}`,
  );

const refused = (findings: readonly Finding[]): TraconError =>
  new TraconError("request_invalid", "the run was not started", { findings });
