import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AgentDescriptor } from "@tracon/core";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { agentsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button, buttonClass } from "../../design/button.tsx";
import { type Column, DataTable, ROW_LINK, TableCell, TableRow } from "../../design/data-table.tsx";
import { Tag } from "../../design/facts.tsx";
import { TextInput } from "../../design/field.tsx";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { TimeAgo } from "../../design/time-ago.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { useNow } from "../../design/use-now.ts";
import { useRowKeys } from "../../design/use-row-keys.ts";
import { EXAMPLE_DEFINITION } from "../agent-editor/example-definition.ts";

const columns = {
  name: { title: "Name", width: "" },
  model: { title: "Model", width: "w-64", isWideOnly: true },
  tools: { title: "Tools", width: "w-16", isWideOnly: true, isFigure: true },
  origin: { title: "Origin", width: "w-28", isWideOnly: true },
  version: { title: "Version", width: "w-20", isFigure: true },
  saved: { title: "Saved", width: "w-28 xl:w-60", isWideOnly: true },
} as const satisfies Readonly<Record<string, Column>>;

const MINUTE_MS = 60_000;

export function AgentsScreen() {
  const { api } = useServices();
  const agents = useQuery(agentsQuery(api));
  return (
    <>
      <TitleRow
        title="Agents"
        actions={
          <Link to="/new-agent" className={buttonClass("primary")}>
            <Plus aria-hidden className="size-3.5" />
            New agent
          </Link>
        }
      />
      {agents.data === undefined ? (
        agents.error === null ? (
          <Loading what="agents" />
        ) : (
          <FailureView error={agents.error} onRetry={() => void agents.refetch()} />
        )
      ) : (
        <AgentList agents={agents.data} />
      )}
    </>
  );
}

function AgentList({ agents }: { readonly agents: readonly AgentDescriptor[] }) {
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const nowMs = useNow(MINUTE_MS);
  const shown = agents.filter((agent) => matches(agent, typed.trim().toLowerCase()));
  useRowKeys(list, shown.length);

  if (agents.length === 0) {
    return (
      <Empty
        title="No agents yet"
        text="An agent is a model with instructions and tools. Create one from this example, or define agents in the configuration."
        example={{
          label: "example definition",
          text: JSON.stringify(EXAMPLE_DEFINITION, null, 2),
        }}
        actions={
          <Link to="/new-agent" className={buttonClass("primary")}>
            New agent
          </Link>
        }
      />
    );
  }
  return (
    <>
      <search className="px-4 py-2">
        <TextInput
          type="search"
          aria-label="Find an agent"
          placeholder="Find by name, model or tool"
          className="w-full max-w-80"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </search>
      <div ref={list}>
        <DataTable label="Agents" columns={Object.values(columns)}>
          {shown.map((agent, index) => (
            <AgentRow key={agent.name} agent={agent} index={index} nowMs={nowMs} />
          ))}
        </DataTable>
      </div>
      {shown.length === 0 ? (
        <Empty
          title="No agent matches"
          text={`Nothing has "${typed}" in its name, model or tools.`}
          actions={<Button onClick={() => setTyped("")}>Show all agents</Button>}
        />
      ) : null}
    </>
  );
}

const matches = (agent: AgentDescriptor, query: string): boolean =>
  [agent.name, agent.displayName, agent.model?.model, ...agent.toolNames].some((text) =>
    text?.toLowerCase().includes(query),
  );

const AgentRow = (props: {
  readonly agent: AgentDescriptor;
  readonly index: number;
  readonly nowMs: number;
}) => {
  const { agent } = props;
  return (
    <TableRow index={props.index}>
      <TableCell column={columns.name}>
        <Link
          to="/agents/$name"
          params={{ name: agent.name }}
          className={`font-medium ${ROW_LINK}`}
        >
          {agent.name}
        </Link>
        <span className="ml-2 text-muted">{agent.displayName ?? agent.description}</span>
      </TableCell>
      <TableCell column={columns.model}>
        {agent.model === undefined ? "by its factory" : agent.model.model}
        {agent.model === undefined ? null : (
          <span className="ml-1.5 text-faint text-sm">{agent.model.provider}</span>
        )}
      </TableCell>
      <TableCell column={columns.tools}>{agent.toolNames.length}</TableCell>
      <TableCell column={columns.origin}>
        <Tag>{agent.origin}</Tag>
      </TableCell>
      <TableCell column={columns.version}>v{agent.version}</TableCell>
      <TableCell column={columns.saved} className="text-muted">
        {agent.updatedAt === undefined ? (
          "in code"
        ) : (
          <TimeAgo timestamp={agent.updatedAt} nowMs={props.nowMs} />
        )}
      </TableCell>
    </TableRow>
  );
};
