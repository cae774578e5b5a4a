import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../../../app/queries.ts";
import { useServices } from "../../../../app/services.tsx";
import { useForm, useMember } from "../form-context.tsx";
import type { Path } from "../json-path.ts";
import { ChoiceField, NumberField, options } from "../text-fields.tsx";
import { VersionField } from "../version-field.tsx";

const VERDICT =
  'It answers {"approved": true, "feedback": ""} or the objections: give it a JSON schema with both.';

/** The agent that reads each draft. */
export function ReviewerField({ path }: { readonly path: Path }) {
  const { api } = useServices();
  const agents = useQuery(agentsQuery(api)).data ?? [];
  const own = useMember(["name"]);
  const reviewer = useMember(path);
  const description = agents.find(({ name }) => name === reviewer)?.description;
  return (
    <ChoiceField
      path={path}
      label="Reviewer"
      unset="pick an agent"
      options={options(...agents.map(({ name }) => name).filter((name) => name !== own))}
      hint={description === undefined ? VERDICT : `${description} ${VERDICT}`}
    />
  );
}

/** Which version of the reviewer reads them; only an agent that is stored here has several. */
export function ReviewerVersionField({ path }: { readonly path: Path }) {
  const { api } = useServices();
  const { edit } = useForm();
  const agents = useQuery(agentsQuery(api)).data ?? [];
  const reviewer = useMember([...path.slice(0, -1), "reviewerAgent"]);
  const pinned = useMember(path);
  if (typeof reviewer !== "string") {
    return pinned === undefined ? null : (
      <NumberField path={path} label="Version of the reviewer" />
    );
  }
  const isStored = agents.some((it) => it.name === reviewer && it.origin === "Database");
  if (!isStored && pinned === undefined) return null;
  return (
    <VersionField
      path={path}
      label={`Version of ${reviewer} to run`}
      agent={reviewer}
      onPick={(version) => edit(path, version)}
    />
  );
}
