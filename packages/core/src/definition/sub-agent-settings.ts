import * as z from "zod";
import { duration } from "../schema/duration.ts";
import { enumMember } from "../schema/member.ts";

/** How an agent calls other agents: as background tasks (the default) or as one tool each. */
export const subAgentCallModeSchema = enumMember(["BackgroundTasks", "Tool"]);
export type SubAgentCallMode = z.output<typeof subAgentCallModeSchema>;

/** How an agent calls the agents it may call, and how long it waits for them. */
export const subAgentSettingsSchema = z.strictObject({
  /** Cooperative limit of one child run. */
  childDeadline: duration().optional(),
  /** Hard cutoff; the child goes on and its result is discarded. */
  waitTimeout: duration().optional(),
  callMode: subAgentCallModeSchema.default("BackgroundTasks"),
});
export type SubAgentSettings = z.output<typeof subAgentSettingsSchema>;
