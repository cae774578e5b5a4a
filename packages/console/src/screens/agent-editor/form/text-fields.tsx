/** Fields of one value each. A value that does not fit its field is shown and left as it is. */

import { useId, useState } from "react";
import { Select, TextInput } from "../../../design/field.tsx";
import { textOf } from "./definition-document.ts";
import { useForm, useMember } from "./form-context.tsx";
import { type FieldProps, FormField } from "./form-field.tsx";

/** A value of another kind than its field edits: changing it here would lose it. */
export const Misfit = ({ value, id }: { readonly value: unknown; readonly id: string }) => (
  <output id={id} className="font-mono text-sm [overflow-wrap:anywhere]">
    {textOf(value)}{" "}
    <span className="font-sans text-muted">does not fit here; edit it as JSON.</span>
  </output>
);

export const isText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === "string";

export function TextField(
  props: FieldProps & {
    readonly placeholder?: string;
    readonly isReadOnly?: boolean;
    /** Values to pick from while typing; others are allowed. */
    readonly suggestions?: readonly string[];
  },
) {
  const { edit } = useForm();
  const value = useMember(props.path);
  const listId = useId();
  return (
    <FormField {...props}>
      {(control) =>
        isText(value) ? (
          <>
            <TextInput
              {...control}
              list={props.suggestions === undefined ? undefined : listId}
              readOnly={props.isReadOnly}
              placeholder={props.placeholder}
              className="w-full read-only:bg-raised read-only:text-muted"
              value={value ?? ""}
              onChange={(event) => edit(props.path, event.target.value)}
            />
            {props.suggestions === undefined ? null : (
              <datalist id={listId}>
                {props.suggestions.map((it) => (
                  <option key={it} value={it} />
                ))}
              </datalist>
            )}
          </>
        ) : (
          <Misfit value={value} id={control.id} />
        )
      }
    </FormField>
  );
}

/** Text of many lines; grows with what is written. */
export function LongTextField(props: FieldProps) {
  const { edit } = useForm();
  const value = useMember(props.path);
  return (
    <FormField {...props} isWide>
      {(control) =>
        isText(value) ? (
          <textarea
            {...control}
            rows={3}
            className="field-sizing-content max-h-[60dvh] w-full rounded-md border border-edge bg-surface px-2 py-1.5 text-ink"
            value={value ?? ""}
            onChange={(event) => edit(props.path, event.target.value)}
          />
        ) : (
          <Misfit value={value} id={control.id} />
        )
      }
    </FormField>
  );
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number. What is no number is kept as it was typed, for the server to say so. */
export function NumberField(props: FieldProps & { readonly placeholder?: string }) {
  const { edit } = useForm();
  const value = useMember(props.path);
  const [draft, setDraft] = useState("");
  // "0." and "0.0" are 0 already, and must still be there while the rest is typed.
  const shown = readNumber(draft) === value ? draft : scalarText(value);
  return (
    <FormField {...props}>
      {(control) =>
        shown === undefined ? (
          <Misfit value={value} id={control.id} />
        ) : (
          <TextInput
            {...control}
            inputMode="decimal"
            placeholder={props.placeholder ?? "not set"}
            className="w-full tabular-nums"
            value={shown}
            onChange={(event) => {
              setDraft(event.target.value);
              edit(props.path, readNumber(event.target.value));
            }}
          />
        )
      }
    </FormField>
  );
}

function readNumber(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const completed = trimmed.endsWith(".") ? trimmed.slice(0, -1) : trimmed;
  const value = JSON_NUMBER.test(completed) ? Number(completed) : Number.NaN;
  return Number.isFinite(value) ? value : text;
}

function scalarText(value: unknown): string | undefined {
  if (value === undefined) return "";
  return typeof value === "number" || typeof value === "string" ? String(value) : undefined;
}

export function FlagField(props: FieldProps) {
  const { edit } = useForm();
  const value = useMember(props.path);
  return (
    <FormField {...props} isInline>
      {(control) =>
        value === undefined || typeof value === "boolean" ? (
          <input
            {...control}
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={value === true}
            onChange={(event) => edit(props.path, event.target.checked)}
          />
        ) : (
          <Misfit value={value} id={control.id} />
        )
      }
    </FormField>
  );
}

/** One of some names, or none. A value that is not among them stays in the list. */
export function ChoiceField(
  props: FieldProps & {
    readonly options: readonly { readonly value: string; readonly label: string }[];
    /** What no value means. */
    readonly unset: string;
  },
) {
  const { edit } = useForm();
  const value = useMember(props.path);
  const isListed = props.options.some((option) => option.value === value);
  return (
    <FormField {...props}>
      {(control) =>
        isText(value) ? (
          <Select
            {...control}
            className="w-full"
            value={value ?? ""}
            onPick={(picked) => edit(props.path, picked === "" ? undefined : picked)}
            options={[
              { value: "", label: props.unset },
              ...props.options,
              ...(isListed || value === undefined ? [] : [{ value, label: value }]),
            ]}
          />
        ) : (
          <Misfit value={value} id={control.id} />
        )
      }
    </FormField>
  );
}

export const options = (...names: readonly string[]) =>
  names.map((name) => ({ value: name, label: name }));
