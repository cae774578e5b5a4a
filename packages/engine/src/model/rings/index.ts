/** The rings around a model call. */

import type { ModelRing, ModelRingSettings, SendModelRequest } from "../ring.ts";
import { attachmentRing } from "./attachment.ts";
import { budgetRing } from "./budget.ts";
import { chatSpanRing } from "./chat-span.ts";
import { concurrencyRing } from "./concurrency.ts";
import { contentGuardRing } from "./content-guard.ts";
import { extensionRing } from "./extension.ts";
import { responseCacheRing } from "./response-cache.ts";
import { retryRing } from "./retry.ts";

/** Outermost first. */
export const modelRings: readonly ModelRing[] = [
  extensionRing,
  contentGuardRing,
  budgetRing,
  responseCacheRing,
  attachmentRing,
  retryRing,
  concurrencyRing,
  chatSpanRing,
];

/** The way a model call takes, from the outermost ring to the provider. */
export const wrapModelCall = (settings: ModelRingSettings): SendModelRequest =>
  modelRings.reduceRight((next, ring) => ring.wrap(next, settings), askProvider);

/** A V3 model differs only in parts that are not read here. */
const askProvider: SendModelRequest = ({ bound, options }) =>
  bound.model.doStream(options as never) as ReturnType<SendModelRequest>;
