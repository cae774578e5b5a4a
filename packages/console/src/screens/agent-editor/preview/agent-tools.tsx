import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../../app/queries.ts";
import { useServices } from "../../../app/services.tsx";
import { calleeName, toolNameOf } from "../form/callable-agents/callee-rows.ts";
import { type JsonObject, readAt } from "../form/json-path.ts";

export const callsAgents = ({ callableAgents }: JsonObject): boolean =>
  Array.isArray(callableAgents) && callableAgents.length > 0;

/** The tools by which the model calls other agents, in either call mode. */
export function AgentTools({ definition }: { readonly definition: JsonObject }) {
  const { api } = useServices();
  const agents = useQuery(agentsQuery(api)).data ?? [];
  const { callableAgents } = definition;
  const items: readonly unknown[] = Array.isArray(callableAgents) ? callableAgents : [];
  const names = [...new Set(items.flatMap((item) => calleeName(item) ?? []))];
  const isTool = readAt(definition, ["subAgents", "callMode"]) === "Tool";
  return (
    <>
      {isTool ? null : (
        <p>
          <code className="text-sm">background_agents_*</code>: six tools that start, await, read
          and clear tasks of these agents.
        </p>
      )}
      <ul className="flex flex-col gap-1">
        {names.map((name) => (
          <li key={name} className="[overflow-wrap:anywhere]">
            <code className="text-sm">{isTool ? toolNameOf(name) : name}</code>{" "}
            <span className="text-muted">{agents.find((it) => it.name === name)?.description}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
