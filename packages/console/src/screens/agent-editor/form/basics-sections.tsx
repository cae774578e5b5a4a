import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Fragment, useRef } from "react";
import { agentsQuery } from "../../../app/queries.ts";
import { useServices } from "../../../app/services.tsx";
import { Button } from "../../../design/button.tsx";
import { Tabs } from "../../../design/tabs.tsx";
import { canonicalTag } from "../preview/culture.ts";
import { InstructionsField } from "./editor-fields.tsx";
import { focusNext } from "./focus-next.ts";
import { useForm, useMember } from "./form-context.tsx";
import { counted, FormSection } from "./form-section.tsx";
import { NewKey, RowsField, useItems } from "./group-fields.tsx";
import { isJsonObject, pathText } from "./json-path.ts";
import { ChoiceField, FlagField, LongTextField, options, TextField } from "./text-fields.tsx";

export const GeneralSection = (props: { readonly isNew: boolean }) => (
  <FormSection title="General" members={["name", "displayName", "description"]} isOpen>
    <TextField
      path={["name"]}
      label="Name"
      isReadOnly={!props.isNew}
      hint={props.isNew ? "Stays for good: runs, routes and other agents refer to it." : undefined}
    />
    <TextField path={["displayName"]} label="Display name" placeholder="the name" />
    <LongTextField path={["description"]} label="Description" />
  </FormSection>
);

const DEFAULT_TEXT = "";

/** The default text and one for each culture, and the block that stands in front of them. */
export function InstructionsSection(props: {
  /** Key of `instructionsByCulture` whose text is shown; empty for the default. */
  readonly culture: string;
  readonly onCulture: (culture: string) => void;
}) {
  const { put } = useForm();
  const value = useMember(["instructionsByCulture"]);
  const cultures = isJsonObject(value) ? Object.keys(value) : [];
  const shown = cultures.includes(props.culture) ? props.culture : DEFAULT_TEXT;
  const texts = useRef<HTMLDivElement>(null);
  const remove = (culture: string) => {
    const isLast = cultures.length === 1;
    put(isLast ? ["instructionsByCulture"] : ["instructionsByCulture", culture], undefined);
    props.onCulture(DEFAULT_TEXT);
    focusNext(texts.current, '[role="textbox"]');
  };
  return (
    <FormSection
      title="Instructions"
      members={["instructions", "instructionsByCulture", "sharedInstructionsName"]}
      summary={cultures.length === 0 ? undefined : `default, ${cultures.join(", ")}`}
      isOpen
    >
      <div
        ref={texts}
        data-path="instructionsByCulture"
        className="col-span-full flex flex-col gap-2"
      >
        <Tabs
          label="Cultures"
          value={shown}
          onChange={props.onCulture}
          tabs={[DEFAULT_TEXT, ...cultures].map((culture) => ({
            value: culture,
            label: culture === DEFAULT_TEXT ? "Default" : culture,
            content: () => <CultureText culture={culture} onRemove={remove} />,
          }))}
        />
        <NewKey
          label="Add a culture"
          addLabel="Add culture"
          placeholder="tr-TR"
          refuse={(tag) => refuseCulture(tag, cultures)}
          onAdd={(tag) => {
            put(["instructionsByCulture", tag], "");
            props.onCulture(tag);
            focusNext(texts.current, '[role="textbox"]');
          }}
        />
      </div>
      <SharedInstructions />
    </FormSection>
  );
}

const CultureText = (props: {
  readonly culture: string;
  readonly onRemove: (culture: string) => void;
}) => (
  <div className="flex flex-col items-start gap-2 pt-2 [&>*]:w-full">
    {props.culture === DEFAULT_TEXT ? (
      <InstructionsField
        path={["instructions"]}
        label="Instructions"
        hint="For every culture without a text of its own. {{name}} stands for a parameter."
      />
    ) : (
      <>
        <InstructionsField
          key={props.culture}
          path={["instructionsByCulture", props.culture]}
          label={`Instructions in ${props.culture}`}
          isKept
        />
        <div>
          <Button tone="quiet" icon={X} onClick={() => props.onRemove(props.culture)}>
            Remove {props.culture}
          </Button>
        </div>
      </>
    )}
  </div>
);

export function refuseCulture(tag: string, taken: readonly string[]): string | undefined {
  const canonical = canonicalTag(tag);
  if (canonical === undefined) return "Write a BCP 47 tag such as tr or tr-TR.";
  const same = taken.find((it) => canonicalTag(it) === canonical);
  return same === undefined ? undefined : `${same} is this culture already.`;
}

function SharedInstructions() {
  const { api } = useServices();
  const agents = useQuery(agentsQuery(api)).data ?? [];
  const own = useMember(["name"]);
  return (
    <ChoiceField
      path={["sharedInstructionsName"]}
      label="Shared instructions"
      unset="none"
      hint="The instructions of the agent named here stand in front of this one's own."
      options={options(...agents.map(({ name }) => name).filter((name) => name !== own))}
    />
  );
}

export function ParametersSection() {
  const count = useItems(["parameters"]).length;
  return (
    <FormSection
      title="Parameters"
      members={["parameters"]}
      summary={count === 0 ? undefined : counted(count, "parameter")}
      isOpen={count > 0}
    >
      <RowsField
        path={["parameters"]}
        label="Parameters"
        item="parameter"
        hint="A run gives them values; {{name}} in the instructions is replaced by the value."
        newItem={{ name: "", kind: "Text", required: false }}
        row={(path) => (
          <Fragment key={pathText(path)}>
            <TextField path={[...path, "name"]} label="Name" />
            <ChoiceField
              path={[...path, "kind"]}
              label="Kind"
              unset="not set"
              options={options("Text", "Number", "Boolean")}
            />
            <TextField path={[...path, "defaultValue"]} label="Default value" />
            <FlagField path={[...path, "required"]} label="Required" />
            <LongTextField path={[...path, "description"]} label="Description" />
          </Fragment>
        )}
      />
    </FormSection>
  );
}
