import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { AgentDescriptor } from "@tracon/core";
import { useRef, useState } from "react";
import { agentQuery, agentsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button, buttonClass } from "../../design/button.tsx";
import { Select } from "../../design/field.tsx";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { useFollowTail } from "../../design/use-follow-tail.ts";
import { Announcement } from "./announcement.tsx";
import { Composer } from "./composer.tsx";
import { ParameterForm } from "./parameter-form.tsx";
import { givenParameters, missingParameters, type ParameterValues } from "./parameter-values.ts";
import { TurnView } from "./turn-view.tsx";
import { useConversation } from "./use-conversation.ts";

const route = getRouteApi("/playground");

export function PlaygroundScreen() {
  const { api } = useServices();
  const agents = useQuery(agentsQuery(api));
  const { agent } = route.useSearch();
  if (agents.data === undefined) {
    return (
      <>
        <TitleRow title="Playground" />
        {agents.error === null ? (
          <Loading what="agents" />
        ) : (
          <FailureView error={agents.error} onRetry={() => void agents.refetch()} />
        )}
      </>
    );
  }
  const name = agent ?? agents.data.at(0)?.name;
  return name === undefined ? <NoAgents /> : <Playground agents={agents.data} name={name} />;
}

function Playground(props: { readonly agents: readonly AgentDescriptor[]; readonly name: string }) {
  const { agents, name } = props;
  const navigate = route.useNavigate();
  const { api } = useServices();
  const { data: detail, error } = useQuery(agentQuery(api, name));
  const [values, setValues] = useState<ParameterValues>({});
  const conversation = useConversation();
  const scroller = useRef<HTMLDivElement>(null);
  useFollowTail(scroller, conversation.turns);

  const parameters = detail?.definition?.parameters ?? [];
  const missing = missingParameters(parameters, values);
  const send = (message: string) => {
    const given = givenParameters(parameters, values);
    conversation.send(name, { message, ...(given === undefined ? {} : { parameters: given }) });
  };

  return (
    <>
      <TitleRow
        title="Playground"
        state={
          <AgentPicker
            agents={agents}
            name={name}
            isDisabled={conversation.isRunning}
            onPick={(agent) => void navigate({ search: { agent }, replace: true })}
          />
        }
        actions={
          conversation.turns.length === 0 ? null : (
            <Button onClick={conversation.clear}>Clear</Button>
          )
        }
      />
      <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-3xl flex-col gap-6 p-4">
          {conversation.turns.length === 0 ? <Introduction name={name} /> : null}
          {conversation.turns.map((turn, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: turns only grow at the end
            <TurnView key={index} turn={turn} />
          ))}
        </div>
      </div>
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-3 px-4 pt-2 pb-1">
        <ParameterForm parameters={parameters} values={values} onChange={setValues} />
        <Composer
          isRunning={conversation.isRunning}
          obstacle={obstacleOf(missing, error)}
          onSend={send}
          onStop={conversation.stop}
        />
      </div>
      <Announcement turn={conversation.turns.at(-1)} />
    </>
  );
}

function obstacleOf(missing: readonly string[], error: Error | null): string {
  if (error !== null) return `The agent cannot be read: ${error.message}`;
  return missing.length === 0 ? "" : `Fill in ${missing.join(", ")} to send.`;
}

const AgentPicker = (props: {
  readonly agents: readonly AgentDescriptor[];
  readonly name: string;
  readonly isDisabled: boolean;
  readonly onPick: (name: string) => void;
}) => {
  const names = new Set([props.name, ...props.agents.map((agent) => agent.name)]);
  return (
    <Select
      aria-label="Agent"
      className="max-w-52"
      disabled={props.isDisabled}
      value={props.name}
      onPick={props.onPick}
      options={Array.from(names, (name) => ({ value: name, label: name }))}
    />
  );
};

const Introduction = ({ name }: { readonly name: string }) => (
  <div className="flex flex-col gap-2 rounded-md border border-hairline bg-surface p-4">
    <h2 className="font-semibold">Try {name}</h2>
    <p className="text-muted">
      Each message starts a run of its own, without a session: the agent does not see the messages
      before it. Every run is recorded and can be opened from its answer.
    </p>
    <p>
      <Link to="/agents/$name" params={{ name }} className="text-accent underline">
        See its definition
      </Link>
    </p>
  </div>
);

const NoAgents = () => (
  <>
    <TitleRow title="Playground" />
    <Empty
      title="There is no agent to run"
      text="The playground runs an agent and shows its answer as it comes. Create one first."
      actions={
        <Link to="/new-agent" className={buttonClass("primary")}>
          New agent
        </Link>
      }
    />
  </>
);
