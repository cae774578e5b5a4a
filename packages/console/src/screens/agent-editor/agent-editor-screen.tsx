import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { AgentDefinition, AgentDefinitionRequest } from "@tracon/core";
import { agentQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { buttonClass } from "../../design/button.tsx";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { definitionText } from "../agent/definition-text.ts";
import { DefinitionEditor } from "./definition-editor.tsx";

const route = getRouteApi("/agents/$name/edit");

export function AgentEditorScreen() {
  const { name } = route.useParams();
  const { api } = useServices();
  // What others save meanwhile must not replace what is being written.
  const agent = useQuery({ ...agentQuery(api, name), staleTime: Number.POSITIVE_INFINITY });

  if (agent.data === undefined) {
    return (
      <>
        <TitleRow title={`Edit ${name}`} />
        {agent.error === null ? (
          <Loading what="agent" />
        ) : (
          <FailureView error={agent.error} onRetry={() => void agent.refetch()} />
        )}
      </>
    );
  }
  const { definition, isEditable } = agent.data;
  return definition === null || !isEditable ? (
    <NotEditable name={name} />
  ) : (
    <AgentEditor key={definition.version} definition={definition} />
  );
}

function AgentEditor({ definition }: { readonly definition: AgentDefinition }) {
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { name, version } = definition;
  const text = definitionText(definition);

  const save = async (changed: AgentDefinitionRequest) => {
    const saved = await api.agents.save(name, changed);
    toasts.show(
      "good",
      saved.version === version
        ? `Nothing has changed; ${name} stays at version ${version}.`
        : `${name} is now at version ${saved.version}.`,
    );
    await navigate({ to: "/agents/$name", params: { name } });
    await queries.invalidateQueries({ queryKey: ["agents"] });
  };

  return (
    <DefinitionEditor
      title={`Edit ${name}`}
      saveLabel="Save new version"
      initialText={text}
      baseline={{ title: `v${version}`, text }}
      onSave={save}
    />
  );
}

const NotEditable = ({ name }: { readonly name: string }) => (
  <>
    <TitleRow title={`Edit ${name}`} />
    <Empty
      title="This agent is not edited here"
      text="It is defined in code or by another source. Change it there."
      actions={
        <Link to="/agents/$name" params={{ name }} className={buttonClass("primary")}>
          Open {name}
        </Link>
      }
    />
  </>
);
