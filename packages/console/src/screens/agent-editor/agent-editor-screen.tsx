import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { TraconApiError } from "@tracon/client";
import type { AgentDefinition, AgentDefinitionRequest } from "@tracon/core";
import { useState } from "react";
import { agentQuery } from "../../app/queries.ts";
import { failureOf } from "../../app/remedy.ts";
import { useServices } from "../../app/services.tsx";
import { buttonClass } from "../../design/button.tsx";
import { Empty, FailureView, Loading } from "../../design/state-view.tsx";
import { TitleRow } from "../../design/title-row.tsx";
import { contentOf } from "../agent/definition-text.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { DefinitionEditor } from "./definition-editor.tsx";

const route = getRouteApi("/agents/$name/edit");

export function AgentEditorScreen() {
  const { name } = route.useParams();
  const { api } = useServices();
  // What others save meanwhile must not replace what is being written.
  const agent = useQuery({
    ...agentQuery(api, name),
    queryKey: ["editor", name],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

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
    <AgentEditor
      key={definition.version}
      definition={definition}
      onReload={() => void agent.refetch()}
    />
  );
}

type Conflict = { readonly theirs: AgentDefinition; readonly mine: AgentDefinitionRequest };

function AgentEditor(props: {
  readonly definition: AgentDefinition;
  readonly onReload: () => void;
}) {
  const { name, version } = props.definition;
  const { api, toasts } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = route.useSearch();
  const [conflict, setConflict] = useState<Conflict>();

  const saveOn = async (basedOn: number, mine: AgentDefinitionRequest) => {
    try {
      const saved = await api.agents.save(name, mine, { basedOn });
      toasts.show("good", `${name} is now at version ${saved.version}.`);
    } catch (error) {
      const isConflict = error instanceof TraconApiError && error.code === "version_conflict";
      const current = isConflict ? await api.agents.get(name) : undefined;
      const theirs = current?.definition;
      if (theirs !== undefined && theirs !== null) setConflict({ theirs, mine });
      throw error;
    }
    await navigate({ to: "/agents/$name", params: { name }, ignoreBlocker: true });
    await queries.invalidateQueries({ queryKey: ["agents"] });
  };
  /** A conflict is shown by its own dialog; when it happens again, by the newer one. */
  const saveMine = ({ theirs, mine }: Conflict) =>
    saveOn(theirs.version, mine).catch((error: unknown) => {
      if (!(error instanceof TraconApiError && error.code === "version_conflict")) {
        setConflict(undefined);
        toasts.show("failed", failureOf(error).detail);
      }
    });

  return (
    <>
      <DefinitionEditor
        title={`Edit ${name}`}
        saveLabel="Save new version"
        initial={contentOf(props.definition)}
        baselineTitle={`v${version}`}
        view={search.view ?? "form"}
        onView={(view) =>
          void navigate({ to: ".", search: { view }, replace: true, resetScroll: false })
        }
        onSave={(definition) => saveOn(version, definition)}
      />
      {conflict === undefined ? null : (
        <ConflictDialog
          {...conflict}
          baseVersion={version}
          onClose={() => setConflict(undefined)}
          onTakeTheirs={props.onReload}
          onSaveMine={() => saveMine(conflict)}
        />
      )}
    </>
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
