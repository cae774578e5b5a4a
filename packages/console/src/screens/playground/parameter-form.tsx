import type { AgentParameter } from "@tracon/core";
import { Field, Select, TextInput } from "../../design/field.tsx";
import type { ParameterValues } from "./parameter-values.ts";

/** Values for the placeholders of the agent's instructions. */
export const ParameterForm = (props: {
  readonly parameters: readonly AgentParameter[];
  readonly values: ParameterValues;
  readonly onChange: (values: ParameterValues) => void;
}) =>
  props.parameters.length === 0 ? null : (
    <fieldset className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      <legend className="mb-1 font-medium">Parameters</legend>
      {props.parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={props.values[parameter.name] ?? ""}
          onChange={(value) => props.onChange({ ...props.values, [parameter.name]: value })}
        />
      ))}
    </fieldset>
  );

function ParameterField(props: {
  readonly parameter: AgentParameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { name, kind, required, defaultValue, description } = props.parameter;
  const unset = defaultValue === undefined ? "not set" : `default: ${defaultValue}`;
  return (
    <Field label={required ? `${name} (required)` : name} hint={description}>
      {kind === "Boolean" ? (
        <Select
          value={props.value}
          onPick={props.onChange}
          options={[
            { value: "", label: unset },
            { value: "true", label: "true" },
            { value: "false", label: "false" },
          ]}
        />
      ) : (
        <TextInput
          inputMode={kind === "Number" ? "decimal" : "text"}
          placeholder={defaultValue === undefined ? "" : unset}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
