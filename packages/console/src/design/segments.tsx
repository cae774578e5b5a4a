import { useId } from "react";
import { classNames } from "./class-names.ts";

/** One of two or three ways to see the same, beside each other. */
export function Segments<const Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly onPick: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}) {
  const name = useId();
  return (
    <fieldset className="flex">
      <legend className="sr-only">{props.label}</legend>
      {props.options.map(({ value, label }) => (
        <label
          key={value}
          className={classNames(
            "relative -ml-px inline-flex h-7 cursor-pointer items-center border border-edge/60 px-2.5 first-of-type:ml-0 first-of-type:rounded-l-md last-of-type:rounded-r-md has-focus-visible:outline-2 has-focus-visible:outline-accent",
            value === props.value
              ? "bg-accent-soft text-ink"
              : "bg-surface text-muted hover:text-ink",
          )}
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
            checked={value === props.value}
            onChange={() => props.onPick(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
