import { useId } from "react";

/** One of a few, all in sight. The platform's own buttons: arrows move, the label is the target. */
export function RadioGroup<const Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly onPick: (value: Value) => void;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly hint?: string;
  }[];
}) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-muted text-sm">{props.label}</legend>
      {props.options.map(({ value, label, hint }) => (
        <label key={value} className="flex cursor-pointer items-start gap-2">
          <input
            type="radio"
            name={name}
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={value === props.value}
            onChange={() => props.onPick(value)}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {label}
            {hint === undefined ? null : <span className="block text-faint text-sm">{hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
