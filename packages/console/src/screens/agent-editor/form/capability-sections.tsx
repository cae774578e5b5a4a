import { useQuery } from "@tanstack/react-query";
import {
  agentsQuery,
  agentVersionsQuery,
  extensionsQuery,
  toolsQuery,
} from "../../../app/queries.ts";
import { useServices } from "../../../app/services.tsx";
import { Field, Select } from "../../../design/field.tsx";
import { useForm, useMember } from "./form-context.tsx";
import { counted, FormSection } from "./form-section.tsx";
import { NamesField, namedItem, PicksField, SettingsSwitch, useItems } from "./group-fields.tsx";
import { isJsonObject, type Path } from "./json-path.ts";
import { ChoiceField, FlagField, options, TextField } from "./text-fields.tsx";

export function ToolsSection() {
  const { api } = useServices();
  const tools = useQuery(toolsQuery(api)).data ?? [];
  const count = useItems(["toolNames"]).length;
  return (
    <FormSection
      title="Tools"
      members={["toolNames"]}
      summary={count === 0 ? undefined : counted(count, "tool")}
      isOpen={count > 0}
    >
      <PicksField path={["toolNames"]} label="Tools" offered={tools} />
    </FormSection>
  );
}

export function SkillsSection() {
  const count = useItems(["skillNames"]).length;
  return (
    <FormSection
      title="Skills"
      members={["skillNames", "skills"]}
      summary={count === 0 ? undefined : counted(count, "skill")}
    >
      <NamesField path={["skillNames"]} label="Skills" item="skill" />
      <SettingsSwitch path={["skills"]} label="Skill settings">
        <FlagField path={["skills", "disableReadApproval"]} label="Read skills without approval" />
      </SettingsSwitch>
    </FormSection>
  );
}

export function CallableAgentsSection() {
  const { api } = useServices();
  const agents = useQuery(agentsQuery(api)).data ?? [];
  const own = useMember(["name"]);
  const count = useItems(["callableAgents"]).length;
  return (
    <FormSection
      title="Callable agents"
      members={["callableAgents", "subAgents"]}
      summary={count === 0 ? undefined : counted(count, "agent")}
    >
      <PicksField
        path={["callableAgents"]}
        label="Agents it may call"
        offered={agents.filter(({ name }) => name !== own)}
        nameOf={namedItem}
        itemOf={(name) => ({ name })}
        detail={(path, name) => (
          <VersionPick
            label={`Version of ${name}`}
            agent={name}
            isStored={agents.some((it) => it.name === name && it.origin === "Database")}
            path={path}
          />
        )}
      />
      <SettingsSwitch path={["subAgents"]} label="How they are called">
        <ChoiceField
          path={["subAgents", "callMode"]}
          label="Call mode"
          unset="BackgroundTasks (default)"
          options={options("BackgroundTasks", "Tool")}
        />
        <TextField
          path={["subAgents", "childDeadline"]}
          label="Child deadline"
          placeholder="not set"
          hint="hh:mm:ss, 10s, 2m or 1h; the child is asked to end."
        />
        <TextField
          path={["subAgents", "waitTimeout"]}
          label="Wait timeout"
          placeholder="not set"
          hint="The child goes on and its result is not waited for."
        />
      </SettingsSwitch>
    </FormSection>
  );
}

/** Which version of a called agent runs: its current one, or one for good. */
function VersionPick(props: {
  readonly label: string;
  readonly agent: string;
  readonly isStored: boolean;
  readonly path: Path;
}) {
  const { put } = useForm();
  const item = useMember(props.path);
  const version = isJsonObject(item) ? item.version : undefined;
  const pin = (picked: string) =>
    put(
      props.path,
      picked === ""
        ? isJsonObject(item)
          ? omitVersion(item)
          : item
        : { ...(isJsonObject(item) ? item : { name: props.agent }), version: Number(picked) },
    );
  return props.isStored || version !== undefined ? (
    <div className="pl-6">
      <VersionSelect {...props} version={version} onPick={pin} />
    </div>
  ) : null;
}

function omitVersion({ version: _, ...rest }: Readonly<Record<string, unknown>>) {
  return rest;
}

/** The versions of an agent to choose from; the current one when none is chosen. */
export function VersionSelect(props: {
  readonly label: string;
  readonly agent: string;
  readonly version: unknown;
  readonly onPick: (version: string) => void;
}) {
  const { api } = useServices();
  const versions = useQuery(agentVersionsQuery(api, props.agent)).data ?? [];
  const numbers = versions.map(({ version }) => String(version));
  const chosen = props.version === undefined ? "" : String(props.version);
  return (
    <Field label={props.label}>
      <Select
        value={chosen}
        onPick={props.onPick}
        options={[
          { value: "", label: "current" },
          ...[...new Set([...numbers, chosen])]
            .filter((it) => it !== "")
            .map((it) => ({ value: it, label: `v${it}` })),
        ]}
      />
    </Field>
  );
}

export function ExtensionsSection() {
  const { api } = useServices();
  const extensions = useQuery(extensionsQuery(api)).data;
  const count = useItems(["extensionNames"]).length;
  return (
    <FormSection
      title="Extensions"
      members={["extensionNames"]}
      summary={count === 0 ? undefined : counted(count, "extension")}
    >
      {extensions === undefined ? (
        <NamesField
          path={["extensionNames"]}
          label="Extensions"
          item="extension"
          hint="This server does not list its extensions; write their names."
        />
      ) : (
        <PicksField path={["extensionNames"]} label="Extensions" offered={extensions} />
      )}
    </FormSection>
  );
}

export const McpSection = () => (
  <FormSection title="MCP resources" members={["mcpResourceUris"]}>
    <NamesField
      path={["mcpResourceUris"]}
      label="Resources"
      item="resource"
      hint="{server}:{uri}, read at the start of a run."
    />
  </FormSection>
);
