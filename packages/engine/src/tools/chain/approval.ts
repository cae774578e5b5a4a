/**
 * Lets a call pass, or leaves it for a person to decide. Asked in this order: the tool's own policy,
 * the standing rules, a person. Whatever cannot be answered asks.
 */

import { faultlessPresentation } from "../../approval/presentation.ts";
import { isCovered } from "../../approval/standing-rule.ts";
import type { ToolSettings } from "../tool-settings.ts";
import { untilAborted } from "../until-aborted.ts";
import { type RunToolCall, type ToolCall, type ToolLink, viewOf } from "./tool-link.ts";

export const approvalLink: ToolLink = {
  name: "approval",

  // A tool the client answers has no body here that could be approved.
  wrap: (next, tool) => (tool.execute === undefined ? next : guarded(next, tool)),
};

function guarded(next: RunToolCall, tool: ToolSettings): RunToolCall {
  return async (call) => {
    if (call.isApproved || !(await mustAsk(call, tool))) return next(call);
    const presentation = await presentationOf(call, tool);
    return {
      pending: "approval",
      arguments: call.sent,
      ...(presentation === undefined ? {} : { presentation }),
    };
  };
}

async function mustAsk(call: ToolCall, tool: ToolSettings): Promise<boolean> {
  if (call.asksAlways) return true;
  const need = await needOf(call, tool);
  if (need !== "Undecided") return need === "Required";
  return !(await isCoveredByRule(call, tool));
}

type Need = "Required" | "NotRequired" | "Undecided";

async function needOf(call: ToolCall, tool: ToolSettings): Promise<Need> {
  const { approval } = tool;
  if (approval === "never") return "NotRequired";
  if (approval === "unless-covered") return "Undecided";
  try {
    const asked = ask(approval, viewOf(call, tool), call);
    const answer = await untilAborted(call.signal, asked);
    return answer === "NotRequired" || answer === "Undecided" ? answer : "Required";
  } catch {
    call.signal.throwIfAborted();
    return "Required";
  }
}

const ask = async (
  policy: Exclude<ToolSettings["approval"], string>,
  view: ReturnType<typeof viewOf>,
  { callId, messages }: ToolCall,
) => policy(view, { toolCallId: callId, messages });

async function isCoveredByRule(call: ToolCall, { name }: ToolSettings): Promise<boolean> {
  const { tenantId, agentName, signal, host, sent } = call;
  try {
    const rules = await untilAborted(signal, host.rulesFor(tenantId, agentName, name));
    return rules.some((rule) => isCovered(rule, { agentName, toolName: name, arguments: sent }));
  } catch {
    signal.throwIfAborted();
    // A store that does not answer has covered nothing.
    return false;
  }
}

/** How long the presenter is waited for, in milliseconds. */
const PRESENTER_TIMEOUT_MS = 2_000;

async function presentationOf(call: ToolCall, tool: ToolSettings) {
  const { present } = tool;
  if (present === undefined) return undefined;
  const timer = new AbortController();
  const late = call.host.sleep(PRESENTER_TIMEOUT_MS, timer.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    const shown = (async () => present(viewOf(call, tool)))();
    return faultlessPresentation(await untilAborted(call.signal, Promise.race([shown, late])));
  } catch {
    call.signal.throwIfAborted();
    return undefined;
  } finally {
    timer.abort("shown");
  }
}
