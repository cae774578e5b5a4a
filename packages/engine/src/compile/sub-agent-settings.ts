/** How long an agent waits for those it calls. */

import {
  type AgentDefinitionContent,
  type Finding,
  finding,
  parseDuration,
  type SubAgentSettings,
} from "@tracon/core";
import { timeoutProblem } from "../tools/tool-registration.ts";
import { agentReferences } from "./agent-references.ts";

const LIMITS = ["childDeadline", "waitTimeout"] as const satisfies (keyof SubAgentSettings)[];

/** What is wrong with the limits; settings of an agent that calls nobody are ignored. */
export function subAgentSettingsFindings(definition: AgentDefinitionContent): readonly Finding[] {
  const { subAgents } = definition;
  if (subAgents === undefined || agentReferences(definition).length === 0) return [];
  const findings = LIMITS.flatMap((member) => {
    const limit = subAgents[member];
    const problem = limit === undefined ? undefined : timeoutProblem(limit);
    return problem === undefined ? [] : [finding("invalid_value", `subAgents.${member}`, problem)];
  });
  return findings.length > 0 ? findings : orderFindings(subAgents);
}

/** A cutoff that comes first would leave the deadline without effect. */
function orderFindings({ childDeadline, waitTimeout }: SubAgentSettings): readonly Finding[] {
  if (childDeadline === undefined || waitTimeout === undefined) return [];
  if ((parseDuration(waitTimeout) ?? 0) > (parseDuration(childDeadline) ?? 0)) return [];
  const message = `must be longer than childDeadline, which is ${childDeadline}: it cuts off what does not keep to that`;
  return [finding("invalid_value", "subAgents.waitTimeout", message)];
}
