import { useQuery } from "@tanstack/react-query";
import { extensionsQuery, toolsQuery } from "../../../app/queries.ts";
import { useServices } from "../../../app/services.tsx";
import { counted, FormSection } from "./form-section.tsx";
import { NamesField, PicksField, SettingsSwitch, useItems } from "./group-fields.tsx";
import { FlagField } from "./text-fields.tsx";

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
