import * as z from "zod";
import { flag } from "../schema/member.ts";

/** How an agent uses its skills. Absent settings mean that all skill tools ask for approval. */
export const skillSettingsSchema = z.strictObject({
  disableReadApproval: flag(),
});
export type SkillSettings = z.output<typeof skillSettingsSchema>;
