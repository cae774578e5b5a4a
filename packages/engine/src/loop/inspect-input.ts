/** Has content guards look at what a criterion says before the agent reads it or a session keeps it. */

import { type ContentGuards, contentBlocked } from "../model/content-guards.ts";
import type { TurnRequest } from "../turn/step.ts";
import type { Continuation } from "./evaluate-criteria.ts";

type InspectedRun = Pick<TurnRequest, "tenantId" | "signal" | "log" | "journal">;

/** Answers with what may go on; throws `content_blocked`. */
export async function inspectInput(
  { feedback, messages }: Continuation,
  guards: ContentGuards,
  run: InspectedRun,
): Promise<Continuation> {
  const pass = async (text: string): Promise<string> => {
    const { text: passed, events, blockedBy } = await guards.inspect(text, "UserMessage", run);
    for (const event of events) run.journal.emit(event);
    if (blockedBy !== undefined) throw contentBlocked(blockedBy);
    return passed;
  };
  const passed: string[] = [];
  for (const text of messages ?? []) passed.push(await pass(text));
  return {
    decision: "continue",
    ...(feedback === undefined ? {} : { feedback: await pass(feedback) }),
    ...(messages === undefined ? {} : { messages: passed }),
  };
}
