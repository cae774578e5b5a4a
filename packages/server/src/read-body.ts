/**
 * Reads a JSON body: bounded in bytes, depth and number of values before it is parsed. What its
 * members mean is the business of whoever asked for it.
 */

import { finding, findingsOf, TraconError } from "@tracon/core";
import type * as z from "zod";
import { jsonShape } from "./json-shape.ts";
import type { ServerLimits } from "./server-options.ts";

export type BodyLimits = {
  readonly maxBytes: number;
} & Required<Pick<ServerLimits, "bodyDepth" | "bodyValues">>;

const JSON_MEDIA_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json *(?:;|$)/i;
const CHARSET = /; *charset *= *"?([^\s;"]+)/i;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The parsed body. A member named `__proto__` is a member like any other. */
export async function readBody(request: Request, limits: BodyLimits): Promise<unknown> {
  requireJson(request.headers);
  const bytes = await readBytes(request, limits.maxBytes);
  if (bytes.length === 0) throw unreadable("the body is empty");

  const shape = jsonShape(bytes);
  if (shape.depth > limits.bodyDepth) {
    throw unreadable(`the body is nested deeper than ${limits.bodyDepth} levels`);
  }
  if (shape.separators >= limits.bodyValues) {
    throw unreadable(`the body holds more than ${limits.bodyValues} values`);
  }
  return parse(bytes);
}

/** A parsed body as `schema` reads it. Throws `request_invalid` with every finding. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new TraconError("request_invalid", "the body has findings", {
    findings: findingsOf(parsed.error),
  });
}

function requireJson(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? "utf-8";
  if (!JSON_MEDIA_TYPE.test(type) || (charset !== "utf-8" && charset !== "utf8")) {
    throw new TraconError("media_type_unsupported", "send the body as application/json in UTF-8");
  }
  const encoding = headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding !== "identity") {
    throw new TraconError("media_type_unsupported", "send the body without a content encoding");
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // A body that says how long it is can be taken whole: on Node the host then reads it without a
  // stream, which otherwise takes a quarter of the CPU of a run over HTTP.
  const bytes = declared === null ? await readStream(request, maxBytes) : await readWhole(request);
  // What a caller in this process declares may be wrong.
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

const tooLarge = (maxBytes: number): TraconError =>
  new TraconError("body_too_large", `the body is larger than ${maxBytes} bytes`);

const brokenOff = (cause: unknown): never => {
  throw unreadable("the body broke off", cause);
};

const readWhole = async (request: Request): Promise<Uint8Array> =>
  new Uint8Array(await request.arrayBuffer().catch(brokenOff));

async function readStream(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  while (true) {
    const next = await reader.read().catch(brokenOff);
    if (next.done) break;
    length += next.value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    chunks.push(next.value);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length);
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (cause) {
    throw unreadable("the body is not valid UTF-8", cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable("the body is not valid JSON", cause);
  }
}

const unreadable = (message: string, cause?: unknown): TraconError =>
  new TraconError("request_invalid", message, {
    findings: [finding("body_unreadable", "", message)],
    cause,
  });
