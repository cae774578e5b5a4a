import * as z from "zod";
import { count, flag } from "../schema/member.ts";

/** The repeats of a definition that names none; also the fewest: a third time may still be a try. */
export const DEFAULT_MAX_REPEATS = 4;

/**
 * What is done about a run that repeats itself and gets nowhere. It is always recorded; `escalate` adds a
 * note to the model, then a last call without tools, then the end of the run, one at each further repeat.
 */
export const progressSettingsSchema = z.strictObject({
  escalate: flag(),
  /** Repeats at which the run is stopped. The note comes two before it. */
  maxRepeats: count(DEFAULT_MAX_REPEATS).default(DEFAULT_MAX_REPEATS),
});
export type ProgressSettings = z.output<typeof progressSettingsSchema>;
