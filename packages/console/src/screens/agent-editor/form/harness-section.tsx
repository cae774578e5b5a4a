import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../../app/queries.ts";
import { useServices } from "../../../app/services.tsx";
import { useForm, useMember } from "./form-context.tsx";
import { FormSection } from "./form-section.tsx";
import { NamesField, RowsField, SettingsSwitch } from "./group-fields.tsx";
import { isJsonObject, type Path, pathText } from "./json-path.ts";
import {
  ChoiceField,
  FlagField,
  LongTextField,
  NumberField,
  options,
  TextField,
} from "./text-fields.tsx";
import { VersionField } from "./version-field.tsx";

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
    <FormSection title="Harness and loop" members={["harness"]} summary={isOn ? "on" : undefined}>
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
        <ProgressFields />
        <LoopFields />
      </SettingsSwitch>
    </FormSection>
  );
}

const PROGRESS = ["harness", "progress"] as const;

const ProgressFields = () => (
  <SettingsSwitch
    path={PROGRESS}
    label="Runs that get nowhere"
    hint="Steps that come again and change nothing are always recorded. Escalating tells the model, then lets it only answer, then stops the run."
  >
    <FlagField path={[...PROGRESS, "escalate"]} label="Escalate" />
    <NumberField path={[...PROGRESS, "maxRepeats"]} label="Stop after repeats" placeholder="4" />
  </SettingsSwitch>
);

const LOOP = ["harness", "loop"] as const;
const OUTCOMES = options("ReturnLastResponse", "FailRun");

const LoopFields = () => (
  <SettingsSwitch
    path={LOOP}
    label="Loop"
    hint="Invokes the agent again until its criteria say that the work is finished."
  >
    <NumberField path={[...LOOP, "maxIterations"]} label="Max iterations" placeholder="10" />
    <FlagField
      path={[...LOOP, "freshContextPerIteration"]}
      label="Start every iteration with a fresh context"
    />
    <ChoiceField
      path={[...LOOP, "onExhausted"]}
      label="When the iterations are used up"
      unset="ReturnLastResponse (default)"
      options={OUTCOMES}
    />
    <ChoiceField
      path={[...LOOP, "onCriterionError"]}
      label="When a criterion fails"
      unset="ReturnLastResponse (default)"
      options={OUTCOMES}
    />
    <RowsField
      path={[...LOOP, "criteria"]}
      label="Criteria"
      item="criterion"
      newItem={{ kind: "completionMarker" }}
      row={(path) => <CriterionFields key={pathText(path)} path={path} />}
    />
  </SettingsSwitch>
);

/** What each kind reads. Members of other kinds are shown too when they are there. */
const READS: Readonly<Record<string, readonly string[]>> = {
  completionMarker: ["marker"],
  todoCompletion: ["modes"],
  aiJudge: ["judgeCriteria", "judgeInstructions"],
  agentReview: ["reviewerAgent", "reviewerAgentVersion"],
  backgroundTaskCompletion: [],
};

function CriterionFields({ path }: { readonly path: Path }) {
  const criterion = useMember(path);
  const members = isJsonObject(criterion) ? criterion : {};
  const kind = String(members.kind ?? "");
  const shows = (member: string) => {
    const value = members[member];
    const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0);
    return isSet || READS[kind]?.includes(member) === true;
  };
  return (
    <>
      <ChoiceField
        path={[...path, "kind"]}
        label="Kind"
        unset="not set"
        options={options(...Object.keys(READS))}
      />
      {shows("marker") ? <TextField path={[...path, "marker"]} label="Marker" /> : null}
      {shows("judgeCriteria") ? (
        <NamesField
          path={[...path, "judgeCriteria"]}
          label="Judge criteria"
          item="judge criterion"
        />
      ) : null}
      {shows("judgeInstructions") ? (
        <LongTextField path={[...path, "judgeInstructions"]} label="Judge instructions" />
      ) : null}
      {shows("modes") ? <NamesField path={[...path, "modes"]} label="Modes" item="mode" /> : null}
      {shows("reviewerAgent") || shows("reviewerAgentVersion") ? <Reviewer path={path} /> : null}
    </>
  );
}

function Reviewer({ path }: { readonly path: Path }) {
  const { api } = useServices();
  const { edit } = useForm();
  const agents = useQuery(agentsQuery(api)).data ?? [];
  const reviewer = useMember([...path, "reviewerAgent"]);
  const version = useMember([...path, "reviewerAgentVersion"]);
  const isStored = agents.some((it) => it.name === reviewer && it.origin === "Database");
  return (
    <>
      <ChoiceField
        path={[...path, "reviewerAgent"]}
        label="Reviewer"
        unset="not set"
        options={options(...agents.map(({ name }) => name))}
      />
      {typeof reviewer === "string" && (isStored || version !== undefined) ? (
        <VersionField
          path={[...path, "reviewerAgentVersion"]}
          label="Version of the reviewer"
          agent={reviewer}
          onPick={(picked) => edit([...path, "reviewerAgentVersion"], picked)}
        />
      ) : null}
    </>
  );
}
