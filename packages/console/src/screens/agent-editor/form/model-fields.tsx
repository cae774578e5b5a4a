import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { modelsQuery } from "../../../app/queries.ts";
import { useServices } from "../../../app/services.tsx";
import { IconButton } from "../../../design/button.tsx";
import { JsonField } from "./editor-fields.tsx";
import { focusNext } from "./focus-next.ts";
import { useForm, useMember } from "./form-context.tsx";
import { FormSection } from "./form-section.tsx";
import { NewKey, RowsField, SettingsSwitch } from "./group-fields.tsx";
import { isJsonObject, type Path, pathText } from "./json-path.ts";
import {
  ChoiceField,
  FlagField,
  LongTextField,
  NumberField,
  options,
  TextField,
} from "./text-fields.tsx";

export function ModelSection() {
  const provider = useMember(["model", "provider"]);
  const model = useMember(["model", "model"]);
  return (
    <FormSection
      title="Model"
      members={["model"]}
      summary={`${String(provider ?? "no provider")} / ${String(model ?? "no model")}`}
      isOpen
    >
      <ModelFields path={["model"]} />
    </FormSection>
  );
}

/** Every setting of a model binding, wherever one stands. */
export const ModelFields = ({ path }: { readonly path: Path }) => (
  <>
    <ModelNames path={path} />
    <NumberField path={[...path, "temperature"]} label="Temperature" hint="0 to 2" />
    <NumberField path={[...path, "topP"]} label="Top P" hint="0 to 1" />
    <NumberField path={[...path, "maxOutputTokens"]} label="Max output tokens" />
    <TextField
      path={[...path, "reasoningEffort"]}
      label="Reasoning effort"
      suggestions={["minimal", "low", "medium", "high"]}
      placeholder="not set"
    />
    <ResponseFormat path={[...path, "responseFormat"]} />
    <RowsField
      path={[...path, "fallbacks"]}
      label="Fallbacks"
      item="fallback"
      hint="Tried in this order when the model before cannot be reached."
      newItem={{ provider: "", model: "" }}
      row={(at) => <ModelNames key={pathText(at)} path={at} />}
    />
    <SettingsSwitch path={[...path, "responseCache"]} label="Response cache">
      <FlagField
        path={[...path, "responseCache", "enabled"]}
        label="Answer equal requests from it"
      />
      <TextField
        path={[...path, "responseCache", "lifetime"]}
        label="Lifetime"
        placeholder="00:10:00"
        hint="hh:mm:ss, 10s, 2m or 1h"
      />
    </SettingsSwitch>
    <FlagField
      path={[...path, "toolLoop", "allowConcurrentToolCalls"]}
      label="Run the tool calls of one answer at the same time"
    />
    <ProviderSettings path={[...path, "providerSettings"]} />
  </>
);

function ModelNames({ path }: { readonly path: Path }) {
  const { api } = useServices();
  const providers = useQuery(modelsQuery(api)).data ?? [];
  const provider = useMember([...path, "provider"]);
  const models = providers.find(({ name }) => name === provider)?.models ?? [];
  return (
    <>
      <ChoiceField
        path={[...path, "provider"]}
        label="Provider"
        unset="not set"
        options={options(...providers.map(({ name }) => name))}
      />
      <TextField
        path={[...path, "model"]}
        label="Model"
        suggestions={models.map(({ model }) => model)}
      />
    </>
  );
}

function ResponseFormat({ path }: { readonly path: Path }) {
  const { put } = useForm();
  const format = useMember(path);
  const kind = isJsonObject(format) ? format.kind : undefined;
  const hasSchema = isJsonObject(format) && ("schema" in format || kind === "JsonSchema");
  return (
    <>
      <ChoiceField
        path={[...path, "kind"]}
        label="Response format"
        unset="not set"
        options={options("Text", "Json", "JsonSchema")}
      />
      {kind === undefined && format !== undefined ? (
        <div className="self-end">
          <IconButton
            icon={X}
            label="Remove response format"
            onClick={() => put(path, undefined)}
          />
        </div>
      ) : (
        <div />
      )}
      {hasSchema ? (
        <>
          <TextField path={[...path, "schemaName"]} label="Schema name" />
          <LongTextField path={[...path, "schemaDescription"]} label="Schema description" />
          <JsonField
            path={[...path, "schema"]}
            label="Schema"
            placeholder='{ "type": "object", "properties": {} }'
          />
        </>
      ) : null}
    </>
  );
}

function ProviderSettings({ path }: { readonly path: Path }) {
  const { put } = useForm();
  const settings = useMember(path);
  const keys = isJsonObject(settings) ? Object.keys(settings) : [];
  return (
    <fieldset data-path={pathText(path)} className="col-span-full flex flex-col gap-2">
      <legend className="text-muted text-sm">Provider settings</legend>
      {keys.map((key) => (
        <div key={key} className="flex items-end gap-2">
          <div className="grid flex-1">
            <JsonField path={[...path, key]} label={key} />
          </div>
          <IconButton
            icon={X}
            label={`Remove ${key}`}
            onClick={(event) => {
              focusNext(event.currentTarget.closest("fieldset"), "[data-new-key]");
              put([...path, key], undefined);
            }}
          />
        </div>
      ))}
      <NewKey
        label="Setting"
        addLabel="Add setting"
        placeholder="openai.serviceTier"
        refuse={(key) => (keys.includes(key) ? "It is there already." : undefined)}
        onAdd={(key) => put([...path, key], "")}
      />
    </fieldset>
  );
}
