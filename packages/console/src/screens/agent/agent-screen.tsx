import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { AgentDetail } from "@tracon/core";
import { Pencil, Play } from "lucide-react";
import { agentQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { buttonClass } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Tag } from "../../design/facts.tsx";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { AgentLoop } from "./agent-loop.tsx";
import { AgentOverview } from "./agent-overview.tsx";
import type { AgentSearch } from "./agent-route.ts";
import { AgentVersions } from "./agent-versions.tsx";
import { definitionText } from "./definition-text.ts";
import { DeleteAgent } from "./delete-agent.tsx";

const route = getRouteApi("/agents/$name");

export function AgentScreen() {
  const { name } = route.useParams();
  const { api } = useServices();
  const agent = useQuery(agentQuery(api, name));
  if (agent.data !== undefined) return <AgentPage detail={agent.data} />;
  return (
    <>
      <TitleRow title={name} />
      {agent.error === null ? (
        <Loading what="agent" />
      ) : (
        <FailureView error={agent.error} onRetry={() => void agent.refetch()} />
      )}
    </>
  );
}

function AgentPage({ detail }: { readonly detail: AgentDetail }) {
  const { descriptor, definition } = detail;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: AgentSearch) => void navigate({ search: next, replace: true });

  return (
    <>
      <TitleRow
        title={descriptor.name}
        state={
          <>
            <Tag>v{descriptor.version}</Tag>
            <Tag>{descriptor.origin}</Tag>
          </>
        }
        actions={<AgentActions detail={detail} />}
      />
      <Tabs
        label="Views of the agent"
        value={search.view ?? "overview"}
        onChange={(view) => show({ view })}
        tabs={[
          {
            value: "overview",
            label: "Overview",
            content: () => <AgentOverview detail={detail} />,
          },
          ...(hasLoop(detail) || search.view === "loop"
            ? [
                {
                  value: "loop" as const,
                  label: "Loop",
                  content: () => (
                    <AgentLoop
                      detail={detail}
                      since={search.since ?? "30d"}
                      onSince={(since) => show({ view: "loop", since })}
                    />
                  ),
                },
              ]
            : []),
          {
            value: "versions",
            label: "Versions",
            content: () =>
              detail.isEditable ? (
                <AgentVersions name={descriptor.name} search={search} onShow={show} />
              ) : (
                <NoVersions />
              ),
          },
          {
            value: "json",
            label: "JSON",
            content: () => (
              <div className="p-4">
                <CodeBlock
                  label={definition === null ? "catalog entry" : "definition"}
                  text={
                    definition === null
                      ? JSON.stringify(descriptor, null, 2)
                      : definitionText(definition)
                  }
                  isTall
                />
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

/** Of an agent that is not defined here it is not known whether it loops: its figures would tell. */
const hasLoop = ({ definition }: AgentDetail): boolean =>
  definition === null || definition.harness?.loop !== undefined;

const AgentActions = ({ detail: { descriptor, isEditable } }: { readonly detail: AgentDetail }) => (
  <>
    {isEditable ? (
      <>
        <DeleteAgent descriptor={descriptor} />
        <Link
          to="/agents/$name/edit"
          params={{ name: descriptor.name }}
          className={buttonClass("plain")}
        >
          <Pencil aria-hidden className="size-3.5" />
          Edit
        </Link>
      </>
    ) : null}
    <Link to="/playground" search={{ agent: descriptor.name }} className={buttonClass("primary")}>
      <Play aria-hidden className="size-3.5" />
      Run
    </Link>
  </>
);

const NoVersions = () => (
  <Empty
    title="Its history is in the code"
    text="This agent is not stored here: it is defined in code or by another source, so its versions are where that is kept."
  />
);
