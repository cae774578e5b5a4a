/** The rings around a turn. */

import type { RunTurn, TurnRing, TurnRingSettings } from "../ring.ts";
import { runTurn } from "../turn.ts";
import { circuitBreakerRing } from "./circuit-breaker.ts";
import { contextRing } from "./context.ts";
import { turnExtensionRing } from "./extension.ts";
import { fallbackRing } from "./fallback.ts";
import { normalizeErrorsRing } from "./normalize-errors.ts";
import { structuredResponseRing } from "./structured-response.ts";

/** Outermost first. */
export const turnRings: readonly TurnRing[] = [
  normalizeErrorsRing,
  contextRing,
  structuredResponseRing,
  fallbackRing,
  circuitBreakerRing,
  turnExtensionRing,
];

/** A turn from its outermost ring to the tool loop. */
export const wrapTurn = (settings: TurnRingSettings): RunTurn =>
  turnRings.reduceRight<RunTurn>((next, ring) => ring.wrap(next, settings), runTurn);
