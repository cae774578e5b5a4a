import { RadioGroup } from "../../../design/radio-group.tsx";
import { useForm, useMember } from "./form-context.tsx";
import { type FieldProps, FindingsOf } from "./form-field.tsx";
import { pathText, readAt } from "./json-path.ts";
import { isText, Misfit } from "./text-fields.tsx";

/**
 * One of a few, all in sight with what they mean. The default is written only where it already was;
 * a text that is none of the options stays among them.
 */
export function RadioField<const Value extends string>(
  props: FieldProps & {
    readonly options: readonly {
      readonly value: Value;
      readonly label: string;
      readonly hint: string;
    }[];
    readonly defaultValue: Value;
  },
) {
  const { document, edit } = useForm();
  const value = useMember(props.path);
  const isDefaultWritten = readAt(document.baseline, props.path) !== undefined;
  const isKnown = value === undefined || props.options.some((it) => it.value === value);
  return (
    <div data-path={pathText(props.path)} className="col-span-full flex flex-col gap-1">
      {isText(value) ? (
        <RadioGroup
          label={props.label}
          value={value ?? props.defaultValue}
          onPick={(picked) =>
            edit(
              props.path,
              picked === props.defaultValue && !isDefaultWritten ? undefined : picked,
            )
          }
          options={[
            ...props.options,
            ...(isKnown ? [] : [{ value, label: value, hint: "None of the above." }]),
          ]}
        />
      ) : (
        <>
          <span className="text-muted text-sm">{props.label}</span>
          <Misfit value={value} id={pathText(props.path)} />
        </>
      )}
      <FindingsOf path={props.path} />
    </div>
  );
}
