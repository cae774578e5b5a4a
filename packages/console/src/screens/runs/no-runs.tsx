import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { agentsQuery, metaQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { buttonClass } from "../../design/button.tsx";
import { Empty } from "../../design/state-view.tsx";

/** The list before the first run, with a command that starts one on this very server. */
export function NoRuns() {
  const { api } = useServices();
  const { data: agents = [] } = useQuery(agentsQuery(api));
  const { data: meta } = useQuery(metaQuery(api));
  const command = runCommand({
    agentName: agents.at(0)?.name ?? "NAME",
    needsToken: meta?.authentication.requiresBearerToken ?? false,
  });
  return (
    <Empty
      title="No runs yet"
      text="Every answer of an agent is a run and is recorded here. Start one in the playground or over HTTP:"
      example={{ label: "example command", text: command }}
      actions={
        <Link to="/playground" className={buttonClass("primary")}>
          Open the playground
        </Link>
      }
    />
  );
}

function runCommand(about: { readonly agentName: string; readonly needsToken: boolean }): string {
  const url = new URL(`api/agents/${encodeURIComponent(about.agentName)}/run`, document.baseURI);
  return [
    `curl -N ${url.href}`,
    "-H 'content-type: application/json'",
    ...(about.needsToken ? ['-H "authorization: Bearer $TRACON_TOKEN"'] : []),
    `-d '{"message": "Hello"}'`,
  ].join(" \\\n  ");
}
