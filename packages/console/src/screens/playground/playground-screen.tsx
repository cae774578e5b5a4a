import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { AgentDescriptor } from "@tracon/core";
import { useRef, useState } from "react";
import { agentQuery, agentsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/field.tsx";
import { FailureView, Loading } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { useFollowTail } from "../../design/use-follow-tail.ts";
import { Announcement } from "./announcement.tsx";
import { Composer } from "./composer.tsx";
import { Introduction, NoAgents } from "./introduction.tsx";
import { ParameterForm } from "./parameter-form.tsx";
import { givenParameters, missingParameters, type ParameterValues } from "./parameter-values.ts";
import { PastConversation } from "./past-conversation.tsx";
import { SessionPicker } from "./session-picker.tsx";
import { TurnList } from "./turn-list.tsx";
import { usePlaygroundTalk } from "./use-playground-talk.ts";

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
  const talk = usePlaygroundTalk(name);
  const scroller = useRef<HTMLDivElement>(null);
  useFollowTail(scroller, talk.turns);

  const parameters = detail?.definition?.parameters ?? [];
  const given = givenParameters(parameters, values);
  const bound = given === undefined ? {} : { parameters: given };

  return (
    <>
      <TitleRow
        title="Playground"
        state={
          <>
            <AgentPicker
              agents={agents}
              name={name}
              isDisabled={talk.isRunning}
              onPick={(agent) => {
                talk.clear();
                void navigate({ search: { agent }, replace: true });
              }}
            />
            <SessionPicker
              agentName={name}
              choice={talk.choice}
              isDisabled={talk.isRunning}
              onPick={talk.choose}
            />
          </>
        }
        actions={
          talk.turns.length === 0 ? null : (
            <Button
              onClick={() => talk.choose({ kind: talk.choice.kind === "none" ? "none" : "new" })}
            >
              Clear
            </Button>
          )
        }
      />
      <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
        <div className="mx-auto flex max-w-3xl flex-col gap-6 p-4">
          {talk.pastSessionId === undefined ? null : (
            <PastConversation key={talk.pastSessionId} sessionId={talk.pastSessionId} />
          )}
          {talk.turns.length === 0 && talk.pastSessionId === undefined ? (
            <Introduction name={name} hasMemory={talk.choice.kind !== "none"} />
          ) : null}
          <TurnList
            talk={talk}
            onDecide={(decisions, text) => talk.decide(decisions, text, bound)}
          />
        </div>
      </div>
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-3 px-4 pt-2 pb-1">
        <ParameterForm parameters={parameters} values={values} onChange={setValues} />
        <Composer
          isRunning={talk.isRunning}
          obstacle={obstacleOf(missingParameters(parameters, values), error)}
          hint={hintOf(talk)}
          onSend={(message) => talk.ask(message, bound)}
          onStop={talk.stop}
        />
      </div>
      <Announcement turn={talk.turns.at(-1)} />
    </>
  );
}

function obstacleOf(missing: readonly string[], error: Error | null): string {
  if (error !== null) return `The agent cannot be read: ${error.message}`;
  return missing.length === 0 ? "" : `Fill in ${missing.join(", ")} to send.`;
}

function hintOf({ choice, waiting }: ReturnType<typeof usePlaygroundTalk>): string {
  if (waiting.length > 0) return "A message instead of a decision declines what waits.";
  return choice.kind === "none"
    ? "Each message is a run of its own: the agent does not see the ones before."
    : "The agent sees what was said before in this session.";
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
