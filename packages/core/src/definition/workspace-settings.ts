import * as z from "zod";
import { flag } from "../schema/member.ts";

/** The session workspace of an agent. */
export const workspaceSettingsSchema = z.strictObject({
  readOnly: flag(),
  disableReadApproval: flag(),
});
export type WorkspaceSettings = z.output<typeof workspaceSettingsSchema>;
