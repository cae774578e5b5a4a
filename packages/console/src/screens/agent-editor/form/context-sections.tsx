import { JsonField } from "./editor-fields.tsx";
import { useMember } from "./form-context.tsx";
import { FormSection } from "./form-section.tsx";
import { SettingsSwitch } from "./group-fields.tsx";
import { ModelFields } from "./model-fields.tsx";
import {
  ChoiceField,
  FlagField,
  LongTextField,
  NumberField,
  options,
  TextField,
} from "./text-fields.tsx";

const COUNTS = [
  ["triggerTokens", "Trigger at tokens"],
  ["triggerMessages", "Trigger at messages"],
  ["triggerTurns", "Trigger at turns"],
  ["minimumPreservedTurns", "Turns always kept"],
  ["minimumPreservedGroups", "Groups always kept"],
  ["maxContextWindowTokens", "Max context window tokens"],
  ["maxOutputTokens", "Max output tokens"],
] as const;

export function CompactionSection() {
  const strategy = useMember(["compaction", "strategy"]);
  return (
    <FormSection
      title="Compaction"
      members={["compaction"]}
      summary={typeof strategy === "string" ? strategy : undefined}
    >
      <SettingsSwitch path={["compaction"]} label="Shorten the history before it is too long">
        <ChoiceField
          path={["compaction", "strategy"]}
          label="Strategy"
          unset="None (default)"
          options={options(
            "None",
            "SlidingWindow",
            "Truncation",
            "ToolResult",
            "Summarization",
            "ContextWindow",
            "Pipeline",
          )}
        />
        {COUNTS.map(([member, label]) => (
          <NumberField key={member} path={["compaction", member]} label={label} />
        ))}
        <LongTextField path={["compaction", "summarizationPrompt"]} label="Summarization prompt" />
        <SettingsSwitch
          path={["compaction", "summarizationModel"]}
          label="Summarize with another model"
        >
          <ModelFields path={["compaction", "summarizationModel"]} />
        </SettingsSwitch>
      </SettingsSwitch>
    </FormSection>
  );
}

const MEMORIES = [
  ["enableFileMemory", "File memory"],
  ["enableTodo", "Todo list"],
  ["enableTextSearch", "Text search"],
  ["enableVectorSearch", "Vector search"],
] as const;

export function MemorySection() {
  const isOn = useMember(["memory"]) !== undefined;
  return (
    <FormSection title="Memory" members={["memory"]} summary={isOn ? "on" : undefined}>
      <SettingsSwitch path={["memory"]} label="Memory settings">
        {MEMORIES.map(([member, label]) => (
          <FlagField key={member} path={["memory", member]} label={label} />
        ))}
        <TextField
          path={["memory", "vectorCollection"]}
          label="Vector collection"
          placeholder="the agent's name"
        />
      </SettingsSwitch>
    </FormSection>
  );
}

export function WorkspaceSection() {
  const isOn = useMember(["workspace"]) !== undefined;
  return (
    <FormSection title="Workspace" members={["workspace"]} summary={isOn ? "on" : undefined}>
      <SettingsSwitch path={["workspace"]} label="Give sessions a workspace">
        <FlagField path={["workspace", "readOnly"]} label="Read only" />
        <FlagField
          path={["workspace", "disableReadApproval"]}
          label="Read files without approval"
        />
      </SettingsSwitch>
    </FormSection>
  );
}

export const MetadataSection = () => (
  <FormSection title="Metadata" members={["metadata"]}>
    <JsonField path={["metadata"]} label="Metadata" hint="A JSON object of your own." />
  </FormSection>
);
