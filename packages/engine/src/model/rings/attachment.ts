/**
 * Puts the bytes of attachments into a model call. It lies outside the retries, so that they are read
 * once for each call, and inside the response cache, whose key has the name of a file that never changes.
 */

import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { fillPrompt } from "../../attachment/fill-prompt.ts";
import { type ContentGuards, contentBlocked } from "../content-guards.ts";
import type { ModelRequest, ModelRing } from "../ring.ts";

export const attachmentRing: ModelRing = {
  name: "attachment",

  wrap(next, { host: { readAttachment, guards } }) {
    if (readAttachment === undefined) return next;
    /** A part lives as long as its run, which asks about it once. */
    const passed = new WeakMap<object, Promise<string>>();
    return async (request) => {
      const { options, tenantId } = request;
      const prompt = await fillPrompt(options.prompt, {
        read: (id) => readAttachment(tenantId, id),
        passText(text, part) {
          const known = passed.get(part) ?? passText(text, guards, request);
          passed.set(part, known);
          return known;
        },
      });
      if (prompt === options.prompt) return next(request);
      return next({ ...request, options: { ...options, prompt: inForm(prompt, request) } });
    };
  },
};

/** What a file says is seen by the guards like any document; the file itself stays as it is. */
export async function passText(
  text: string,
  guards: ContentGuards | undefined,
  run: Pick<ModelRequest, "tenantId" | "signal" | "log" | "journal">,
): Promise<string> {
  if (guards === undefined) return text;
  const inspection = await guards.inspect(text, "Document", run);
  for (const event of inspection.events) run.journal.emit(event);
  if (inspection.blockedBy !== undefined) throw contentBlocked(inspection.blockedBy);
  return inspection.text;
}

/** The older specification has bytes where the newer one says what they are. */
function inForm(prompt: LanguageModelV4Prompt, { bound }: ModelRequest): LanguageModelV4Prompt {
  const version: string = bound.model.specificationVersion;
  if (version !== "v3") return prompt;
  return prompt.map((message) =>
    message.role !== "user"
      ? message
      : {
          ...message,
          content: message.content.map((part) =>
            part.type === "file" && part.data.type === "data"
              ? { ...part, data: part.data.data as never }
              : part,
          ),
        },
  );
}
