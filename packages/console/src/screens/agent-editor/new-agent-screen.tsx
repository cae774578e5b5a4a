import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { AgentDefinitionRequest } from "@tracon/core";
import { agentsQuery, modelsQuery } from "../../app/queries.ts";
import { useServices } from "../../app/services.tsx";
import { FailureView, Loading } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { DefinitionEditor } from "./definition-editor.tsx";
import { exampleFor } from "./example-definition.ts";

const route = getRouteApi("/new-agent");

/** A new agent, starting from an example that this server can save as it is. */
export function NewAgentScreen() {
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = route.useSearch();
  const agents = useQuery(agentsQuery(api));
  const models = useQuery(modelsQuery(api));

  const create = async (definition: AgentDefinitionRequest) => {
    const created = await api.agents.create(definition);
    toasts.show("good", `${created.name} was created.`);
    await queries.invalidateQueries({ queryKey: ["agents"] });
    await navigate({
      to: "/agents/$name",
      params: { name: created.name },
      ignoreBlocker: true,
    });
  };

  if (agents.data === undefined || models.data === undefined) {
    const error = agents.error ?? models.error;
    const retry = () => {
      void agents.refetch();
      void models.refetch();
    };
    return (
      <>
        <TitleRow title="New agent" />
        {error === null ? <Loading what="models" /> : <FailureView error={error} onRetry={retry} />}
      </>
    );
  }
  const example = exampleFor(models.data, new Set(agents.data.map((agent) => agent.name)));
  return (
    <DefinitionEditor
      title="New agent"
      saveLabel="Create agent"
      initial={example}
      view={search.view ?? "form"}
      onView={(view) =>
        void navigate({ to: ".", search: { view }, replace: true, resetScroll: false })
      }
      onSave={create}
    />
  );
}
