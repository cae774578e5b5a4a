import * as z from "zod";
import { flag, text } from "../schema/member.ts";

/** Which memory providers an agent gets. All are off by default. */
export const memorySettingsSchema = z.strictObject({
  enableFileMemory: flag(),
  enableTodo: flag(),
  enableTextSearch: flag(),
  enableVectorSearch: flag(),
  /** Collection searched by `search_knowledge`; the agent's name when absent. */
  vectorCollection: text(128).optional(),
});
export type MemorySettings = z.output<typeof memorySettingsSchema>;
