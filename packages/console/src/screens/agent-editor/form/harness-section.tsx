import { useMember } from "./form-context.tsx";
import { FormSection } from "./form-section.tsx";
import { SettingsSwitch } from "./group-fields.tsx";
import { FlagField, LongTextField, NumberField } from "./text-fields.tsx";

const SWITCHES = [
  ["disableCompaction", "Disable compaction"],
  ["disableTodoProvider", "Disable todo tracking"],
  ["disableAgentModeProvider", "Disable agent modes"],
  ["disableFileMemory", "Disable file memory"],
  ["disableWebSearch", "Disable web search"],
  ["enableWebSearch", "Enable web search"],
  ["disableToolAutoApproval", "Disable automatic approval of tools"],
  ["disableAgentSkillsProvider", "Disable agent skills"],
] as const;

export function HarnessSection() {
  const isOn = useMember(["harness"]) !== undefined;
  return (
    <FormSection
      title="Harness"
      members={["harness"]}
      otherwhere={["harness.loop", "harness.progress"]}
      summary={isOn ? "on" : undefined}
    >
      <SettingsSwitch
        path={["harness"]}
        label="Use the harness"
        hint="Turns compaction, todo tracking and agent modes on unless they are disabled."
      >
        <NumberField
          path={["harness", "maximumIterationsPerRequest"]}
          label="Model calls per request"
        />
        <NumberField
          path={["harness", "maxContextWindowTokens"]}
          label="Max context window tokens"
        />
        <NumberField path={["harness", "maxOutputTokens"]} label="Max output tokens" />
        <LongTextField path={["harness", "harnessInstructions"]} label="Harness instructions" />
        {SWITCHES.map(([member, label]) => (
          <FlagField key={member} path={["harness", member]} label={label} />
        ))}
      </SettingsSwitch>
    </FormSection>
  );
}
