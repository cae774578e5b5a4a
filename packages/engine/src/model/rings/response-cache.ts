/**
 * Answers equal requests from the registered cache. Only answers that ended properly are kept, and
 * what is kept is the model's answer alone: the tools it asks for still run.
 */

import { createHash } from "node:crypto";
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { canonicalJson, faultText, type Log, type ResponseCache } from "@tracon/core";
import { untilAborted } from "../../tools/until-aborted.ts";
import { marked } from "../call-marks.ts";
import { observeStream, streamOf } from "../observe-stream.ts";
import type { ModelRequest, ModelRing } from "../ring.ts";

type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

/** Version of the kept form; another one reads as a miss. */
const FORMAT = 1;
/** How long a cache may take to answer before the model is asked instead. */
const LOOK_UP_MS = 2_000;

export const responseCacheRing: ModelRing = {
  name: "response-cache",

  wrap(next, { host: { responseCache: cache, metrics }, cacheLifetimeMs }) {
    if (cache === undefined || cacheLifetimeMs === undefined) return next;
    return async (request) => {
      const key = keyOf(request);
      if (key === undefined) return next(request);
      const known = await lookUp(cache, key, request);
      metrics?.modelCache.lookedUp(request.bound.provider, known === undefined ? "miss" : "hit");
      if (known !== undefined) return { stream: streamOf(known) };
      const result = await next(request);
      const keep = (parts: readonly LanguageModelV4StreamPart[]): void =>
        void write({ cache, key, lifetimeMs: cacheLifetimeMs, parts }, request.log);
      return { ...result, stream: keeping(result.stream, keep) };
    };
  },
};

/** Everything that shapes an answer; the tenant first, so that no two of them ever share one. */
function keyOf({ tenantId, bound, options, log }: ModelRequest): string | undefined {
  const { abortSignal: _, headers: __, tools = [], ...rest } = options;
  const named = tools.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const asked = { tenantId, provider: bound.provider, model: bound.modelId, ...rest, tools: named };
  try {
    // Addresses and dates are told apart only by the text they have in JSON.
    const plain: unknown = JSON.parse(JSON.stringify(asked));
    return createHash("sha256").update(canonicalJson(plain)).digest("hex");
  } catch (error) {
    log.warn("a request has no key in the response cache", { error: faultText(error) });
    return undefined;
  }
}

async function lookUp(
  cache: ResponseCache,
  key: string,
  { signal, log }: ModelRequest,
): Promise<readonly LanguageModelV4StreamPart[] | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOOK_UP_MS);
  });
  try {
    const found = Promise.resolve(cache.get(key));
    const value = await untilAborted(signal, Promise.race([found, late]));
    return value === undefined ? undefined : partsOf(value);
  } catch (error) {
    signal.throwIfAborted();
    log.warn("the response cache could not be read", { error: faultText(error) });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function partsOf(value: string): readonly LanguageModelV4StreamPart[] | undefined {
  const kept = JSON.parse(value) as { format: number; parts: LanguageModelV4StreamPart[] };
  if (kept.format !== FORMAT) return undefined;
  return kept.parts.map((part) =>
    part.type === "finish" ? marked(part, { fromCache: true }) : part,
  );
}

/** Nothing was spent, which is not the same as zero tokens measured. */
const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** Passes a stream on and hands its parts over once the answer ended properly. */
function keeping(
  stream: ReturnType<typeof streamOf>,
  keep: (parts: readonly LanguageModelV4StreamPart[]) => void,
): ReturnType<typeof streamOf> {
  const parts: LanguageModelV4StreamPart[] = [];
  let isWhole = true;
  return observeStream(stream, {
    part(part) {
      if (part.type === "finish") parts.push(withoutUsage(part));
      else if (isDelta(part)) join(parts, part);
      else if (isKept(part)) parts.push(part);
      isWhole &&= part.type !== "error" && isPlain(part);
    },
    end() {
      const last = parts.at(-1);
      if (isWhole && last?.type === "finish" && isProper(last)) keep(parts);
    },
  });
}

const withoutUsage = ({ finishReason, type }: FinishPart): FinishPart => ({
  type,
  finishReason,
  usage: NO_USAGE,
});

type Delta = Extract<LanguageModelV4StreamPart, { type: "text-delta" | "reasoning-delta" }>;

const isDelta = (part: LanguageModelV4StreamPart): part is Delta =>
  part.type === "text-delta" || part.type === "reasoning-delta";

/** Deltas are kept joined; their number says nothing of the answer. */
function join(parts: LanguageModelV4StreamPart[], delta: Delta): void {
  const last = parts.at(-1);
  const isSameBlock = last !== undefined && isDelta(last) && last.id === delta.id;
  if (!isSameBlock || last.type !== delta.type) parts.push({ ...delta });
  else last.delta += delta.delta;
}

const UNKEPT: ReadonlySet<LanguageModelV4StreamPart["type"]> = new Set([
  "stream-start",
  "response-metadata",
  "raw",
  "ping",
  "tool-input-start",
  "tool-input-delta",
  "tool-input-end",
] as const);

const isKept = ({ type }: LanguageModelV4StreamPart): boolean => !UNKEPT.has(type);

/** Bytes are not text, and an answer that holds some is made anew. */
const isPlain = (part: LanguageModelV4StreamPart): boolean =>
  part.type !== "file" && part.type !== "reasoning-file";

const isProper = ({ finishReason }: FinishPart): boolean =>
  finishReason.unified === "stop" || finishReason.unified === "tool-calls";

type Kept = {
  readonly cache: ResponseCache;
  readonly key: string;
  readonly lifetimeMs: number;
  readonly parts: readonly LanguageModelV4StreamPart[];
};

async function write({ cache, key, lifetimeMs, parts }: Kept, log: Log): Promise<void> {
  try {
    await cache.set(key, JSON.stringify({ format: FORMAT, parts }), lifetimeMs);
  } catch (error) {
    log.warn("an answer could not be kept in the response cache", { error: faultText(error) });
  }
}
